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
  transacting: boolean;
  acquireConnection(): Promise<unknown>;
  releaseConnection(): Promise<void>;
  transaction(container: unknown, config: unknown, outer: unknown): unknown;
}

interface PgliteResult {
  readonly affectedRows?: number;
  readonly rowCount?: number;
}

interface PgliteQueries {
  query(sql: string, values: readonly unknown[]): Promise<PgliteResult>;
  exec(sql: string): Promise<readonly PgliteResult[]>;
}

/** Runs one side of a code migration on a session or transaction of ours. */
export async function runCode(
  on: Connection,
  code: (context: CodeContext) => unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const dialect = on.dialectName;
  if (on.native === undefined) throw new Error('a code migration runs in a session');
  // By its default: Node finds no other names in knex's CommonJS, whatever its types say.
  const { default: knexOf } = await import('knex');
  const options = signal === undefined ? {} : { signal };
  await on.native(async (client) => {
    const knex = knexOf({ client: CLIENTS[dialect], useNullAsDefault: dialect === 'sqlite' });
    lead(knex, dialect, client);
    // The server ends a holder of the lock that says nothing, and code may compute for longer.
    const timer = setInterval(() => void knex.raw('select 1').catch(() => undefined), PING);
    try {
      await code({ knex, dialect, ...options });
    } finally {
      clearInterval(timer);
    }
  }, options);
}

/** Makes all that knex sends go to this client. */
function lead(knex: Knex, dialect: DialectName, client: unknown): void {
  const parts: Parts = knex.client;
  const connection = dialect === 'pglite' ? asPgClient(client as PgliteQueries) : client;
  parts.acquireConnection = async () => connection;
  parts.releaseConnection = async () => {};
  if (dialect === 'mysql' || dialect === 'mariadb') return;
  // What begins inside a transaction is a savepoint, and siblings wait for each other where they have one parent.
  parts.transacting = true;
  const outermost = { _lastChild: Promise.resolve(), isCompleted: () => false };
  const begin = parts.transaction;
  parts.transaction = (container, config, outer) => begin.call(parts, container, config, outer ?? outermost);
}

/** PGlite with the one method of node-postgres that knex calls. */
function asPgClient(client: PgliteQueries): object {
  return {
    query({ text, values }: { text: string; values: readonly unknown[] }, done: Done): void {
      const sent =
        values.length === 0 ? client.exec(text).then((all) => all.at(-1)) : client.query(text, values);
      sent.then(
        (result) => done(null, { rows: [], ...result, rowCount: result?.rowCount ?? result?.affectedRows }),
        (error) => done(error),
      );
    },
  };
}

type Done = (error: unknown, result?: object) => void;
