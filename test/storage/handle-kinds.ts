import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2';
import mysqlPromise from 'mysql2/promise';
import pg from 'pg';
import { type HostQuery, transacts } from '../conformance/host-transactions.ts';
import { mysqlUrl } from '../drivers/forms.ts';
import { type Driver, pgbouncerUrl, type Variant } from '../variants.ts';
import { type HandleKind, MANY } from './open-host.ts';
import { queryBuilders, rowsOf } from './query-builders.ts';

const pgClient: HandleKind = {
  name: 'pg client',
  idles: true,
  open: async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: MANY });
    return {
      transact: transacts('pg', { target: pool }),
      target: url,
      whole: pool,
      idle: async () => {
        const client = await pool.connect();
        return {
          handle: client,
          query: async (text) => (await client.query(text)).rows,
          done: async () => client.release(),
        };
      },
      close: () => pool.end(),
    };
  },
};

const throughPgbouncer: HandleKind = {
  ...pgClient,
  name: 'pg client through PgBouncer',
  open: async (url) => ({ ...(await pgClient.open(pgbouncerUrl(url) ?? '')), target: url }),
};

function asked(connection: mysqlPromise.Connection): HostQuery {
  return async (text) => rowsOf(await connection.query(text));
}

const mysqlConnection: HandleKind = {
  name: 'mysql2 connection',
  idles: true,
  open: async (url) => {
    const pool = mysql.createPool({ uri: mysqlUrl(url), connectionLimit: MANY });
    return {
      transact: transacts('mysql2', { target: pool }),
      target: url,
      whole: pool,
      idle: async () => {
        const connection = await pool.promise().getConnection();
        const handle = connection.connection as unknown as mysql.PoolConnection;
        return { handle, query: asked(connection), done: async () => connection.release() };
      },
      close: () => pool.promise().end(),
    };
  },
};

const mysqlPromiseConnection: HandleKind = {
  name: 'mysql2/promise connection',
  idles: true,
  open: async (url) => {
    const pool = mysqlPromise.createPool({ uri: mysqlUrl(url), connectionLimit: MANY });
    return {
      transact: transacts('mysql2', { target: pool }),
      target: url,
      whole: pool,
      idle: async () => {
        const connection = await pool.getConnection();
        return { handle: connection, query: asked(connection), done: async () => connection.release() };
      },
      close: () => pool.end(),
    };
  },
};

const sqliteDatabase: HandleKind = {
  name: 'better-sqlite3 Database',
  idles: true,
  open: async (url) => {
    const db = new Database(url.slice('sqlite:'.length));
    return {
      transact: transacts('better-sqlite3', { target: db }),
      target: url,
      whole: { prepare: db.prepare },
      idle: async () => ({
        handle: db,
        query: async (text) => {
          db.exec(text);
          return [];
        },
        done: async () => {},
      }),
      close: async () => void db.close(),
    };
  },
};

const pgliteTransaction: HandleKind = {
  name: 'PGlite transaction',
  idles: false,
  open: async (url) => {
    const db = await PGlite.create(url.slice('pglite:'.length));
    return {
      transact: transacts('pglite', { target: db }),
      target: db,
      whole: db,
      close: () => db.close(),
    };
  },
};

/** Every kind of handle that there is on an engine. */
export function handleKinds(variant: Variant): readonly HandleKind[] {
  const { driver } = variant;
  const own: Readonly<Record<Driver, readonly HandleKind[]>> = {
    pg: [pgClient],
    mysql2: [mysqlConnection, mysqlPromiseConnection],
    'better-sqlite3': [sqliteDatabase],
    pglite: [pgliteTransaction],
  };
  const pooled = variant.serverUrl !== undefined && pgbouncerUrl(variant.serverUrl) !== null;
  const more = pooled ? [throughPgbouncer] : [];
  return [...own[driver], ...more, ...queryBuilders(variant)];
}
