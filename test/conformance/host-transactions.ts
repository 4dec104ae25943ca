import type { PGlite } from '@electric-sql/pglite';
import type Database from 'better-sqlite3';
import type { Connection as MysqlConnection, Pool } from 'mysql2';
import type { Pool as PromisePool } from 'mysql2/promise';
import type pg from 'pg';
import type { TransactionHandle } from '../../src/index.ts';
import type { Driver } from '../variants.ts';
import type { Host } from './hosts.ts';

/** Runs one statement of a host's own; resolves to its rows. */
export type HostQuery = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** A transaction that a host has begun. */
export interface HostTransaction {
  readonly handle: TransactionHandle;
  readonly query: HostQuery;
}

/** Runs `work` in a transaction of the host's: committed when it resolves, rolled back when it rejects. */
export type Transact = <T>(work: (tx: HostTransaction) => Promise<T>) => Promise<T>;

/** Sends `begin`, then `commit` or `rollback`, by the host's own words. */
export async function between<T>(query: HostQuery, work: () => Promise<T>): Promise<T> {
  await query('begin');
  try {
    const result = await work();
    await query('commit');
    return result;
  } catch (error) {
    await query('rollback');
    throw error;
  }
}

const onPg =
  (pool: pg.Pool): Transact =>
  async (work) => {
    const client = await pool.connect();
    const query: HostQuery = async (text) => (await client.query(text)).rows;
    try {
      return await between(query, () => work({ handle: client, query }));
    } finally {
      client.release();
    }
  };

/** The connection that is lent has the form of its pool. */
const onMysql =
  (pool: Pool | PromisePool): Transact =>
  async (work) => {
    const promised = 'promise' in pool ? pool.promise() : pool;
    const connection = await promised.getConnection();
    const query: HostQuery = async (text) => {
      const [rows] = await connection.query(text);
      return (Array.isArray(rows) ? rows : []) as Record<string, unknown>[];
    };
    const handle = 'promise' in pool ? (connection.connection as unknown as MysqlConnection) : connection;
    try {
      return await between(query, () => work({ handle, query }));
    } finally {
      connection.release();
    }
  };

const onSqlite =
  (db: Database.Database): Transact =>
  (work) => {
    const query: HostQuery = async (text) => {
      const prepared = db.prepare(text);
      if (prepared.reader) return prepared.all() as Record<string, unknown>[];
      prepared.run();
      return [];
    };
    return between(query, () => work({ handle: db, query }));
  };

const onPglite =
  (db: PGlite): Transact =>
  (work) =>
    db.transaction((tx) =>
      work({ handle: tx, query: async (text) => (await tx.query(text)).rows as Record<string, unknown>[] }),
    );

const TRANSACTS: Readonly<Record<Driver, (target: never) => Transact>> = {
  pg: onPg,
  mysql2: onMysql,
  'better-sqlite3': onSqlite,
  pglite: onPglite,
};

/** How a host begins transactions on what `hosts` opened. */
export function transacts(driver: Driver, { target }: Pick<Host, 'target'>): Transact {
  return TRANSACTS[driver](target as never);
}
