import { InvalidArgumentError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import type { Connection } from '../connection.ts';
import type { PrismaTransaction } from '../handles.ts';
import type { OpenOptions } from '../options.ts';
import { PrismaConnection } from '../prisma.ts';
import { prismaFailure } from '../prisma-failure.ts';
import type { Lent } from './connection.ts';

const connections = new WeakMap<object, PrismaConnection>();

/** What Prisma calls an engine. */
const PROVIDERS: Readonly<Record<DialectName, string>> = {
  postgres: 'postgresql',
  pglite: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
};

/** The client of a Prisma interactive transaction. */
export async function lentPrisma(
  handle: PrismaTransaction,
  main: Connection,
  options: OpenOptions,
): Promise<Lent> {
  const server = { ...main.server, target: "the host's Prisma transaction" };
  await probe(handle, main.dialectName, server.target);
  const shared = { dialectName: main.dialectName, server, onStatement: options.onStatement };
  const connection = connections.get(handle) ?? new PrismaConnection(handle, shared, 1);
  connections.set(handle, connection);
  return { connection };
}

/** Fails where the transaction has ended; for a nested one Prisma would not say so. */
async function probe(handle: PrismaTransaction, dialectName: DialectName, target: string): Promise<void> {
  try {
    await handle.$queryRawUnsafe('select 1 as one');
  } catch (error) {
    throw prismaFailure(error, dialectName, { doing: 'using', phase: 'statement', target });
  }
}

/** Refuses a client of another engine, as far as it tells: what it calls its provider is not public. */
export function checkProvider(handle: PrismaTransaction, { dialectName }: Connection): void {
  const provider: unknown = Reflect.get(handle, '_activeProvider');
  if (typeof provider !== 'string' || provider === PROVIDERS[dialectName]) return;
  throw new InvalidArgumentError('handle', `is of ${provider}, and the storage is on ${dialectName}`);
}
