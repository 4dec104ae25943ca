import type { ColumnType } from '../model/tables.ts';
import type { Client } from './builder.ts';

/** A raw value of a row, as a driver gives it. */
export type Raw = string | number | bigint;

/**
 * How many rows reach a table at once: `arrays`, one for each column and `element` the type inside; `rows`, VALUES of
 * a few fixed sizes, greatest first; `each`, one statement run once for each row.
 */
export type BulkForm =
  | { readonly form: 'arrays'; readonly element: Readonly<Record<ColumnType, string>> }
  | { readonly form: 'rows'; readonly sizes: readonly number[] }
  | { readonly form: 'each' };

/** What an engine is: facts, and the SQL forms in which it takes and gives each type of column. */
export interface Engine {
  readonly client: Client;
  /** Whether tables are qualified with the schema. */
  readonly schemas: boolean;
  /** How many rows reach a table at once. */
  readonly bulk: BulkForm;
  /** Whether an INSERT can leave a stored key alone; else it is refused with AlreadyExistsError. */
  readonly insertKeepsFirst: boolean;
  /**
   * Whether a read sees what a write has just met only when it locks: in a host's REPEATABLE READ a plain one is of
   * the transaction's first moment. A share lock, which the refused insert has already.
   */
  readonly shareToSee?: true;
  /** Whether `(a, b) > (?, ?)` is an index range. */
  readonly rowRange: boolean;
  /**
   * How a read is held to an index; `??` is its name. Absent where the planner finds the index of an order by
   * itself: MySQL takes another one and sorts, MariaDB starts from the order's end and skips what the cursor passed.
   */
  readonly indexHint?: string;
  /**
   * How the bound of an ordered read is written where its planner may not see the number: `$1` is the parameter,
   * `none` what an unbounded read gets. Absent: as a plain parameter.
   */
  readonly limit?: { readonly bound: string; readonly none?: string };
  /**
   * How an edge of an ordered read is written where its planner may not see the value; `?` is the parameter. Absent: as
   * a plain parameter.
   */
  readonly edgeForm?: string;
  /** Greatest size of a row in bytes, or the query that asks the server (one row, column `bytes`). */
  readonly rowBytes: number | string;
  /** How a parameter of a type is written; `?` is its place. */
  readonly write: Readonly<Record<ColumnType, string>>;
  /** How a column of a type is read; `??` is its place. */
  readonly read: Readonly<Record<ColumnType, string>>;
  /**
   * The later of a time parameter `?` and a column `??` plus one millisecond, at most the last moment. Absent where
   * UPDATE cannot give it back: the time is then reckoned here.
   */
  readonly later?: string;
  /** Whether INSERT can give back the rows that it wrote. */
  readonly returns: boolean;
  /**
   * The function of our schema that takes the next place of a session and stores an event there, all in one round
   * trip. Absent: a short transaction does it.
   */
  readonly appendFunction?: string;
  /**
   * The physical address of a row and how a DELETE takes those that a query (`?`) finds. Absent where there is none:
   * a DELETE joins the query then.
   */
  readonly rowAddress?: { readonly column: string; readonly among: string };
  /** How pages that deletes left free are given back to the disk, where nothing else does that. */
  readonly reclaim?: {
    /** Reads their number, as `pages`. */
    readonly free: string;
    /** Frees some of them. */
    readonly some: string;
    /** Lets the file shrink. */
    readonly end: string;
  };
  /** What compares vectors here; absent: nothing does. */
  readonly vectors?: {
    readonly kind: 'pgvector' | 'sqlite-vec';
    /** Whether a vector may be a parameter in its binary form. */
    readonly binary: boolean;
    /** Whether an index is built while others write. */
    readonly concurrent: boolean;
  };
  /** A moment in milliseconds as a parameter. */
  readonly time: (ms: number) => string | number;
  /** A text column as read. */
  readonly text: (raw: Raw) => string;
}
