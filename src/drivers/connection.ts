import type { DialectName } from '../sql/dialect-name.ts';
import type { IN_ORDER, Statement } from '../sql/statement.ts';

/**
 * What a parameter may be. Dates, JSON and booleans were turned into these by the dialect before: no host's
 * setting of a driver touches strings and numbers. Arrays serve `unnest` on Postgres.
 */
export type Value = string | number | bigint | null | Uint8Array | readonly (string | number | null)[];

/** Parameters by name, as a {@link Statement}'s `order` asks for them. */
export type Values = Readonly<Record<string, Value>> & { readonly [IN_ORDER]?: readonly Value[] };

/** A row as it comes: column name to raw value. On Postgres all values are text, whatever the host's parsers say. */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** What `transaction`, `session` and `script` may be told. */
export interface RunOptions {
  /**
   * Cancels the running statement on the server (SQLite and PGlite: it ends first); rejects with reason INTERRUPTED,
   * a transaction rolled back. A statement outside a transaction that ended all the same resolves.
   */
  readonly signal?: AbortSignal;
  /** Whether running it twice answers otherwise than once: it is not run again when it may have been committed. For those who retry; drivers do not look. */
  readonly once?: boolean;
  /** Asked when a `session`, or a `transaction` outside of one, has ended: true = its client is ended too where it can be, since foreign SQL may have left anything in it. */
  readonly spent?: () => boolean;
}

/** Facts of the server behind a connection, read once when it was opened. */
export interface ServerFacts {
  /** The server's own version text, for example `18.6` or `11.8.2-MariaDB`. */
  readonly version: string;
  /** Where the database is, in words that may be printed: never a password. */
  readonly target: string;
  /** Name of the database (Postgres, MySQL) or path of the file. */
  readonly database: string;
  /** MySQL, MariaDB: `max_allowed_packet` in bytes, where it was read. */
  readonly maxPacket?: number;
}

/** A {@link Connection} whose work is done when it returns or throws: a host's handle of better-sqlite3. */
export interface SyncConnection {
  run(statement: Statement, values: Values): number;
  rows(statement: Statement, values: Values): readonly Row[];
  runEach(statement: Statement, list: readonly Values[]): number[];
  script(text: string): void;
  /** Inside the host's transaction: a savepoint. */
  transaction<T>(fn: (tx: SyncConnection) => T): T;
}

/**
 * The port between everything above and a database package. Errors that leave it are ours: each rejection
 * passed once through `failures.ts`.
 */
export interface Connection {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  /**
   * The same without promises, where the handle that a host lent is synchronous: then a method runs its statements
   * before it returns. Absent while a savepoint is open that it would become part of.
   */
  readonly now?: SyncConnection | undefined;

  /**
   * Runs a whole transaction without giving the event loop a turn, where a host uses the same session. Absent
   * elsewhere. Waits for its turn first.
   */
  readonly transactionNow?: (<T>(fn: (tx: SyncConnection) => T) => Promise<T>) | undefined;

  /** Runs one prepared statement; resolves to the number of rows that it inserted, changed or deleted. */
  run(statement: Statement, values: Values): Promise<number>;

  /** Runs one prepared statement and resolves to its rows. */
  rows(statement: Statement, values: Values): Promise<readonly Row[]>;

  /** Runs one statement once per item, in order; resolves to the counts. Not atomic by itself: use it inside `transaction`. */
  runEach(statement: Statement, list: readonly Values[]): Promise<number[]>;

  /** Runs SQL text without parameters: any number of statements on Postgres, PGlite and SQLite, one on MySQL and MariaDB. */
  script(text: string, options?: RunOptions): Promise<void>;

  /**
   * Gives `fn` the driver's own client, for SQL that others build; nothing else runs on it meanwhile. Where it is
   * absent the connection has no client of its own: it is inside a `session` or a `transaction` only.
   */
  native?<T>(fn: (client: unknown) => Promise<T>, options?: RunOptions): Promise<T>;

  /**
   * Begins, gives `fn` a connection bound to that transaction, commits what resolves and rolls back what
   * rejects. Inside a transaction: a savepoint. On SQLite it begins IMMEDIATE.
   */
  transaction<T>(fn: (tx: Connection) => Promise<T>, options?: RunOptions): Promise<T>;

  /** Gives `fn` one physical connection for as long as it runs, without a transaction. */
  session<T>(fn: (session: Connection) => Promise<T>, options?: Pick<RunOptions, 'spent'>): Promise<T>;

  /** Idempotent. Ends what was opened here; leaves what a host lent. */
  close(): Promise<void>;
}
