import { PGlite, types } from '@electric-sql/pglite';
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import type { MigratorTarget } from '../../src/migrate/index.ts';

/** Runs one statement and resolves to its rows. Placeholders are the engine's own: `$1`, or `?`. */
export type Query = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/**
 * The bare driver on a database, with none of our code between: what a catalog says, what EXPLAIN says, what
 * is stored. On Postgres and PGlite its search_path is the schema `chronos`, its time zone UTC.
 */
export interface Database {
  readonly query: Query;
  /** What a migrator is given while this is open: the URL, but PGlite has one user at a time and is lent. */
  readonly target: MigratorTarget;
  close(): Promise<void>;
}

/** Opens the database that a variant made, by its URL. */
export async function openDatabase(url: string): Promise<Database> {
  const scheme = url.slice(0, url.indexOf(':'));
  const open = DRIVERS[scheme];
  if (open === undefined) throw new Error(`no bare driver for scheme ${scheme}`);
  return await open(url);
}

const DRIVERS: Readonly<Record<string, (url: string) => Promise<Database>>> = {
  postgres: openPostgres,
  postgresql: openPostgres,
  mysql: openMysql,
  mariadb: openMysql,
  pglite: openPglite,
  sqlite: openSqlite,
};

async function openPostgres(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=chronos -c timezone=UTC' });
  await client.connect();
  return {
    target: url,
    query: async <T>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values && [...values])).rows as T[],
    close: () => client.end(),
  };
}

async function openMysql(url: string): Promise<Database> {
  const connection = await mysql.createConnection({ uri: url, timezone: 'Z', supportBigNumbers: true });
  await connection.query("set time_zone = '+00:00'");
  return {
    target: url,
    query: async <T>(text: string, values?: readonly unknown[]) => {
      const [rows] = await connection.query(text, values && [...values]);
      return rows as T[];
    },
    close: () => connection.end(),
  };
}

async function openPglite(url: string): Promise<Database> {
  const db = await PGlite.create(url.slice('pglite:'.length), {
    parsers: { [types.INT8]: (text: string) => text },
  });
  await db.exec("set search_path = chronos; set time zone 'UTC'");
  return {
    target: db,
    query: async <T>(text: string, values?: readonly unknown[]) =>
      (await db.query<T>(text, values && [...values])).rows,
    close: () => db.close(),
  };
}

async function openSqlite(url: string): Promise<Database> {
  const db = new Sqlite(url.slice('sqlite:'.length));
  return {
    target: url,
    query: async <T>(text: string, values: readonly unknown[] = []) => {
      const prepared = db.prepare<unknown[], T>(text);
      if (prepared.reader) return prepared.all(...values);
      prepared.run(...values);
      return [];
    },
    close: async () => {
      db.close();
    },
  };
}
