import type { DialectName } from '../sql/dialect-name.ts';
import type { Connection } from './connection.ts';
import type { PrismaClient } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { PrismaConnection } from './prisma.ts';
import { prismaFailure } from './prisma-failure.ts';

const TARGET = "the host's PrismaClient";

interface Found {
  readonly dialectName: DialectName;
  readonly version: string;
}

/** Takes a host's PrismaClient, with any driver adapter. */
export async function borrowPrisma(client: PrismaClient, options: OpenOptions): Promise<Connection> {
  const { dialectName, version } = await find(client);
  const server = { version, target: TARGET, database: '' };
  return new PrismaConnection(client, { dialectName, server, onStatement: options.onStatement }, 0);
}

/** Asks the database itself: what Prisma calls its provider is not public. */
async function find(client: PrismaClient): Promise<Found> {
  let refusal: unknown;
  try {
    const version = await versionOf(client, 'select version() as version');
    const [, postgres] = /^PostgreSQL (\S+)/.exec(version) ?? [];
    if (postgres === undefined)
      return { dialectName: /mariadb/i.test(version) ? 'mariadb' : 'mysql', version };
    // PGlite is Postgres compiled to WebAssembly.
    return { dialectName: /emcc|emscripten|wasm/i.test(version) ? 'pglite' : 'postgres', version: postgres };
  } catch (error) {
    refusal = error;
  }
  try {
    return { dialectName: 'sqlite', version: await versionOf(client, 'select sqlite_version() as version') };
  } catch {
    // Neither is known where nothing answers: the first refusal says why.
    throw prismaFailure(refusal, 'postgres', { doing: 'connect', phase: 'connect', target: TARGET });
  }
}

async function versionOf(client: PrismaClient, text: string): Promise<string> {
  const found = (await client.$queryRawUnsafe(text)) as readonly { readonly version: unknown }[];
  return String(found[0]?.version);
}
