import { InvalidArgumentError } from '../errors.ts';
import { SqliteDriver } from './better-sqlite3.ts';
import type { Connection } from './connection.ts';
import type { Driver } from './driver.ts';
import {
  isPgliteDatabase,
  type KnexInstance,
  type MysqlClient,
  type PgClient,
  type PgliteDatabase,
  type SqliteDatabase,
} from './handles.ts';
import { KnexClients } from './knex-clients.ts';
import { borrowMysqlSource } from './mysql2-open.ts';
import type { OpenOptions } from './options.ts';
import { borrowPgSource } from './pg-open.ts';
import { PgliteDriver } from './pglite.ts';
import { facts as pgliteFacts } from './pglite-open.ts';
import { PooledConnection } from './pooled-connection.ts';
import { lentFacts } from './sqlite-open.ts';
import { isMysqlClient, isPgClient, isSqliteHandle } from './transaction-handles.ts';

const DESCRIBED = "the host's knex instance";

/** Takes a host's knex instance: its pool, and under it the driver's own connections. */
export async function borrowKnex(knex: KnexInstance, options: OpenOptions): Promise<Connection> {
  const client = (await knex.client.acquireConnection()) as object;
  await knex.client.releaseConnection(client);
  const over = <C>(driver: Driver<C>): Connection => new PooledConnection(driver, options.onStatement);
  if (isSqliteHandle(client)) {
    const server = lentFacts(client, `sqlite:${client.name}`);
    return over(new SqliteDriver(server, () => new KnexClients<SqliteDatabase>(knex)));
  }
  if (isPgliteDatabase(client)) {
    const server = await pgliteFacts(client, DESCRIBED, client.dataDir ?? 'memory');
    return over(new PgliteDriver(server, new KnexClients<PgliteDatabase>(knex)));
  }
  if (isMysqlClient(client)) {
    return over(await borrowMysqlSource(new KnexClients<MysqlClient>(knex), DESCRIBED, options));
  }
  if (isPgClient(client)) {
    return over(await borrowPgSource(new KnexClients<PgClient>(knex), DESCRIBED, options));
  }
  throw new InvalidArgumentError(
    'target',
    'is a knex instance over none of the drivers pg, mysql2, better-sqlite3 and PGlite',
    { reason: 'USAGE' },
  );
}
