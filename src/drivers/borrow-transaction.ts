import { InvalidArgumentError } from '../errors.ts';
import type { Connection } from './connection.ts';
import {
  isKnexInstance,
  isMysqlPool,
  isMysqlPromisePool,
  isPgliteDatabase,
  isPgPool,
  isPrismaClient,
  isPrismaTransaction,
} from './handles.ts';
import { LentConnection } from './lent/connection.ts';
import { lentKnex } from './lent/knex.ts';
import { lentMysql } from './lent/mysql.ts';
import { lentPg } from './lent/pg.ts';
import { lentPglite } from './lent/pglite.ts';
import { checkProvider, lentPrisma } from './lent/prisma.ts';
import { lentSqlite } from './lent/sqlite.ts';
import type { OpenOptions } from './options.ts';
import {
  isKnexTransaction,
  isMysqlClient,
  isPgClient,
  isPgliteTransaction,
  isSqliteHandle,
  type TransactionHandle,
  underMysqlPromise,
} from './transaction-handles.ts';

/** What a handle is, on the storage's engine. */
type Kind = 'postgres' | 'pglite' | 'mysql' | 'sqlite';

function kindOf({ dialectName }: Connection): Kind {
  return dialectName === 'mariadb' ? 'mysql' : dialectName;
}

/**
 * A Connection on a transaction that a host has open. It never begins, commits or ends it; its own transactions are
 * savepoints. `main` is the storage's own connection: the handle must be of its engine.
 *
 * @throws InvalidArgumentError when the handle is none that is known, or of another engine
 */
export function borrowTransaction(
  handle: TransactionHandle,
  main: Connection,
  options: OpenOptions,
): Connection {
  if ((typeof handle !== 'object' && typeof handle !== 'function') || handle === null) throw unknown();
  const wanted = kindOf(main);
  const lend = (kind: Kind, connection: () => Connection): Connection => {
    if (kind === wanted) return connection();
    throw new InvalidArgumentError('handle', `is of ${kind}, and the storage is on ${main.dialectName}`);
  };
  if (isSqliteHandle(handle)) return lend('sqlite', () => lentSqlite(handle, main, options));
  if (isKnexTransaction(handle)) return new LentConnection(main, () => lentKnex(handle, main, options));
  if (isWhole(handle)) {
    throw new InvalidArgumentError(
      'handle',
      'is no transaction: give the client, connection or `tx` that has one open',
    );
  }
  if (isPrismaTransaction(handle)) {
    checkProvider(handle, main);
    return new LentConnection(main, () => lentPrisma(handle, main, options));
  }
  if (isPgliteTransaction(handle)) {
    return lend('pglite', () => new LentConnection(main, async () => lentPglite(handle, main, options)));
  }
  const mysql = underMysqlPromise(handle) ?? (isMysqlClient(handle) ? handle : undefined);
  if (mysql) return lend('mysql', () => new LentConnection(main, () => lentMysql(mysql, main, options)));
  if (isPgClient(handle)) {
    return lend('postgres', () => new LentConnection(main, () => lentPg(handle, main, options)));
  }
  throw unknown();
}

const WHOLE = [
  isPgPool,
  isMysqlPool,
  isMysqlPromisePool,
  isPgliteDatabase,
  isKnexInstance,
  isPrismaClient,
] as const;

/** Whole pools and databases have no transaction of their own. */
function isWhole(handle: object): boolean {
  return WHOLE.some((is) => is(handle));
}

function unknown(): InvalidArgumentError {
  return new InvalidArgumentError(
    'handle',
    'is none of: a pg client, a mysql2 connection, a better-sqlite3 Database, a PGlite transaction, ' +
      'a knex transaction, the client of a Prisma interactive transaction',
  );
}
