import { InvalidArgumentError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Connection } from './connection.ts';
import type { PrismaClient } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { PrismaConnection } from './prisma.ts';

interface Found {
  readonly dialectName: DialectName;
  readonly version: string;
}

/** Takes a host's PrismaClient, with any driver adapter. */
export async function borrowPrisma(client: PrismaClient, options: OpenOptions): Promise<Connection> {
  const { dialectName, version } = await find(client);
  const server = { version, target: "the host's PrismaClient", database: '' };
  return new PrismaConnection(client, { dialectName, server, onStatement: options.onStatement }, 0);
}

/** Asks the database itself: what Prisma calls its provider is not public. */
async function find(client: PrismaClient): Promise<Found> {
  const version = await versionOf(client, 'select version() as version');
  if (version === undefined) {
    const sqlite = await versionOf(client, 'select sqlite_version() as version');
    if (sqlite !== undefined) return { dialectName: 'sqlite', version: sqlite };
    throw new InvalidArgumentError('target', 'is a PrismaClient on none of the engines of this library', {
      reason: 'USAGE',
    });
  }
  const [, postgres] = /^PostgreSQL (\S+)/.exec(version) ?? [];
  // PGlite is Postgres compiled to WebAssembly.
  if (postgres)
    return { dialectName: /emcc|emscripten|wasm/i.test(version) ? 'pglite' : 'postgres', version: postgres };
  return { dialectName: /mariadb/i.test(version) ? 'mariadb' : 'mysql', version };
}

async function versionOf(client: PrismaClient, text: string): Promise<string | undefined> {
  try {
    const found = (await client.$queryRawUnsafe(text)) as readonly { readonly version: unknown }[];
    return String(found[0]?.version);
  } catch (error) {
    // An engine without this function: asked differently next. A server that is down says so there too.
    if (text.includes('sqlite')) throw error;
    return undefined;
  }
}
