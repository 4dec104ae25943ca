import type { Row } from './connection.ts';

/** One statement, as node-postgres takes it. */
export interface PgQuery {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
  readonly types?: { getTypeParser(): (text: string) => string };
}

/** What node-postgres answers. */
export interface PgResult {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** The part of a client of node-postgres that is used. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult | readonly PgResult[]>;
  readonly processID?: number | null;
  /** Whether values are read in the binary form. */
  binary?: boolean;
  /** Absent before pg 8.18. */
  getTransactionStatus?(): string | null;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  removeListener(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** A client that a pool of node-postgres lent. */
export interface PgPoolClient extends PgClient {
  release(destroy?: Error | boolean): void;
  end(): Promise<void>;
}

/** The part of a `pg.Pool` that is used. */
export interface PgPool {
  connect(callback: Callback<PgPoolClient>): void;
  readonly totalCount: number;
  readonly options?: object;
}

/** The part of a prepared statement of better-sqlite3 that is used. */
export interface SqliteStatement {
  readonly reader: boolean;
  readonly readonly: boolean;
  run(...values: unknown[]): { readonly changes: number };
  all(...values: unknown[]): unknown[];
  safeIntegers(on: boolean): unknown;
}

/** The part of a better-sqlite3 `Database` that is used. */
export interface SqliteDatabase {
  readonly open: boolean;
  readonly inTransaction: boolean;
  readonly name: string;
  readonly memory: boolean;
  prepare(text: string): SqliteStatement;
  exec(text: string): unknown;
  pragma(text: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
  loadExtension(path: string): unknown;
  function(name: string, options: { deterministic: boolean }, fn: (...values: never[]) => unknown): unknown;
}

/** What PGlite answers. */
export interface PgliteResult {
  readonly rows: unknown[];
  readonly command?: string;
  readonly rowCount?: number;
}

/** The part of PGlite, and of its transaction, that runs statements. */
export interface PgliteQueries {
  query(text: string, values?: unknown[], options?: object): Promise<PgliteResult>;
  exec(text: string, options?: object): Promise<unknown>;
}

/** The part of a `PGlite` that is used. */
export interface PgliteDatabase extends PgliteQueries {
  transaction<T>(fn: (tx: PgliteQueries & { rollback(): Promise<void> }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  readonly closed: boolean;
  readonly dataDir?: string;
  readonly waitReady: Promise<void>;
  /** Absent on its transactions. */
  readonly parsers?: Readonly<Record<string, unknown>>;
  readonly serializers?: Readonly<Record<string, unknown>>;
}

/** The answer of mysql2 to a statement: rows, or a header that counts. */
export type MysqlAnswer = readonly Row[] | { readonly affectedRows: number; readonly serverStatus: number };

/** A column as mysql2 shows it to a cast. */
export interface MysqlField {
  readonly type: string;
  readonly extendedFormat?: string;
  string(encoding: string): string | null;
}

/** Node's way of handing over an answer. */
export type Callback<T> = (error: unknown, answer: T) => void;

/** The part of a connection of mysql2 (its callback form) that is used. */
export interface MysqlClient {
  readonly threadId: number;
  execute(options: object, callback: Callback<MysqlAnswer>): unknown;
  query(options: object, callback: Callback<MysqlAnswer>): unknown;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  removeListener(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  unprepare(options: string | object): unknown;
  end(callback: (error: unknown) => void): unknown;
  destroy(): void;
}

/** A connection that a pool of mysql2 lent. */
export interface MysqlPoolClient extends MysqlClient {
  release(): void;
}

/** The part of a mysql2 pool (its callback form) that is used. */
export interface MysqlPool {
  getConnection(callback: Callback<MysqlPoolClient>): void;
  execute(...args: never[]): unknown;
}

/** A pool of `mysql2/promise`, which wraps one of the callback form. */
export interface MysqlPromisePool {
  readonly pool: MysqlPool;
  getConnection(): Promise<unknown>;
}

/** The part of a knex instance that is used. */
export interface KnexInstance {
  readonly client: {
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<unknown>;
  };
  readonly isTransaction?: boolean;
  raw(...args: never[]): unknown;
  transaction(...args: never[]): unknown;
}

/** The part of the client of a Prisma interactive transaction that is used. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
}

/** The part of a PrismaClient that is used. */
export interface PrismaClient extends PrismaTransaction {
  $connect(): Promise<void>;
  $transaction<T>(fn: (tx: PrismaTransaction) => Promise<T>, options?: object): Promise<T>;
}

/** What a host may hand over instead of a URL; it is used and never closed. */
export type HostHandle =
  | PgPool
  | MysqlPool
  | MysqlPromisePool
  | SqliteDatabase
  | PgliteDatabase
  | KnexInstance
  | PrismaClient;

function has(value: object, ...methods: string[]): boolean {
  return methods.every((name) => typeof Reflect.get(value, name) === 'function');
}

export function isSqliteDatabase(value: object): value is SqliteDatabase {
  return has(value, 'prepare', 'exec', 'pragma') && typeof Reflect.get(value, 'inTransaction') === 'boolean';
}

export function isPgliteDatabase(value: object): value is PgliteDatabase {
  return has(value, 'query', 'exec', 'transaction', 'execProtocol');
}

export function isMysqlPromisePool(value: object): value is MysqlPromisePool {
  const inner: unknown = Reflect.get(value, 'pool');
  return typeof inner === 'object' && inner !== null && has(value, 'getConnection') && isMysqlPool(inner);
}

export function isMysqlPool(value: object): value is MysqlPool {
  return has(value, 'getConnection', 'execute', 'query', 'releaseConnection');
}

export function isPgPool(value: object): value is PgPool {
  return has(value, 'connect', 'query') && typeof Reflect.get(value, 'totalCount') === 'number';
}

export function isPrismaTransaction(value: object): value is PrismaTransaction {
  return has(value, '$queryRawUnsafe', '$executeRawUnsafe');
}

export function isPrismaClient(value: object): value is PrismaClient {
  return isPrismaTransaction(value) && has(value, '$connect', '$transaction');
}

export function isKnexInstance(value: object): value is KnexInstance {
  const client: unknown = Reflect.get(value, 'client');
  return (
    has(value, 'raw', 'transaction', 'destroy') &&
    typeof client === 'object' &&
    client !== null &&
    has(client, 'acquireConnection', 'releaseConnection')
  );
}
