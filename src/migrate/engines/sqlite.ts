import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted, Taken, whenFree } from '../../drivers/when-free.ts';
import { ChronosError, UnsupportedError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { OURS } from '../files.ts';
import { heard } from '../heard.ts';
import { Log } from '../log.ts';
import type { Step } from '../plan.ts';
import type { StepFailure } from '../step-failure.ts';
import { asksFor } from '../text/directives.ts';
import type { LogEntry, Migration } from '../types.ts';
import {
  type EngineOptions,
  type LockHolder,
  type MigrationEngine,
  rowOf,
  type StepVerbs,
  type Turn,
} from './engine.ts';
import { failureOf, logFailure, runHostStep, runInside } from './half-done.ts';
import { filled } from './placeholders.ts';
import { rowsIn } from './rows-in.ts';
import { type At, runEach } from './sqlite-file.ts';
import {
  brokenReferences,
  ForeignKeysOn,
  forbidBroken,
  forbidForeignKeys,
  withoutForeignKeys,
} from './sqlite-references.ts';
import { restoreSession, sessionBefore } from './sqlite-session.ts';

/** A failed row waits no longer than this for the lock: the error itself must not. */
const RECORD_TIMEOUT = 5000;

/** SQLite: one `BEGIN IMMEDIATE` transaction per migration; the file's write lock is the lock. */
export class SqliteEngine implements MigrationEngine {
  readonly dialectName: DialectName;
  readonly version: string;
  readonly target: string;
  readonly #connection: Connection;
  readonly #options: EngineOptions;
  readonly #log: Log;

  constructor(connection: Connection, options: EngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.dialectName = connection.dialectName;
    this.version = connection.server.version;
    this.target = connection.server.target;
    this.#log = new Log(connection, '', 'main.');
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

  /** Ours always: nothing of a transaction that did not end is there. A host's began only where it ended ours. */
  rerunnable(migration: Migration): boolean {
    return migration.namespace === OURS;
  }

  /** What of a file that ended our transaction stayed, nobody can know. */
  resumable(): boolean {
    return false;
  }

  rowsIn(table: string): Promise<number | null> {
    return rowsIn(this.#connection, table);
  }

  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return whenFree(() => this.#attempt(work), this.#options);
  }

  /** Found out by taking it; the system tells no more of who has it. */
  async holder(): Promise<LockHolder | undefined> {
    const taken = await this.#underLock(async () => undefined);
    if (!(taken instanceof Taken)) return undefined;
    const hint = 'end the process that has the file open: its lock ends with it';
    const end = () =>
      Promise.reject(new UnsupportedError('ending whoever writes to a SQLite file', { hint }));
    return { session: 'file', text: taken.holder, end };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Foreign keys can be switched off only before the transaction, and which step it is comes out only inside. */
  async #attempt<T>(work: (turn: Turn) => Promise<T>): Promise<T | Taken> {
    try {
      return await this.#once(work);
    } catch (thrown) {
      if (!(thrown instanceof ForeignKeysOn)) throw thrown;
      return await this.#connection.session((session) =>
        withoutForeignKeys(session, () => this.#once(work, session)),
      );
    }
  }

  async #once<T>(work: (turn: Turn) => Promise<T>, on?: Connection): Promise<T | Taken> {
    let running: Step | undefined;
    const at: At = {};
    try {
      return await this.#underLock(
        (session) =>
          work({
            connection: session,
            log: () => this.#log.read(session),
            tablesExist: () => this.#log.tablesExist(session),
            record: async (rows) => {
              await this.#bootstrap(session);
              for (const row of rows) await this.#log.append(session, row);
            },
            apply: async (step, inner) => {
              if (asksFor(step, 'foreign-keys-off')) await forbidForeignKeys(session);
              running = step;
              await this.#bootstrap(session);
              await inner(this.#verbs(session, step, at));
            },
          }),
        on,
      );
    } catch (thrown) {
      if (running === undefined) throw thrown;
      const failure = failureOf(running, thrown, at.place);
      throw await this.#logFailure(running, failure, on);
    }
  }

  /**
   * The transaction by hand: the driver's own waits seconds for the file before it says that it is taken,
   * and here the waiting is done, and told of, above. A signal is heeded between statements, which block.
   */
  #underLock<T>(
    work: (session: Connection) => Promise<T>,
    on: Connection = this.#connection,
  ): Promise<T | Taken> {
    return on.session(async (session) => {
      let begun = false;
      try {
        await session.script('begin immediate');
        begun = true;
        const result = await work(session);
        await session.script('commit');
        return result;
      } catch (error) {
        // A full disk, for one, has ended the transaction by itself: then there is nothing to roll back.
        if (begun) await session.script('rollback').catch(() => {});
        // Busy at BEGIN, or at COMMIT while somebody reads a file without WAL: either way nothing of it stayed.
        const busy = error instanceof ChronosError && error.reason === 'CONTENTION';
        if (!busy) throw error;
        return new Taken(`another connection is writing to ${this.#connection.server.database}`);
      }
    });
  }

  #verbs(session: Connection, step: Step, at: At): StepVerbs {
    const { signal } = this.#options;
    return {
      run: async () => {
        forbidAborted(signal);
        if (step.migration.namespace === OURS) await session.script(this.sql(step));
        else await this.#runHosts(session, step, at);
        // Before the commit.
        await heard();
        forbidAborted(signal);
      },
      succeeded: (ms) => this.#log.append(session, rowOf(step, 'succeeded', ms)),
    };
  }

  async #runHosts(session: Connection, step: Step, at: At): Promise<void> {
    const rebuilds = asksFor(step, 'foreign-keys-off');
    const broken = rebuilds ? await brokenReferences(session) : new Set<string>();
    const before = await sessionBefore(session);
    try {
      const work = () =>
        step.migration.code === undefined
          ? runEach(session, this.sql(step), at, this.#options.signal)
          : runHostStep(session, step, '', this.#options);
      await runInside(session, this.#log, step, work);
      if (rebuilds) await forbidBroken(session, broken);
    } catch (error) {
      // A rollback takes temporary tables away, and pragmas stay. Why the file failed is what the caller must hear of.
      await restoreSession(session, before).catch(() => {});
      throw error;
    }
    await restoreSession(session, before);
    await this.#log.retract(session, step.migration);
  }

  async #bootstrap(tx: Connection): Promise<void> {
    if (!(await this.#log.exists(tx))) await this.#log.create(tx);
  }

  async #logFailure(step: Step, failure: StepFailure, on?: Connection): Promise<Error> {
    const { lockTimeout } = this.#options;
    try {
      return await whenFree(
        () =>
          this.#underLock(async (session) => {
            await this.#bootstrap(session);
            return logFailure(session, this.#log, step, failure);
          }, on),
        { lockTimeout: Math.min(lockTimeout, RECORD_TIMEOUT) },
      );
    } catch {
      // The failure itself is what the caller must hear of; what keeps it out of the log is most often the same cause.
      return failure.error;
    }
  }
}
