import { InvalidArgumentError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { isPgliteDatabase } from '../handles.ts';
import { notOpen } from '../not-open.ts';
import type { OpenOptions } from '../options.ts';
import { isMysqlClient, isPgClient, isSqliteHandle, type KnexTransaction } from '../transaction-handles.ts';
import type { Lent } from './connection.ts';
import { lentMysql } from './mysql.ts';
import { lentPg } from './pg.ts';
import { lentPglite } from './pglite.ts';
import { lentSqlite } from './sqlite.ts';

/** The driver's own connection under a transaction of knex: what knex itself sends goes there too. */
export async function lentKnex(trx: KnexTransaction, main: Connection, options: OpenOptions): Promise<Lent> {
  const isOpen = () => trx.isTransaction === true && !trx.isCompleted();
  if (!isOpen()) throw notOpen();
  const client = await trx.client.acquireConnection();
  const lent = await lend(client as object, main, options);
  // knex does not see what ends a transaction by itself: on MySQL any `create table` of the host does.
  return { connection: lent.connection, isOpen: async () => isOpen() && (await lent.isOpen?.()) !== false };
}

function lend(client: object, main: Connection, options: OpenOptions): Lent | Promise<Lent> {
  const kind = main.dialectName;
  if (kind === 'sqlite' && isSqliteHandle(client)) return { connection: lentSqlite(client, main, options) };
  if (kind === 'pglite' && isPgliteDatabase(client)) return lentPglite(client, main, options);
  if (kind === 'postgres' && isPgClient(client)) return lentPg(client, main, options);
  if ((kind === 'mysql' || kind === 'mariadb') && isMysqlClient(client)) {
    return lentMysql(client, main, options);
  }
  throw new InvalidArgumentError('handle', `is a knex transaction of another driver than ${kind} has here`);
}
