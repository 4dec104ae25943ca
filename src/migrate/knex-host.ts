import type { Knex } from 'knex';
import type { Connection } from '../drivers/connection.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import { heeding } from './heeding.ts';
import { keepSent } from './text/sent.ts';
import { thrownByCode } from './thrown-by-code.ts';

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

/** What stops code, and who hears of code that does not stop. */
export interface Stopping {
  readonly signal?: AbortSignal | undefined;
  readonly onDeaf: (afterMs: number) => void;
}

/**
 * Runs one side of a code migration on a session or transaction of ours. What it throws, if no database did, rejects
 * as a {@link CodeError}.
 */
export async function runCode(
  on: Connection,
  code: (context: CodeContext) => unknown,
  { signal, onDeaf }: Stopping,
): Promise<void> {
  const dialect = on.dialectName;
  if (on.native === undefined) throw new Error('a code migration runs in a session');
  // By its default: Node finds no other names in knex's CommonJS, whatever its types say.
  const { default: knexOf } = await import('knex');
  const options = signal === undefined ? {} : { signal };
  await on.native(async (client) => {
    const knex = knexOf({
      client: CLIENTS[dialect],
      useNullAsDefault: dialect === 'sqlite',
      // Else it writes what was bound into the message of an error.
      compileSqlOnError: false,
    });
    const gate: Gate = {};
    const answers: Error[] = [];
    lead(knex, dialect, through(gate, dialect === 'pglite' ? asPgClient(client as PgliteQueries) : client));
    knex.on('query-error', (error, sent) => answers.push(kept(error, sent)));
    // The server ends a holder of the lock that says nothing, and code may compute for longer.
    const timer = setInterval(() => void knex.raw('select 1').catch(() => undefined), PING);
    try {
      await heeding(
        signal,
        () => code({ knex, dialect, ...options }),
        (afterMs) => {
          // What it sends later must not reach what comes after the rollback.
          gate.shut = 'the migration was given up';
          onDeaf(afterMs);
        },
      );
    } catch (thrown) {
      throw thrownByCode(thrown, { dialect, answers });
    } finally {
      clearInterval(timer);
      // What was not awaited would land in the next migration, or after a rollback of this one.
      gate.shut ??= 'the migration has ended: await all that it sends';
    }
  }, options);
}

/** Makes all that knex sends go to this client. */
function lead(knex: Knex, dialect: DialectName, connection: unknown): void {
  const parts: Parts = knex.client;
  parts.acquireConnection = async () => connection;
  parts.releaseConnection = async () => {};
  if (dialect === 'mysql' || dialect === 'mariadb') return;
  // What begins inside a transaction is a savepoint, and siblings wait for each other where they have one parent.
  parts.transacting = true;
  const outermost = { _lastChild: Promise.resolve(), isCompleted: () => false };
  const begin = parts.transaction;
  parts.transaction = (container, config, outer) => begin.call(parts, container, config, outer ?? outermost);
}

/** Shut with a reason when a migration may send nothing any more. */
interface Gate {
  shut?: string;
}

/** A client that does nothing any more once the gate is shut. */
function through(gate: Readonly<Gate>, client: unknown): unknown {
  return new Proxy(client as object, {
    get(target, name) {
      if (gate.shut !== undefined) throw new Error(`${gate.shut}: nothing is sent any more`);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Keeps with an error of the database what knex had sent, and the message as it was before knex wrote that into it. */
function kept(error: Error, { sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }): Error {
  const before = `${sql} - `;
  const { message } = error;
  keepSent(error, {
    sql,
    values: bindings.filter((value) => typeof value === 'string'),
    message: message.startsWith(before) ? message.slice(before.length) : message,
  });
  return error;
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
