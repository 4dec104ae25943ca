import type { StatementSeen } from '../drivers/options.ts';
import type { Reason } from '../errors.ts';
import type { CodeMigration } from './knex-host.ts';

/** One migration: identity, text and what its first line asks for. */
export interface Migration {
  /** `chronos` for ours, a host's own word for its own. */
  readonly namespace: string;
  /** `NNNN_name`. */
  readonly name: string;
  /** `namespace:NNNN_name`. */
  readonly id: string;
  /** SQL text as in the file, BOM removed, LF; of a code migration a comment that names its file. */
  readonly up: string;
  /** SQL text that reverts it; absent = irreversible. */
  readonly down?: string;
  /** SHA-256 of the up text, hex: BOM removed, LF, one final newline, before placeholders. Of code what it exports, or null. */
  readonly checksum: string | null;
  /** What a JavaScript or TypeScript file exports; absent = SQL. */
  readonly code?: CodeMigration;
  /** Paths of a host's files that hold no statement, by side: such a side is refused when it is about to be run. */
  readonly empty?: Readonly<Partial<Record<Direction, string>>>;
  /** Words of the first line after `-- chronos:`. */
  readonly directives: readonly string[];
}

export type Direction = 'up' | 'down';

/** What a migrator tells while it works. */
export type Progress =
  | { readonly kind: 'waiting'; readonly holder: string; readonly waitedMs: number }
  | { readonly kind: 'started'; readonly id: string; readonly direction: Direction }
  | { readonly kind: 'applied'; readonly id: string; readonly direction: Direction; readonly ms: number }
  | { readonly kind: 'warning'; readonly message: string };

/** How `createMigrator` works. Times in milliseconds. */
export interface MigratorOptions {
  /** Postgres and PGlite: schema of our tables, created if absent. Default `chronos`. */
  readonly schema?: string;
  /** Folder with a host's own `NNNN_name.up.sql` / `.down.sql`, applied after ours. */
  readonly dir?: string;
  /** Namespace of the host's files. Default `app`. */
  readonly namespace?: string;
  /** How long to wait for another migrator. Default 60 000. */
  readonly lockTimeout?: number;
  /** Bound on each statement, where the server can. Default none. */
  readonly statementTimeout?: number;
  /** Bound on connecting. Default 10 000. */
  readonly connectTimeout?: number;
  /** PEM texts for TLS. */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Cancels the running statement, releases the lock and rejects with reason INTERRUPTED. */
  readonly signal?: AbortSignal;
  /** How long a server lets a migrator that hangs keep the lock. Default 30 000. */
  readonly idleLimit?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Told after each statement, by name and never with values. Default: nothing. */
  readonly onStatement?: (seen: StatementSeen) => void;
}

/** One migration that a run applied or reverted. */
export interface Applied {
  readonly id: string;
  readonly direction: Direction;
  readonly ms: number;
}

/** Where a database stands; `status` and every run resolve to it. */
export interface Report {
  /** `postgres`, `pglite`, `mysql`, `mariadb` or `sqlite`. */
  readonly engine: string;
  /** The server's own version text. */
  readonly version: string;
  /** Where it is, without secrets. */
  readonly target: string;
  /** What this run applied or reverted, in order. */
  readonly applied: readonly Applied[];
  /** Ids in force, in order of application. */
  readonly current: readonly string[];
  /** Ids still to apply, in order. */
  readonly pending: readonly string[];
  /** Ids whose file is not what was applied. */
  readonly changed: readonly string[];
  /** Ids applied, without a file here. */
  readonly missing: readonly string[];
  /** Namespaces in force whose files were not given: of them only the log was looked at. */
  readonly unseen: readonly string[];
  /** Id of a migration that stands half done, or null. */
  readonly partial: string | null;
  /** Warnings, a line each. */
  readonly findings: readonly string[];
}

