import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted } from '../../drivers/when-free.ts';
import { ChronosError } from '../../errors.ts';
import { watched } from '../blocker.ts';
import { OURS } from '../files.ts';
import type { Log, LogRow } from '../log.ts';
import type { Step } from '../plan.ts';
import { type Place, type StepFailure, stepFailure } from '../step-failure.ts';
import { checksum } from '../text/checksum.ts';
import { engineWords } from '../text/engine-words.ts';
import { type Statement, statementsOf } from '../text/statements.ts';
import type { LogEntry } from '../types.ts';
import { type EngineOptions, rowOf, type StepVerbs, type Turn } from './engine.ts';
import { asFailure, halfDone, runHostStep } from './half-done.ts';
import { blockerOfId, idOf } from './mysql-blocker.ts';
import { HostFile, type Progress } from './mysql-file.ts';
import { ranNothing } from './mysql-nothing.ts';
import { type SessionBefore, sessionBefore, settle } from './mysql-session.ts';
import { filled } from './placeholders.ts';

/** Statements that may have committed some of their work when they fail: routines, and code in comments. */
const PIECEMEAL = /^(call|begin|execute|\/\*)/i;
/** MariaDB drops what it finds of a list, and fails. */
const DROP_LIST = /^drop\b.*,/is;
/** What `KILL QUERY` answers: the statement was stopped and left nothing. */
const QUERY_INTERRUPTED = 1317;

/** One use of the lock, on the session that has it: a step's beginning and its end are logged around its statements. */
export class MysqlTurn implements Turn {
  readonly connection: Connection;
  /** For looking around meanwhile. */
  readonly #pool: Connection;
  readonly #table: Log;
  readonly #options: EngineOptions;
  /** How the session was before a host's statement ran there; undefined until one does. */
  #before: SessionBefore | undefined;
  /** Whether nobody can know what of its statement stayed. */
  #open = false;
  /** A row that could not be logged here, since the signal had ended the session. */
  owed: LogRow | undefined;

  constructor(connection: Connection, pool: Connection, log: Log, options: EngineOptions) {
    this.connection = connection;
    this.#pool = pool;
    this.#table = log;
    this.#options = options;
  }

  /** Whether a host's statements may have left anything in the session. */
  get spent(): boolean {
    return this.#before !== undefined;
  }

  log(): Promise<readonly LogEntry[]> {
    return this.#table.read(this.connection);
  }

  tablesExist(): Promise<boolean> {
    return this.#table.tablesExist(this.connection);
  }

  async record(rows: readonly LogRow[]): Promise<void> {
    await this.#bootstrap();
    for (const row of rows) await this.#table.append(this.connection, row);
  }

  async apply(step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    await this.#bootstrap();
    if (step.migration.namespace === OURS) return this.#applyOurs(step, inner);
    if (step.migration.code !== undefined) return this.#applyCode(step, inner);
    return this.#applyHosts(step, inner);
  }

