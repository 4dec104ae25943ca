import type { Connection } from '../drivers/connection.ts';
import type { Work } from '../repositories/work.ts';
import type { Row } from './check.ts';
import type { Node } from './filter.ts';
import type { Search } from './search.ts';
import type { Collection, Explained, IndexOptions } from './types.ts';
import type { Wanted } from './wanted.ts';

/** A collection and where it is. */
export interface Placed extends Collection {
  /** Of its table; never given twice. */
  readonly number: number;
  /** Whether an index answers its searches. */
  readonly indexed: boolean;
}

/** A row that was found. */
export interface Found {
  readonly id: string;
  readonly metadata: string | null;
  readonly content: string | null;
  /** Where vectors were asked for. */
  readonly vector?: Float32Array;
  /** From the query; where there was one. */
  readonly distance?: number;
}

/** Whose rows of which collection. */
export interface Target {
  readonly collection: Placed;
  readonly tenant: string;
}

/** A query for the nearest rows. */
export interface Nearest extends Search {
  readonly query: Float32Array;
}

/** How an index is built. */
export type BuildOptions = Pick<IndexOptions, 'signal' | 'onProgress'>;

/** What a database must do to keep vectors. All of it as steps for whoever holds a connection. */
export interface VectorEngine {
  /** The collection of this name. */
  find(name: string): Work<Placed | undefined>;
  /** All collections, by name. */
  list(): Work<readonly Placed[]>;
  /** Makes what is wanted unless the name is taken; in a transaction of its own. */
  create(wanted: Wanted): Work<void>;
  /** Removes a collection and its rows; in a transaction of its own. */
  drop(collection: Placed): Work<void>;
  /** Stores rows, which fit the collection and have different ids, all or none. */
  upsert(target: Target, rows: readonly Row[]): Work<void>;
  /** Lets the planner know of many new rows, where that is of use. */
  settle(collection: Placed): Work<void>;
  get(target: Target, ids: readonly string[]): Work<readonly Found[]>;
  remove(target: Target, ids: readonly string[]): Work<number>;
  /** Removes the rows that pass, in bounded statements. */
  removeWhere(target: Target, filter: Node): Work<number>;
  count(target: Target): Work<number>;
  /** The nearest rows, best first, ties by id. `inside`: a transaction is open, whose settings are not ours. */
  search(target: Target, nearest: Nearest, inside: boolean): Work<readonly Found[]>;
  explain(target: Target, nearest: Nearest): Work<Explained>;
  /**
   * Reads anew what is remembered of the server, where an error may come of its being out of date; whether it was.
   * Absent: nothing is remembered.
   */
  renewed?(error: unknown): Work<boolean>;
  /** What such an error is inside a transaction, which it ended; what is remembered is forgotten. Undefined: no such. */
  insideError?(error: unknown): Error | undefined;
  /** Makes the index of a collection, where there are indexes. */
  build(connection: Connection, collection: Placed, options: BuildOptions): Promise<void>;
}
