import type { Knex } from 'knex';
import type { Connection } from '../drivers/connection.ts';
import type { DialectName } from '../sql/dialect-name.ts';

/** What a migration in JavaScript or TypeScript exports. */
export interface CodeMigration {
  up(context: CodeContext): unknown;
  /** Absent = irreversible. */
  down?(context: CodeContext): unknown;
  /** Any text that changes when the code does; absent = changes of the code go unseen. */
  readonly checksum?: string;
}

/** What a code migration is given. */
export interface CodeContext {
  /**
   * A query builder on the migration's own transaction; a `transaction` of it is a savepoint. On MySQL and MariaDB it
   * is on the migration's session, where structure commits by itself, and a `transaction` is a real one.
   */
  readonly knex: Knex;
  /** `postgres`, `pglite`, `mysql`, `mariadb` or `sqlite`. */
  readonly dialect: DialectName;
  /** Given when the migration is to stop. */
  readonly signal?: AbortSignal;
}

/** Shorter than what a server lets a holder of the lock be idle (ms). */
const PING = 5_000;

const CLIENTS: Readonly<Record<DialectName, string>> = {
  postgres: 'pg',
  pglite: 'pg',
  mysql: 'mysql2',
  mariadb: 'mysql2',
  sqlite: 'better-sqlite3',
};

/** What is replaced in a client of knex. */
interface Parts {
  acquireConnection(): Promise<unknown>;
  releaseConnection(): Promise<void>;
  transaction(container: unknown, config: unknown, outer: unknown): unknown;
  _query(client: PgliteQueries, query: KnexQuery): Promise<KnexQuery>;
}

interface KnexQuery {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
}

interface PgliteQueries {
  query(sql: string, bindings: readonly unknown[]): Promise<{ affectedRows?: number; rowCount?: number }>;
  exec(sql: string): Promise<readonly object[]>;
}

/** Runs one side of a code migration on a session or transaction of ours. */
export async function runCode(
  on: Connection,
  code: (context: CodeContext) => unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { dialectName: dialect, native } = on;
  if (native === undefined) throw new Error('a code migration runs in a session');
  // By its default: Node finds no other names in knex's CommonJS, whatever its types say.
  const { default: knexOf } = await import('knex');
  const options = signal === undefined ? {} : { signal };
  await native.call(
    on,
    async (client) => {
      const knex = knexOf({ client: CLIENTS[dialect], useNullAsDefault: dialect === 'sqlite' });
      lead(knex, dialect, client);
      // The server ends a holder of the lock that says nothing, and code may compute for longer.
      const timer = setInterval(() => void knex.raw('select 1').catch(() => undefined), PING);
      try {
        await code({ knex, dialect, ...options });
      } finally {
        clearInterval(timer);
      }
    },
    options,
  );
}

/** Makes all that knex sends go to this client. */
function lead(knex: Knex, dialect: DialectName, client: unknown): void {
  const parts: Parts = knex.client;
  parts.acquireConnection = async () => client;
  parts.releaseConnection = async () => {};
  if (dialect === 'pglite') parts._query = pgliteQuery;
  if (dialect === 'mysql' || dialect === 'mariadb') return;
  // What begins inside a transaction is a savepoint, which knex makes of whatever has an outer one.
  const outermost = { _lastChild: Promise.resolve(), isCompleted: () => false };
  const begin = parts.transaction;
  parts.transaction = (container, config, outer) => begin.call(parts, container, config, outer ?? outermost);
}

/** In the form that knex expects of node-postgres. */
async function pgliteQuery(client: PgliteQueries, query: KnexQuery): Promise<KnexQuery> {
  const { sql, bindings = [] } = query;
  const result = bindings.length === 0 ? (await client.exec(sql)).at(-1) : await client.query(sql, bindings);
  const { affectedRows, rowCount = affectedRows } = (result ?? {}) as {
    affectedRows?: number;
    rowCount?: number;
  };
  query.response = { rows: [], ...result, rowCount };
  return query;
}