/** A row of the log. */
export interface LogEntry {
  readonly id: number;
  readonly namespace: string;
  readonly migration: string;
  readonly direction: Direction;
  readonly event: 'started' | 'step' | 'succeeded' | 'failed' | 'baselined' | 'repaired';
  readonly step: number | null;
  readonly steps: number | null;
  readonly checksum: string | null;
  readonly directives: string | null;
  readonly at: Date;
  readonly durationMs: number | null;
  readonly appliedBy: string;
  readonly host: string;
  readonly toolVersion: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** A step that a plan holds, with the exact SQL. */
export interface PlannedStep {
  readonly id: string;
  readonly direction: Direction;
  readonly sql: string;
}

/** `up`'s choice of target: all, up to and with `to`, or the next `step`. */
export interface UpOptions {
  readonly to?: string;
  readonly step?: number;
  /** Resolves to what would run and touches nothing. Default false. */
  readonly dryRun?: boolean;
  /**
   * A role (Postgres: its name; MySQL, MariaDB: `user` or `user@host`) that is given what a service needs, after the
   * migrations and every time. Default: nobody.
   */
  readonly grantTo?: string;
}

/** `down`'s choice of target: one step unless told. `yes` is required. */
export interface DownOptions {
  /** Stays applied; `'0'` = none. */
  readonly to?: string;
  readonly step?: number;
  readonly yes?: boolean;
}

/** The report of `up`; with `dryRun` it holds the steps that would run. */
export interface UpReport extends Report {
  readonly steps: readonly PlannedStep[];
  /** With `grantTo`: the statements that gave it, or with `dryRun` would give it. */
  readonly grants?: readonly string[];
}

/** One line of `verify` or `doctor`. */
export interface Check {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at: a table, a migration, a role, a setting. */
  readonly subject: string;
  /** How it is. */
  readonly message: string;
  /** The statement that mends it, or a sentence where no single statement does; null = nothing to mend. */
  readonly mend: string | null;
  /** Of a `fail`: what decides the exit code. */
  readonly reason?: Reason;
}

/** What `verify` is told. */
export interface VerifyOptions {
  /** Postgres: the role whose grants are checked. Default: all but the owner that have a grant on `chronos_sessions`. */
  readonly appRole?: string;
}

/** The report of `verify`. */
export interface VerifyReport extends Report {
  /** Whatever is not as it should be, worst first within each part; empty on a clean database. */
  readonly checks: readonly Check[];
  /** Of the worst `fail`; null = none. */
  readonly reason: Reason | null;
}

/** The report of `doctor`. */
export interface DoctorReport extends Pick<Report, 'engine' | 'version' | 'target' | 'findings'> {
  /** Everything that was looked at. */
  readonly checks: readonly Check[];
  /** Of the worst `fail`; null = none. */
  readonly reason: Reason | null;
}

/** Which way `redo` is confirmed. */
export interface RedoOptions {
  /** Required: what the migration holds is lost. */
  readonly yes?: boolean;
}

/** What `baseline` takes as applied. */
export interface BaselineOptions {
  /** `NNNN`, `NNNN_name` or `namespace:NNNN_name`: this one and those before it in its namespace. */
  readonly at: string;
}

/** The report of `baseline`. */
export interface BaselineReport extends Report {
  /** Ids that it logged as applied; those in force before are not among them. */
  readonly baselined: readonly string[];
}

/** What a person found out about a half-done migration. */
export interface RepairOptions {
  /** Its id, or `NNNN_name`, or `NNNN`. */
  readonly migration: string;
  /** The statement in question, from 1. Default: the migration as a whole. */
  readonly step?: number;
  /** `done` = it took effect; `again` = it did not, and is to be run again. */
  readonly as: 'done' | 'again';
}

/** Whether `unlock` ends the holder. */
export interface UnlockOptions {
  /** Ends the session that holds the lock. Default false: it is only named. */
  readonly force?: boolean;
}

/** What `unlock` found and did. */
export interface UnlockReport {
  readonly engine: string;
  /** Where it is, without secrets. */
  readonly target: string;
  /** Who had the lock and what ran there, in one line; null = nobody. */
  readonly holder: string | null;
  /** Whether that session was ended. */
  readonly ended: boolean;
}

/** How long `wait` waits. */
export interface WaitOptions {
  /** Milliseconds. Default 60 000. */
  readonly timeout?: number;
}

/** `chronos-migrate` as functions. */
export interface Migrator {
  up(options?: UpOptions): Promise<UpReport>;
  down(options?: DownOptions): Promise<Report>;
  status(): Promise<Report>;
  history(): Promise<readonly LogEntry[]>;
  plan(options?: UpOptions): Promise<readonly PlannedStep[]>;
  /**
   * Reverts the last migration (of the host's namespace where there is a `dir`) and applies it again as its file is
   * now: a host's may have been edited since it was applied.
   */
  redo(options?: RedoOptions): Promise<Report>;
  /**
   * Logs a migration, and those before it in its namespace, as applied without running them. Throws
   * InvalidArgumentError UNKNOWN_TARGET, or USAGE where the tables of ours are not there.
   */
  baseline(options: BaselineOptions): Promise<BaselineReport>;
  /** Settles a half-done migration whose outcome nobody but a person can know. Throws InvalidArgumentError USAGE. */
  repair(options: RepairOptions): Promise<Report>;
  /** Names who holds the lock; with `force` ends that session. Throws UnsupportedError on SQLite with `force`. */
  unlock(options?: UnlockOptions): Promise<UnlockReport>;
  /**
   * Resolves once nothing is pending, also where the database comes up only meanwhile. Throws MigrationError
   * PENDING after `timeout`, and at once what no waiting mends.
   */
  wait(options?: WaitOptions): Promise<Report>;
  /** Holds files against the log, and our tables against what the applied migrations make. Changes nothing. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Looks at the server, its settings and the role that is connected. Changes nothing. */
  doctor(): Promise<DoctorReport>;
  /** Idempotent; ends the connections that this migrator opened. */
  close(): Promise<void>;
}
