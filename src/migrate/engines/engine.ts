import type { Connection } from '../../drivers/connection.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import type { LogRow } from '../log.ts';
import type { Step } from '../plan.ts';
import type { LogEntry, Migration, Progress } from '../types.ts';

/** What a migration needs of an engine. The port below which engines differ. */
export interface MigrationEngine {
  readonly dialectName: DialectName;
  /** The server's own version text. */
  readonly version: string;
  /** Where it is, without secrets. */
  readonly target: string;
  /** For looking around; undefined = the database is not there yet. */
  readonly connection: Connection | undefined;

  /** The log, oldest row first; no table = no rows. Takes no lock and creates nothing. */
  log(): Promise<readonly LogEntry[]>;

  /**
   * Waits until no other migrator works on this database, gives `work` its turn, and ends the turn. It may
   * be given again when the engine says that nothing of it stayed. Throws MigrationError LOCK_TIMEOUT.
   */
  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T>;

  /** The exact SQL of a step. */
  sql(step: Step): string;

  /** Whether a file that began and did not end may be run from its start. */
  rerunnable(migration: Migration): boolean;

  /** Whether {@link Turn.apply} itself finds out how far a file came that began and did not end. */
  resumable(migration: Migration): boolean;

  /** Rows of a table named as SQL names it; null when it is not there. */
  rowsIn(table: string): Promise<number | null>;

  /** Who has the lock now; undefined = nobody. */
  holder(): Promise<LockHolder | undefined>;

  close(): Promise<void>;
}

/** The session that has the lock. */
export interface LockHolder {
  /** Tells it from another. */
  readonly session: string;
  /** Who and what, for people. */
  readonly text: string;
  /** Ends the session. Throws UnsupportedError where nothing can. */
  end(): Promise<void>;
}

/** The time in which this process alone migrates. */
export interface Turn {
  /** The one that has the lock. */
  readonly connection: Connection;
  log(): Promise<readonly LogEntry[]>;
  /** Whether our tables are there. */
  tablesExist(): Promise<boolean>;
  /** Gives `work` the step's verbs; rejects with what {@link StepFailure} says after logging it. */
  apply(step: Step, work: (verbs: StepVerbs) => Promise<void>): Promise<void>;
  /** Adds rows to the log, which is made where it is not there. */
  record(rows: readonly LogRow[]): Promise<void>;
}

/** What a step consists of; an engine makes the two one where it can. */
export interface StepVerbs {
  /** Runs the step's SQL. */
  run(): Promise<void>;
  /** Logs that it succeeded, and how long it ran. */
  succeeded(ms: number): Promise<void>;
}

/** How every engine works. Times in milliseconds. */
export interface EngineOptions {
  readonly schema: string;
  readonly lockTimeout: number;
  /** How long the server lets an idle holder keep the lock. */
  readonly idleLimit: number;
  readonly statementTimeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What every row about a step says. */
export function rowOf(step: Step, event: LogRow['event'], durationMs?: number): LogRow {
  const { namespace, name, checksum, directives } = step.migration;
  return {
    namespace,
    migration: name,
    direction: step.direction,
    event,
    checksum,
    directives,
    durationMs,
  };
}
