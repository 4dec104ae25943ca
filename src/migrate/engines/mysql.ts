import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted, type Taken, whenFree } from '../../drivers/when-free.ts';
import { ChronosError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { watched } from '../blocker.ts';
import { engineWords } from '../engine-words.ts';
import { OURS } from '../files.ts';
import { Log, type LogRow } from '../log.ts';
import type { Step } from '../plan.ts';
import { type Statement, statementsOf } from '../statements.ts';
import { type Place, type StepFailure, stepFailure } from '../step-failure.ts';
import type { LogEntry, Migration } from '../types.ts';
import {
  type EngineOptions,
  type LockHolder,
  type MigrationEngine,
  rowOf,
  type StepVerbs,
  type Turn,
} from './engine.ts';
import { asFailure, halfDone, runHostStep } from './half-done.ts';
import { blockerOfId, idOf } from './mysql-blocker.ts';
import { HostFile, type Progress } from './mysql-file.ts';
import { MysqlLock } from './mysql-lock.ts';
import { type SessionBefore, sessionBefore, settle } from './mysql-session.ts';
import { filled } from './placeholders.ts';
import { rowsIn } from './rows-in.ts';

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
  /** Whether nobody can know what of its statement stayed. */
  open?: boolean;
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
    // A host's `use` must not lead to another log.
    this.#log = new Log(connection, '', `\`${connection.server.database.replaceAll('`', '``')}\`.`);
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

  /** A host's file is logged statement by statement; what its code did nobody can know. */
  resumable(migration: Migration): boolean {
    return !this.rerunnable(migration) && migration.code === undefined;
  }

  rowsIn(table: string): Promise<number | null> {
    return rowsIn(this.#connection, table);
  }

  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return whenFree(() => this.#attempt(work), this.#options);
  }

  holder(): Promise<LockHolder | undefined> {
    return this.#lock.holder(this.#connection);
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
            record: async (rows) => {
              await this.#bootstrap(connection);
              for (const row of rows) await this.#log.append(connection, row);
            },
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
    await this.#bootstrap(session.connection);
    if (this.rerunnable(step.migration)) return this.#applyOurs(session, step, inner);
    if (step.migration.code !== undefined) return this.#applyCode(session, step, inner);
    return this.#applyHosts(session, step, inner);
  }

  async #applyOurs(session: Session, step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    const statements = this.#statements(step);
    const places: { at?: Place } = {};
    await this.#log.append(session.connection, { ...rowOf(step, 'started'), steps: statements.length });
    try {
      await inner({
        run: () => this.#watched(session, () => this.#runEach(session.connection, statements, places)),
        succeeded: () => this.#end(session, rowOf(step, 'succeeded', startedAt), 'commit'),
      });
    } catch (thrown) {
      throw await this.#failed(session, step, stepFailure(step, thrown, places.at));
    }
  }

  async #applyHosts(session: Session, step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const { connection } = session;
    const startedAt = performance.now();
    session.before = await sessionBefore(connection);
    const statements = this.#statements(step);
    const file = new HostFile(connection, this.#log, step, statements, this.#options.signal);
    const done = await file.done();
    await this.#log.append(connection, { ...rowOf(step, 'started'), steps: statements.length });
    const progress: Progress = { ran: false };
    try {
      await inner({
        run: () => this.#watched(session, () => file.run(done, progress)),
        succeeded: () => this.#end(session, rowOf(step, 'succeeded', startedAt), 'commit'),
      });
    } catch (thrown) {
      throw await this.#hostFailed(session, step, progress, thrown);
    }
  }

  /** Code may have done any of its work when it fails. */
  async #applyCode(session: Session, step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const { connection } = session;
    const startedAt = performance.now();
    session.before = await sessionBefore(connection);
    session.open = true;
    await this.#log.append(connection, { ...rowOf(step, 'started'), step: 1, steps: 1 });
    try {
      await inner({
        run: () => this.#watched(session, () => runHostStep(connection, step, '', this.#options.signal)),
        succeeded: () => this.#end(session, rowOf(step, 'succeeded', startedAt), 'commit'),
      });
    } catch (thrown) {
      await settle(connection, 'rollback', session.before).catch(() => {});
      const { error } = stepFailure(step, thrown);
      if (error.reason === 'INTERRUPTED') throw error;
      throw halfDone(step, `failed: ${engineWords(thrown, '').text}`, thrown);
    }
  }

  /** Where something of the statement may have stayed, the row that says that it began stays the last word. */
  async #hostFailed(session: Session, step: Step, progress: Progress, thrown: unknown): Promise<Error> {
    const failure = stepFailure(step, thrown, progress.at);
    const at = progress.at === undefined ? undefined : this.#statements(step)[progress.at.statement - 1];
    const piecemeal = at !== undefined && this.#isPiecemeal(at.text);
    session.open = progress.ran || piecemeal;
    if (session.open && failure.error.reason !== 'INTERRUPTED' && !failure.unknown) {
      const why = progress.ran ? 'ran, and its end could not be logged' : 'failed, perhaps after some of it';
      return this.#failed(session, step, asFailure(halfDone(step, why, thrown)));
    }
    return this.#failed(session, step, failure);
  }

  /** An open transaction elsewhere may hold up a change of a table: it is named. */
  async #watched(session: Session, work: () => Promise<void>): Promise<void> {
    const id = await idOf(session.connection);
    const ask = () => blockerOfId(this.#connection, id);
    return watched({ ask, onProgress: this.#options.onProgress }, work);
  }

  #isPiecemeal(text: string): boolean {
    return PIECEMEAL.test(text) || (this.dialectName === 'mariadb' && DROP_LIST.test(text));
  }

  #statements(step: Step): readonly Statement[] {
    return statementsOf(this.sql(step), 'mysql');
  }

  async #bootstrap(session: Connection): Promise<void> {
    if (!(await this.#log.exists(session))) await this.#log.create(session);
  }

  async #runEach(
    connection: Connection,
    statements: readonly Statement[],
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
    if (!unknown && session.open !== true && session.owed === undefined) {
      const place = failure.error.statement;
      const row: LogRow = {
        ...rowOf(step, 'failed'),
        step: place,
        steps: place === undefined ? undefined : this.#statements(step).length,
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
