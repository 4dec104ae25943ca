import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted, Taken, whenFree } from '../../drivers/when-free.ts';
import { ChronosError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { OURS } from '../files.ts';
import { heard } from '../heard.ts';
import { Log } from '../log.ts';
import type { Step } from '../plan.ts';
import type { StepFailure } from '../step-failure.ts';
import type { LogEntry, Migration } from '../types.ts';
import { type EngineOptions, type MigrationEngine, rowOf, type StepVerbs, type Turn } from './engine.ts';
import { failureOf, logFailure, runInside } from './half-done.ts';
import { filled } from './placeholders.ts';
import { rowsIn } from './rows-in.ts';
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
    let running: Step | undefined;
    try {
      return await this.#underLock((session) =>
        work({
          connection: session,
          log: () => this.#log.read(session),
          tablesExist: () => this.#log.tablesExist(session),
          apply: async (step, inner) => {
            running = step;
            await this.#bootstrap(session);
            await inner(this.#verbs(session, step));
          },
        }),
      );
    } catch (thrown) {
      if (running === undefined) throw thrown;
      const failure = failureOf(running, thrown);
      throw await this.#logFailure(running, failure);
    }
  }

  /**
   * The transaction by hand: the driver's own waits seconds for the file before it says that it is taken,
   * and here the waiting is done, and told of, above. A signal is heeded between statements, which block.
   */
  #underLock<T>(work: (session: Connection) => Promise<T>): Promise<T | Taken> {
    return this.#connection.session(async (session) => {
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

  #verbs(session: Connection, step: Step): StepVerbs {
    const startedAt = performance.now();
    const { signal } = this.#options;
    return {
      run: async () => {
        forbidAborted(signal);
        if (step.migration.namespace === OURS) await session.script(this.sql(step));
        else await this.#runHosts(session, step);
        // Before the commit.
        await heard();
        forbidAborted(signal);
      },
      succeeded: () => this.#log.append(session, rowOf(step, 'succeeded', startedAt)),
    };
  }

  async #runHosts(session: Connection, step: Step): Promise<void> {
    const before = await sessionBefore(session);
    try {
      await runInside(session, this.#log, step, this.sql(step));
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

  async #logFailure(step: Step, failure: StepFailure): Promise<Error> {
    const { lockTimeout } = this.#options;
    try {
      return await whenFree(
        () =>
          this.#underLock(async (session) => {
            await this.#bootstrap(session);
            return logFailure(session, this.#log, step, failure);
          }),
        { lockTimeout: Math.min(lockTimeout, RECORD_TIMEOUT) },
      );
    } catch {
      // The failure itself is what the caller must hear of; what keeps it out of the log is most often the same cause.
      return failure.error;
    }
  }
}
