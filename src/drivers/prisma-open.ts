import { ChronosError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Connection } from './connection.ts';
import type { PrismaClient } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { PrismaConnection } from './prisma.ts';
import { prismaFailure } from './prisma-failure.ts';
import { mysqlSettings } from './settings/mysql.ts';
import { POSTGRES_SETTINGS } from './settings/postgres.ts';
import { refuseSettings } from './settings/refused.ts';

const TARGET = "the host's PrismaClient";

const SQLITE_FILE = "select file as value from pragma_database_list where name = 'main'";

interface Found {
  readonly dialectName: DialectName;
  readonly version: string;
  readonly database: string;
}

/** Takes a host's PrismaClient, with any driver adapter. */
export async function borrowPrisma(client: PrismaClient, options: OpenOptions): Promise<Connection> {
  const { dialectName, version, database } = await find(client);
  const server = { version, target: TARGET, database };
  return new PrismaConnection(client, { dialectName, server, onStatement: options.onStatement }, 0);
}

/** Asks the database itself: what Prisma calls its provider is not public. */
async function find(client: PrismaClient): Promise<Found> {
  let refusal: unknown;
  try {
    const version = await one(client, 'select version() as value');
    const [, postgres] = /^PostgreSQL (\S+)/.exec(version) ?? [];
    if (postgres === undefined) {
      const dialectName = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
      const database = await one(client, 'select database() as value');
      refuseSettings('target', await one(client, `select ${mysqlSettings(false)} as value`));
      return { dialectName, version, database };
    }
    // PGlite is Postgres compiled to WebAssembly.
    const dialectName = /emcc|emscripten|wasm/i.test(version) ? 'pglite' : 'postgres';
    const database = await one(client, 'select current_database()::text as value');
    refuseSettings('target', await one(client, `select ${POSTGRES_SETTINGS} as value`));
    return { dialectName, version: postgres, database };
  } catch (error) {
    if (error instanceof ChronosError) throw error;
    refusal = error;
  }
  try {
    const version = await one(client, 'select sqlite_version() as value');
    return { dialectName: 'sqlite', version, database: await one(client, SQLITE_FILE) };
  } catch {
    // Neither is known where nothing answers: the first refusal says why.
    throw prismaFailure(refusal, 'postgres', { doing: 'connect', phase: 'connect', target: TARGET });
  }
}

async function one(client: PrismaClient, text: string): Promise<string> {
  const found = (await client.$queryRawUnsafe(text)) as readonly { readonly value: unknown }[];
  return String(found[0]?.value ?? '');
}
