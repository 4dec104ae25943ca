import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2';
import mysqlPromise from 'mysql2/promise';
import pg from 'pg';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import type { OpenOptions } from '../../src/drivers/options.ts';
import { type Statement, statement } from '../../src/sql/statement.ts';
import { type Driver, pgbouncerUrl, type TestDatabase, type Variant } from '../variants.ts';

/** One way to the same database: by URL, through a pooler, or on what a host has. */
export interface Form {
  readonly name: string;
  open(database: TestDatabase, options?: OpenOptions): Promise<Opened>;
}

export interface Opened {
  readonly connection: Connection;
  /** Closes the connection, then what the host lent to it. */
  close(): Promise<void>;
}

const own: Form = {
  name: 'own',
  open: async ({ url }, options) => opened(await openConnection(url, options)),
};

const pooler: Form = {
  name: 'own through PgBouncer',
  open: async ({ url }, options) => opened(await openConnection(pgbouncerUrl(url) as string, options)),
};

const hosts: Record<Driver, readonly Form[]> = {
  pg: [
    {
      name: 'pg Pool of a host',
      async open({ url }, options) {
        const pool = new pg.Pool({ connectionString: url, max: 4 });
        return opened(await openConnection(pool, options), () => pool.end());
      },
    },
  ],
  mysql2: [
    {
      name: 'mysql2 pool of a host',
      async open({ url }, options) {
        const pool = mysql.createPool({ uri: mysqlUrl(url), connectionLimit: 4 });
        return opened(await openConnection(pool, options), () => pool.promise().end());
      },
    },
    {
      name: 'mysql2/promise pool of a host',
      async open({ url }, options) {
        const pool = mysqlPromise.createPool({ uri: mysqlUrl(url), connectionLimit: 4 });
        return opened(await openConnection(pool, options), () => pool.end());
      },
    },
  ],
  'better-sqlite3': [
    {
      name: 'better-sqlite3 Database of a host',
      async open({ url }, options) {
        const db = new Database(url.replace('sqlite:', ''));
        return opened(await openConnection(db, options), async () => void db.close());
      },
    },
  ],
  pglite: [
    {
      name: 'PGlite of a host',
      async open({ url }, options) {
        const db = await PGlite.create(url.replace('pglite:', ''));
        return opened(await openConnection(db, options), () => db.close());
      },
    },
  ],
};

/** Every way to a database of this engine version. */
export function formsOf(variant: Variant): readonly Form[] {
  const pooled = variant.serverUrl !== undefined && pgbouncerUrl(variant.serverUrl) !== null;
  return [own, ...(pooled ? [pooler] : []), ...hosts[variant.driver]];
}

export function mysqlUrl(url: string): string {
  return url.replace('mariadb:', 'mysql:');
}

function opened(connection: Connection, end: () => Promise<void> = async () => {}): Opened {
  return {
    connection,
    async close() {
      await connection.close();
      await end();
    },
  };
}

/** A statement written with `?`, in the placeholders of the variant's language. */
export function sql(
  variant: Pick<Variant, 'language'>,
  text: string,
  order: readonly string[] = [],
): Statement {
  let place = 0;
  const own = variant.language === 'postgres' ? text.replace(/\?/g, () => `$${++place}`) : text;
  return statement('test', own, order);
}

/** The error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('it resolved');
    },
    (error: Error) => error,
  );
}
