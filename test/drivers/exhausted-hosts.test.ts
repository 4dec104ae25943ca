import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaPg } from '@prisma/adapter-pg';
import knex from 'knex';
import mysql from 'mysql2';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import type { StorageTarget } from '../../src/index.ts';
import { mariadbConfig, prismaOver } from '../schema/prisma-client.ts';
import { type Language, type Variant, variants } from '../variants.ts';
import { mysqlUrl, sql } from './forms.ts';

/** A host with one connection, which it waits for a moment at most. */
interface Small {
  readonly target: StorageTarget;
  close(): Promise<unknown>;
}

/** In ms. */
const MOMENT = 300;

function knexed(client: string, connection: string): Small {
  const database = knex({ client, connection, pool: { min: 0, max: 1 }, acquireConnectionTimeout: MOMENT });
  return { target: database, close: () => database.destroy() };
}

async function prisma(language: Language, adapter: unknown): Promise<Small> {
  const client = await prismaOver(language, adapter);
  return { target: client as unknown as StorageTarget, close: () => client.$disconnect() };
}

function mysqlPool(url: string, options: mysql.PoolOptions): Small {
  const pool = mysql.createPool({ uri: mysqlUrl(url), connectionLimit: 1, ...options });
  return { target: pool, close: () => pool.promise().end() };
}

const SMALL: Readonly<Record<string, Readonly<Record<string, (url: string) => Small | Promise<Small>>>>> = {
  postgres: {
    'pg Pool': (url) => {
      const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: MOMENT });
      return { target: pool, close: () => pool.end() };
    },
    knex: (url) => knexed('pg', url),
    PrismaClient: (url) => {
      const adapter = new PrismaPg({ connectionString: url, max: 1, connectionTimeoutMillis: MOMENT });
      return prisma('postgres', adapter);
    },
  },
  mysql: {
    'mysql2 pool that does not wait': (url) => mysqlPool(url, { waitForConnections: false }),
    'mysql2 pool with a short queue': (url) => mysqlPool(url, { queueLimit: 1 }),
    knex: (url) => knexed('mysql2', mysqlUrl(url)),
    PrismaClient: (url) => {
      const config = { ...mariadbConfig(url), connectionLimit: 1, acquireTimeout: MOMENT };
      return prisma('mysql', new PrismaMariaDb(config));
    },
  },
};

const servers = variants.filter(({ serverUrl }) => serverUrl !== undefined);
describe.each(servers)('$name: a pool of one connection, in use', (variant: Variant) => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await variant.createDatabase('exhausted'));
  });

  describe.each(Object.entries(SMALL[variant.language] ?? {}))('%s', (_, make) => {
    let host: Small;
    let db: Connection;
    beforeAll(async () => {
      host = await make(url);
      db = await openConnection(host.target as never, { pool: { acquireTimeout: 2 * MOMENT } });
    });
    afterAll(() => host.close());

    it('is an exhausted pool, to try again', async () => {
      const one = sql(variant, 'select 1 as one');
      const error = await db.transaction(async (tx) => {
        await tx.rows(one, {});
        const calls = [db.rows(one, {}), db.transaction((other) => other.rows(one, {}))];
        const ends = await Promise.allSettled(calls);
        for (const end of ends) {
          expect(end).toMatchObject({
            reason: { code: 'UNAVAILABLE', reason: 'POOL_EXHAUSTED', retryable: true },
          });
        }
        return ends;
      });
      expect(error).toHaveLength(2);
      expect(await db.rows(one, {})).toHaveLength(1);
    });
  });
});

// Ten seconds are the bound of Prisma's client on each engine, so one of them is enough.
describe.each(servers.filter(({ driver }) => driver === 'pg').slice(0, 1))(
  '$name: a PrismaClient whose pool waits for ever',
  (variant) => {
    it('is an exhausted pool where a transaction does not begin in time', async () => {
      const { url } = await variant.createDatabase('exhausted');
      const host = await prisma('postgres', new PrismaPg({ connectionString: url, max: 1 }));
      const db = await openConnection(host.target as never);
      const one = sql(variant, 'select 1 as one');
      await db.transaction(async (tx) => {
        await tx.rows(one, {});
        await expect(db.transaction((other) => other.rows(one, {}))).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          reason: 'POOL_EXHAUSTED',
          retryable: true,
          cause: { code: 'P2028' },
        });
      });
      expect(await db.transaction((tx) => tx.rows(one, {}))).toHaveLength(1);
      await host.close();
    });
  },
);
