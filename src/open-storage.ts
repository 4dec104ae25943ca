import type { Storage } from './contract.ts';
import { borrowTransaction } from './drivers/borrow-transaction.ts';
import type { Connection } from './drivers/connection.ts';
import type { HostHandle } from './drivers/handles.ts';
import { openConnection } from './drivers/open.ts';
import type { Config, OpenOptions } from './drivers/options.ts';
import { UnsupportedError } from './errors.ts';
import { Ledger } from './ledger.ts';
import { checkNames, checkPlain, checkSchema, checkSwitch, type Names } from './model/check.ts';
import { RetryingConnection } from './repositories/retry.ts';
import { type Dialect, dialectFor } from './sql/dialect.ts';
import { statement } from './sql/statement.ts';
import { LedgerStorage, type Shared } from './storage.ts';
import { vectorEngine } from './vector/engines.ts';
import { Vectors } from './vector/vectors.ts';
import { WriteGuard } from './write-guard.ts';

/**
 * Where the ledger is: a URL (`sqlite:PATH`, `sqlite::memory:`, `file:PATH`, `postgres://`, `postgresql://`,
 * `mysql://`, `mariadb://`, `pglite:DIR`, `pglite:memory`), a path that ends in `.db`, `.sqlite` or `.sqlite3`, a
 * {@link Config}, or what a host has already: a pg Pool, a mysql2 pool, a better-sqlite3 Database, a PGlite.
 */
export type StorageTarget = string | Config | HostHandle;

/** How a storage is opened. Times in milliseconds. */
export interface StorageOptions
  extends Pick<
    OpenOptions,
    | 'pool'
    | 'connectTimeout'
    | 'statementTimeout'
    | 'prepare'
    | 'synchronous'
    | 'ssl'
    | 'applicationName'
    | 'onStatement'
    | 'onWarning'
  > {
  /** Postgres and PGlite: the schema of our tables. Default `chronos`. */
  readonly schema?: string;
  /** Refuse a call that names no tenant, instead of taking `default`. Default false. */
  readonly requireTenant?: boolean;
  /** Whether single appends may share statements. Accepted already; it makes no difference yet. Default true. */
  readonly coalesce?: boolean;
  /** Postgres: bind each call to the tenant's rows by row-level security. Only false works yet. Default false. */
  readonly rowLevelSecurity?: boolean;
}

async function rowBytesOf(connection: Connection, { rowBytes }: Dialect): Promise<number> {
  if (typeof rowBytes === 'number') return rowBytes;
  if (connection.server.maxPacket !== undefined) return connection.server.maxPacket;
  const [row] = await connection.rows(statement('limits', rowBytes), {});
  return Number(row?.bytes);
}

/**
 * Opens a ledger. Connects before it resolves; the tables must be there, or are made by `storage.migrate()` or
 * `npx chronos-migrate up`.
 *
 * @throws InvalidArgumentError when target or options can never work, UnsupportedError when the driver's package is
 * not installed or `rowLevelSecurity` is asked for, UnavailableError when the database cannot be reached.
 *
 * @example
 * ```ts
 * const storage = await openStorage('sqlite:./chronos.db');
 * await storage.migrate();
 * await storage.createSession({ id: newId(), agentId: 'support', status: 'running' });
 * await storage.close();
 * ```
 */
export async function openStorage(target: StorageTarget, options: StorageOptions = {}): Promise<Storage> {
  return new LedgerStorage(await openShared(target, options));
}

const USAGE = { reason: 'USAGE' } as const;
const OPTIONS: Names<StorageOptions> = {
  pool: true,
  connectTimeout: true,
  statementTimeout: true,
  prepare: true,
  synchronous: true,
  ssl: true,
  applicationName: true,
  onStatement: true,
  onWarning: true,
  schema: true,
  requireTenant: true,
  coalesce: true,
  rowLevelSecurity: true,
};
const POOL: Names<NonNullable<StorageOptions['pool']>> = {
  max: true,
  idleTimeout: true,
  acquireTimeout: true,
};
const SSL: Names<NonNullable<StorageOptions['ssl']>> = { ca: true, cert: true, key: true };

function checkOpening(options: StorageOptions): void {
  checkNames('', checkPlain('options', options), OPTIONS, USAGE);
  if (options.pool !== undefined) checkNames('pool', checkPlain('pool', options.pool), POOL, USAGE);
  if (options.ssl !== undefined) checkNames('ssl', checkPlain('ssl', options.ssl), SSL, USAGE);
  checkSwitch('requireTenant', options.requireTenant);
  checkSwitch('coalesce', options.coalesce);
  if (checkSwitch('rowLevelSecurity', options.rowLevelSecurity)) {
    throw new UnsupportedError('rowLevelSecurity: the storage does not set the tenant for the policies yet');
  }
}

/** What a storage, or a store of vectors alone, stands on. */
export async function openShared(target: StorageTarget, options: StorageOptions): Promise<Shared> {
  checkOpening(options);
  const schema = checkSchema(options.schema ?? 'chronos');
  const connection = await openConnection(target, options);
  try {
    const dialect = await dialectFor(connection.dialectName, schema);
    const maxBytes = await rowBytesOf(connection, dialect);
    const engine = vectorEngine(dialect);
    return {
      schema,
      requireTenant: options.requireTenant ?? false,
      ledger: new Ledger({ dialect, maxBytes }),
      connection: new RetryingConnection(connection),
      plain: connection,
      scope: { ended: false },
      inside: false,
      borrow: (handle) => borrowTransaction(handle, connection, options),
      inFlight: new Set(),
      guard: new WriteGuard(connection, schema),
      engine,
      vectors: engine && new Vectors(engine, false),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
