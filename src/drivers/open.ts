import { InvalidArgumentError, UnsupportedError } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Driver } from './driver.ts';
import {
  type HostHandle,
  isKnexInstance,
  isMysqlPool,
  isMysqlPromisePool,
  isPgliteDatabase,
  isPgPool,
  isPrismaClient,
  isSqliteDatabase,
} from './handles.ts';
import type { Config, OpenOptions } from './options.ts';
import { PooledConnection } from './pooled-connection.ts';
import { parseTarget, type ServerTarget, type Target } from './target.ts';

/**
 * Opens a URL, a path of a SQLite file, a {@link Config}, or takes what a host has: a pg Pool, a mysql2 pool
 * (callback or promise form), a better-sqlite3 Database, a PGlite, a knex instance, a PrismaClient. What a host lent
 * is used and never closed. Connects before it resolves, so that a dead server is known here.
 *
 * @throws InvalidArgumentError (BAD_URL, USAGE), UnsupportedError (DRIVER_MISSING), UnavailableError
 * (CONNECT_REFUSED, CONNECT_TIMEOUT, AUTH_FAILED, TLS_FAILED, READ_ONLY, …)
 */
export async function openConnection(
  target: string | Config | HostHandle,
  options: OpenOptions = {},
): Promise<Connection> {
  // A knex instance is a function.
  if (target === null || !['string', 'object', 'function'].includes(typeof target)) throw notATarget();
  if (typeof target === 'string' || isConfig(target)) {
    const parsed = parseTarget(target, options.onWarning);
    checkOptions(parsed.kind, options);
    return openTarget(parsed, options);
  }
  return borrow(target, options);
}

function isConfig(target: Config | HostHandle): target is Config {
  return 'backend' in target && 'dsn' in target;
}

function checkOptions(kind: Target['kind'], options: OpenOptions): void {
  if (options.statementTimeout === undefined) return;
  if (!Number.isSafeInteger(options.statementTimeout) || options.statementTimeout < 1) {
    throw new InvalidArgumentError('statementTimeout', 'must be a whole number of milliseconds above 0', {
      reason: 'USAGE',
    });
  }
  if (kind === 'sqlite' || kind === 'pglite') {
    throw new InvalidArgumentError('statementTimeout', `${kind} cannot stop a statement`, {
      reason: 'USAGE',
    });
  }
}

function connection<C>(driver: Driver<C>, options: OpenOptions): Connection {
  return new PooledConnection(driver, options.onStatement);
}

async function openTarget(target: Target, options: OpenOptions): Promise<Connection> {
  switch (target.kind) {
    case 'sqlite': {
      const { default: Database } = await load('better-sqlite3', () => import('better-sqlite3'));
      const { openSqlite } = await import('./sqlite-open.ts');
      await findSqliteVec();
      return connection(await openSqlite(Database, target, options), options);
    }
    case 'pglite':
      return openPglite(target.dir, options);
    default:
      return target.kind === 'postgres' ? openPg(target, options) : openMysql(target, options);
  }
}

async function openPg(target: ServerTarget, options: OpenOptions): Promise<Connection> {
  const { default: pg } = await load('pg', () => import('pg'));
  const { openPostgres } = await import('./pg-open.ts');
  return connection(await openPostgres(pg.Client, target, options), options);
}

async function openMysql(target: ServerTarget, options: OpenOptions): Promise<Connection> {
  const { default: mysql } = await load('mysql2', () => import('mysql2'));
  const { openMysql2 } = await import('./mysql2-open.ts');
  return connection(await openMysql2(mysql.createConnection, target, options), options);
}

async function openPglite(dir: string | undefined, options: OpenOptions): Promise<Connection> {
  const { PGlite } = await load('@electric-sql/pglite', () => import('@electric-sql/pglite'));
  const { openPgliteDir } = await import('./pglite-open.ts');
  const { connectTimeout = 10_000, folderWait = { lockTimeout: connectTimeout } } = options;
  return connection(await openPgliteDir(PGlite, await pgvector(), dir, folderWait), options);
}

/** Looked for whenever a SQLite database is opened or lent: on a host's transaction nothing can be waited for. */
async function findSqliteVec(): Promise<void> {
  try {
    const { getLoadablePath } = await import('sqlite-vec');
    (await import('./sqlite-vec.ts')).sqliteVecIsAt(getLoadablePath);
  } catch (error) {
    if (!isMissing(error, 'sqlite-vec')) throw error;
  }
}

/** Loaded whenever it is there: a later `create extension` cannot load it. */
async function pgvector(): Promise<Record<string, object>> {
  try {
    const { vector } = await import('@electric-sql/pglite-pgvector');
    return { vector };
  } catch (error) {
    if (isMissing(error, '@electric-sql/pglite-pgvector')) return {};
    throw error;
  }
}

async function borrow(handle: HostHandle, options: OpenOptions): Promise<Connection> {
  if (isKnexInstance(handle)) {
    if (handle.isTransaction) throw notATarget();
    await findSqliteVec();
    return (await import('./knex-open.ts')).borrowKnex(handle, options);
  }
  if (isPrismaClient(handle)) return (await import('./prisma-open.ts')).borrowPrisma(handle, options);
  if (isSqliteDatabase(handle)) {
    checkOptions('sqlite', options);
    await findSqliteVec();
    const { BorrowedSqliteDriver } = await import('./sqlite-borrowed.ts');
    return connection(new BorrowedSqliteDriver(handle), options);
  }
  if (isPgliteDatabase(handle)) {
    checkOptions('pglite', options);
    return connection(await (await import('./pglite-open.ts')).borrowPglite(handle), options);
  }
  checkOptions('postgres', options);
  if (isMysqlPromisePool(handle)) return borrowMysql(handle.pool, options);
  if (isMysqlPool(handle)) return borrowMysql(handle, options);
  if (!isPgPool(handle)) throw notATarget();
  return connection(await (await import('./pg-open.ts')).borrowPostgres(handle, options), options);
}

function notATarget(): InvalidArgumentError {
  return new InvalidArgumentError(
    'target',
    'is no URL, no Config, and none of: a pg Pool, a mysql2 pool, a better-sqlite3 Database, a PGlite, ' +
      'a knex instance, a PrismaClient',
    { reason: 'USAGE' },
  );
}

async function borrowMysql(
  pool: Parameters<typeof import('./mysql2-open.ts').borrowMysql2>[0],
  options: OpenOptions,
): Promise<Connection> {
  return connection(await (await import('./mysql2-open.ts')).borrowMysql2(pool, options), options);
}

async function load<T>(name: string, importer: () => Promise<T>): Promise<T> {
  try {
    return await importer();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new UnsupportedError(`this target needs the package ${name}, which is not installed`, {
      cause,
      reason: 'DRIVER_MISSING',
      hint: `run \`npm install ${name}\``,
    });
  }
}

/** Missing is the package itself, not something that it in turn imports. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && error.message.includes(`'${name}'`);
}