  async #applyOurs(step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const statements = this.#statements(step);
    const places: { at?: Place } = {};
    await this.#table.append(this.connection, { ...rowOf(step, 'started'), steps: statements.length });
    try {
      await inner({
        run: () => this.#watched(() => this.#runEach(this.connection, statements, places)),
        succeeded: (ms) => this.#end(rowOf(step, 'succeeded', ms), 'commit'),
      });
    } catch (thrown) {
      throw await this.#failed(step, stepFailure(step, thrown, places.at));
    }
  }

  async #applyHosts(step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const { connection } = this;
    this.#before = await sessionBefore(connection);
    const statements = this.#statements(step);
    const file = new HostFile(connection, this.#table, step, statements, this.#options.signal);
    const done = await file.done();
    await this.#table.append(connection, { ...rowOf(step, 'started'), steps: statements.length });
    const progress: Progress = { ran: false };
    try {
      await inner({
        run: () => this.#watched(() => file.run(done, progress)),
        succeeded: (ms) => this.#end(rowOf(step, 'succeeded', ms), 'commit'),
      });
    } catch (thrown) {
      throw await this.#hostFailed(step, progress, thrown);
    }
  }

  /** Code may have done any of its work when it fails. */
  async #applyCode(step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const { connection } = this;
    this.#before = await sessionBefore(connection);
    this.#open = true;
    await this.#table.append(connection, { ...rowOf(step, 'started'), step: 1, steps: 1 });
    try {
      await inner({
        run: () => this.#watched(() => runHostStep(connection, step, '', this.#options)),
        succeeded: (ms) => this.#end(rowOf(step, 'succeeded', ms), 'commit'),
      });
    } catch (thrown) {
      await settle(connection, 'rollback', this.#before).catch(() => {});
      const { error } = stepFailure(step, thrown);
      if (error.reason === 'INTERRUPTED') throw error;
      throw halfDone(step, `failed: ${engineWords(thrown, '').text}`, thrown);
    }
  }

  /** Where something of the statement may have stayed, the row that says that it began stays the last word. */
  async #hostFailed(step: Step, progress: Progress, thrown: unknown): Promise<Error> {
    const failure = stepFailure(step, thrown, progress.at);
    const at = progress.at === undefined ? undefined : this.#statements(step)[progress.at.statement - 1];
    const isTold = failure.error.reason !== 'INTERRUPTED' && !failure.unknown;
    const piecemeal = at !== undefined && this.#isPiecemeal(at.text);
    this.#open = progress.ran || piecemeal;
    if (!this.#open || !isTold) return this.#failed(step, failure);
    if (progress.ran || at === undefined || progress.at === undefined) {
      const why = `ran, and its end could not be logged: ${failure.message}`;
      return this.#failed(step, asFailure(halfDone(step, why, thrown, null)));
    }
    this.#open = !(await ranNothing(this.connection, at, thrown));
    return this.#open
      ? this.#doubtful(step, { at, place: progress.at, failure })
      : this.#failed(step, failure);
  }

  /** The row that says that the statement began is written once more, with what the server said. */
  async #doubtful(
    step: Step,
    { at, place, failure }: { readonly at: Statement; readonly place: Place; readonly failure: StepFailure },
  ): Promise<Error> {
    const { statement, statements, line } = place;
    const row: LogRow = {
      ...rowOf(step, 'started'),
      step: statement,
      steps: statements,
      checksum: checksum(at.text),
      errorCode: failure.code,
      errorMessage: failure.message,
    };
    await this.#end(row, 'rollback').catch(() => {});
    const where = `at statement ${statement} of ${statements}, line ${line}`;
    const why = `failed ${where}, perhaps after some of it: ${failure.message}`;
    return halfDone(step, why, failure.error.cause, statement);
  }

  /** An open transaction elsewhere may hold up a change of a table: it is named. */
  async #watched(work: () => Promise<void>): Promise<void> {
    const id = await idOf(this.connection);
    const ask = () => blockerOfId(this.#pool, id);
    return watched({ ask, onProgress: this.#options.onProgress }, work);
  }

  #isPiecemeal(text: string): boolean {
    return PIECEMEAL.test(text) || (this.connection.dialectName === 'mariadb' && DROP_LIST.test(text));
  }

  #statements(step: Step): readonly Statement[] {
    return statementsOf(filled(step, this.connection.dialectName, ''), 'mysql');
  }

  async #bootstrap(): Promise<void> {
    if (!(await this.#table.exists(this.connection))) await this.#table.create(this.connection);
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
  async #failed(step: Step, failure: StepFailure): Promise<Error> {
    const unknown = failure.unknown || cutOff(failure.error.cause);
    if (!unknown && this.#open !== true && this.owed === undefined) {
      const place = failure.error.statement;
      const row: LogRow = {
        ...rowOf(step, 'failed'),
        step: place,
        steps: place === undefined ? undefined : this.#statements(step).length,
        errorCode: failure.code,
        errorMessage: failure.message,
      };
      // The failure itself is what the caller must hear of; an unlogged end reads as unknown, which it then is.
      await this.#end(row, 'rollback').catch(() => {});
    }
    return failure.error;
  }

  /** Logs how a step ended; where the signal has closed the session, after it. */
  async #end(row: LogRow, end: 'commit' | 'rollback'): Promise<void> {
    const before = this.#before;
    try {
      if (before !== undefined) await settle(this.connection, end, before);
      await this.#table.append(this.connection, row);
    } catch (error) {
      if (error instanceof ChronosError && error.reason === 'INTERRUPTED') this.owed = row;
      throw error;
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
