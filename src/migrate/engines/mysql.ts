import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted, type Taken, whenFree } from '../../drivers/when-free.ts';
import { ChronosError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { OURS } from '../files.ts';
import { Log, type LogRow } from '../log.ts';
import type { Step } from '../plan.ts';
import { type SqlStatement, split } from '../split.ts';
import { type Place, type StepFailure, stepFailure } from '../step-failure.ts';
import type { LogEntry, Migration } from '../types.ts';
import { type EngineOptions, type MigrationEngine, rowOf, type StepVerbs, type Turn } from './engine.ts';
import { asFailure, halfDone, isHalfDone } from './half-done.ts';
import { MysqlLock } from './mysql-lock.ts';
import { type SessionBefore, sessionBefore, settle } from './mysql-session.ts';
import { filled } from './placeholders.ts';
import { rowsIn } from './rows-in.ts';

/** Statements that commit together with their row of the log; all others commit by themselves. */
const DML = /^(insert|update|delete|replace|with|select)\b/i;
/** Statements that may have committed some of their work when they fail: routines, and code in comments. */
const PIECEMEAL = /^(call|begin|execute|\/\*)/i;
/** MariaDB drops what it finds of a list, and fails. */
const DROP_LIST = /^drop\b.*,/is;
/** A row owed to the log waits no longer than this for the lock. */
const RECORD_TIMEOUT = 5000;

/** What `KILL QUERY` answers: the statement was stopped and left nothing. */
const QUERY_INTERRUPTED = 1317;

/** One use of the lock. */
interface Session {
  readonly connection: Connection;
  /** How it was before a host's statement ran there; undefined until one does. */
  before?: SessionBefore;
  /** Whether the statement may have committed some of its work when it fails. */
  piecemeal?: boolean;
  /** A row that could not be logged there, since the signal had ended the session. */
  owed?: LogRow;
}

/**
 * MySQL and MariaDB: DDL commits by itself, so a file's beginning and its end are logged around it, all on
 * the connection that holds a named lock. A killed client's statement runs on in the server, and the lock
 * stays until it ends.
 */
export class MysqlEngine implements MigrationEngine {
  readonly dialectName: DialectName;
  readonly version: string;
  readonly target: string;
  readonly #connection: Connection;
  readonly #options: EngineOptions;
  readonly #log: Log;
  readonly #lock: MysqlLock;

  constructor(connection: Connection, options: EngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.dialectName = connection.dialectName;
    this.version = connection.server.version;
    this.target = connection.server.target;
    this.#log = new Log(connection, '', '');
    this.#lock = new MysqlLock(connection.server.database, options);
  }

  get connection(): Connection {
    return this.#connection;
  }

  log(): Promise<readonly LogEntry[]> {
    return this.#log.read(this.#connection);
  }

  sql(step: Step): string {
    return filled(step, this.dialectName, '');
  }

  /** The built-in files may be run again from their start; a host's may not. */
  rerunnable(migration: Migration): boolean {
    return migration.namespace === OURS;
  }

  rowsIn(table: string): Promise<number | null> {
    return rowsIn(this.#connection, table);
  }

  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return whenFree(() => this.#attempt(work), this.#options);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #attempt<T>(work: (turn: Turn) => Promise<T>): Promise<T | Taken> {
    const owed: LogRow[] = [];
    let spent = false;
    try {
      return await this.#lock.hold(
        this.#connection,
        (connection) => {
          const session: Session = { connection };
          const turn: Turn = {
            connection,
            log: () => this.#log.read(connection),
            tablesExist: () => this.#log.tablesExist(connection),
            apply: (step, inner) =>
              this.#apply(session, step, inner).finally(() => {
                spent = session.before !== undefined;
                if (session.owed !== undefined) owed.push(session.owed);
              }),
          };
          return work(turn);
        },
        { spent: () => spent },
      );
    } finally {
      for (const row of owed) await this.#pay(row);
    }
  }

  async #apply(session: Session, step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    if (!(await this.#log.exists(session.connection))) await this.#log.create(session.connection);
    const host = !this.rerunnable(step.migration);
    if (host) session.before = await sessionBefore(session.connection);
    const statements = split(this.sql(step));
    const startedAt = performance.now();
    const [only] = statements;
    if (host && only !== undefined && DML.test(only.text)) {
      return this.#together(session, step, only, inner);
    }
    session.piecemeal = host && this.#isPiecemeal(only?.text ?? '');
    const places: { at?: Place } = {};
    let done = false;
    await this.#log.append(session.connection, { ...rowOf(step, 'started'), steps: statements.length });
    const verbs: StepVerbs = {
      run: async () => {
        await this.#runEach(session.connection, statements, places);
        done = host;
      },
      succeeded: () => this.#end(session, rowOf(step, 'succeeded', startedAt), 'commit'),
    };
    try {
      await inner(verbs);
    } catch (thrown) {
      const failure = stepFailure(step, thrown, places.at);
      if ((done || session.piecemeal) && failure.error.reason !== 'INTERRUPTED' && !failure.unknown) {
        const why = done ? 'ran, and its end could not be logged' : 'failed, perhaps after some of it';
        throw await this.#failed(session, step, asFailure(halfDone(step, why, thrown)));
      }
      throw await this.#failed(session, step, failure);
    }
  }

  #isPiecemeal(text: string): boolean {
    return PIECEMEAL.test(text) || (this.dialectName === 'mariadb' && DROP_LIST.test(text));
  }

  /** A statement that does not commit by itself: it and its row come together or not at all. */
  async #together(
    session: Session,
    step: Step,
    { text, line }: SqlStatement,
    inner: (verbs: StepVerbs) => Promise<void>,
  ): Promise<void> {
    const startedAt = performance.now();
    const { signal } = this.#options;
    try {
      forbidAborted(signal);
      await session.connection.transaction(
        (tx) =>
          inner({
            run: () => tx.script(text),
            succeeded: () => this.#log.append(tx, rowOf(step, 'succeeded', startedAt)),
          }),
        signal === undefined ? {} : { signal },
      );
    } catch (thrown) {
      throw await this.#failed(
        session,
        step,
        stepFailure(step, thrown, { statement: 1, statements: 1, line }),
      );
    }
  }

  async #runEach(
    connection: Connection,
    statements: readonly SqlStatement[],
    places: { at?: Place },
  ): Promise<void> {
    const { signal } = this.#options;
    for (const [index, { text, line }] of statements.entries()) {
      places.at = { statement: index + 1, statements: statements.length, line };
      forbidAborted(signal);
      await connection.script(text, signal === undefined ? {} : { signal });
    }
    delete places.at;
  }

  /** Logs a failure whose outcome is known, and gives the error to throw. */
  async #failed(session: Session, step: Step, failure: StepFailure): Promise<Error> {
    const unknown = failure.unknown || cutOff(failure.error.cause);
    if (!unknown && !isHalfDone(failure.error) && session.piecemeal !== true && session.owed === undefined) {
      const place = failure.error.statement;
      const row: LogRow = {
        ...rowOf(step, 'failed'),
        step: place,
        steps: place === undefined ? undefined : split(this.sql(step)).length,
        errorCode: failure.code,
        errorMessage: failure.message,
      };
      // The failure itself is what the caller must hear of; an unlogged end reads as unknown, which it then is.
      await this.#end(session, row, 'rollback').catch(() => {});
    }
    return failure.error;
  }

  /** Logs how a step ended; where the signal has closed the session, after it. */
  async #end(session: Session, row: LogRow, end: 'commit' | 'rollback'): Promise<void> {
    const { before } = session;
    try {
      if (before !== undefined) await settle(session.connection, end, before);
      await this.#log.append(session.connection, row);
    } catch (error) {
      if (error instanceof ChronosError && error.reason === 'INTERRUPTED') session.owed = row;
      throw error;
    }
  }

  async #pay(row: LogRow): Promise<void> {
    const { lockTimeout } = this.#options;
    try {
      await whenFree(
        () => this.#lock.hold(this.#connection, (connection) => this.#log.append(connection, row)),
        { lockTimeout: Math.min(lockTimeout, RECORD_TIMEOUT) },
      );
    } catch {
      // The interruption is what the caller must hear of; an unlogged end reads as unknown, which it then is.
    }
  }
}

/** Whether a signal cut the connection instead of stopping the statement: it may run on in the server. */
function cutOff(thrown: unknown): boolean {
  if (!(thrown instanceof ChronosError) || thrown.reason !== 'INTERRUPTED') return false;
  const { cause } = thrown;
  if (cause === undefined) return false;
  return !(cause instanceof Error && Reflect.get(cause, 'errno') === QUERY_INTERRUPTED);
}
