import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import knex, { type Knex } from 'knex';
import type { StorageTarget } from '../../src/index.ts';
import { mysqlUrl } from '../drivers/forms.ts';
import { DIALECTS } from '../schema/dialects.ts';
import { prismaClient } from '../schema/prisma-client.ts';
import type { Driver, Variant } from '../variants.ts';
import { PgliteDialect } from './knex-pglite.ts';
import { type HandleKind, MANY, type OpenHost } from './open-host.ts';

/** The rows in what a driver answers. */
export function rowsOf(answer: unknown): Record<string, unknown>[] {
  // pg and PGlite answer an object, mysql2 a pair, better-sqlite3 the rows.
  if (!Array.isArray(answer)) return (answer as { rows?: Record<string, unknown>[] }).rows ?? [];
  return (Array.isArray(answer[0]) ? answer[0] : answer) as Record<string, unknown>[];
}

function knexHost(
  database: Knex,
  target: StorageTarget,
  end: () => Promise<void> = async () => {},
): OpenHost {
  return {
    transact: (work) =>
      database.transaction((trx) =>
        work({ handle: trx, query: async (text) => rowsOf(await trx.raw(text)) }),
      ),
    target,
    whole: database,
    close: async () => {
      await database.destroy();
      await end();
    },
  };
}

const pool = { min: 0, max: MANY };

const KNEX: Readonly<Record<Driver, HandleKind['open']>> = {
  pg: async (url) => knexHost(knex({ client: 'pg', connection: url, pool }), url),
  mysql2: async (url) => knexHost(knex({ client: 'mysql2', connection: mysqlUrl(url), pool }), url),
  'better-sqlite3': async (url) => {
    const connection = { filename: url.slice('sqlite:'.length) };
    return knexHost(knex({ client: 'better-sqlite3', connection, useNullAsDefault: true }), url);
  },
  pglite: async (url) => {
    const db = await PGlite.create(url.slice('pglite:'.length), { extensions: { vector } });
    const database = knex({
      client: PgliteDialect as unknown as typeof knex.Client,
      connection: { db } as object,
      pool: { min: 0, max: 1 },
    });
    return knexHost(database, db, () => db.close());
  },
};

/** What these tests call of a generated client. */
interface Prisma {
  $transaction<T>(work: (tx: PrismaTx) => Promise<T>, options: object): Promise<T>;
  $disconnect(): Promise<void>;
}

interface PrismaTx {
  $queryRawUnsafe(text: string): Promise<unknown>;
  $executeRawUnsafe(text: string): Promise<number>;
}

const prisma = ({ name, language }: Variant): HandleKind => ({
  name: 'Prisma transaction',
  idles: false,
  open: async (url) => {
    const client = (await prismaClient(language, DIALECTS[name], url)) as unknown as Prisma;
    return {
      transact: (work) =>
        client.$transaction(
          (tx) =>
            work({
              handle: tx,
              query: async (text) => {
                if (text.startsWith('select')) return rowsOf(await tx.$queryRawUnsafe(text));
                await tx.$executeRawUnsafe(text);
                return [];
              },
            }),
          { maxWait: 60_000, timeout: 60_000 },
        ),
      target: language === 'postgres' && url.startsWith('pglite:') ? (client as never) : url,
      whole: client,
      close: () => client.$disconnect(),
    };
  },
});

/** Transactions of knex and of Prisma, over the driver of an engine. */
export function queryBuilders(variant: Variant): readonly HandleKind[] {
  const knexed = { name: 'knex transaction', idles: false, open: KNEX[variant.driver] };
  return [knexed, prisma(variant)];
}
