import {
  isSqliteDatabase,
  type MysqlClient,
  type PgClient,
  type PgliteQueries,
  type PrismaTransaction,
  type SqliteDatabase,
} from './handles.ts';

/** A connection of mysql2 in its promise form. It wraps one of the callback form, which its types do not tell. */
export interface MysqlPromiseClient {
  readonly threadId: number;
  beginTransaction(): Promise<void>;
  execute(...args: never[]): unknown;
}

/** The part of a PGlite transaction that is used. */
export interface PgliteTransaction extends PgliteQueries {
  rollback(): Promise<void>;
  readonly closed: boolean;
}

/** The part of a knex transaction that is used. */
export interface KnexTransaction {
  readonly isTransaction?: boolean;
  readonly client: {
    readonly driverName?: string;
    acquireConnection(): Promise<unknown>;
  };
  isCompleted(): boolean;
}

/** A transaction that a host has open, lent to `storage.using`. */
export type TransactionHandle =
  | PgClient
  | MysqlClient
  | MysqlPromiseClient
  | SqliteDatabase
  | PgliteTransaction
  | KnexTransaction
  | PrismaTransaction;

function has(value: object, ...methods: string[]): boolean {
  return methods.every((name) => typeof Reflect.get(value, name) === 'function');
}

export function isSqliteHandle(value: object): value is SqliteDatabase {
  return isSqliteDatabase(value);
}

export function isKnexTransaction(value: object): value is KnexTransaction {
  const client: unknown = Reflect.get(value, 'client');
  return (
    has(value, 'isCompleted', 'raw') &&
    typeof client === 'object' &&
    client !== null &&
    has(client, 'acquireConnection')
  );
}

export function isPgliteTransaction(value: object): value is PgliteTransaction {
  return has(value, 'query', 'exec', 'rollback');
}

/** The connection of the callback form under one of the promise form. */
export function underMysqlPromise(value: object): MysqlClient | undefined {
  const inner: unknown = Reflect.get(value, 'connection');
  if (typeof inner !== 'object' || inner === null) return undefined;
  return has(value, 'execute') && isMysqlClient(inner) ? inner : undefined;
}

export function isMysqlClient(value: object): value is MysqlClient {
  return has(value, 'execute', 'query', 'unprepare') && typeof Reflect.get(value, 'threadId') === 'number';
}

export function isPgClient(value: object): value is PgClient {
  return has(value, 'query', 'on', 'removeListener') && 'processID' in value;
}
