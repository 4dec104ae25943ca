import { type ChronosError, InvalidArgumentError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import { IN_ORDER, type Statement } from '../sql/statement.ts';
import type { Row, ServerFacts, SyncConnection, Value, Values } from './connection.ts';
import type { Where } from './failures.ts';
import type { OnStatement } from './observed.ts';

/** What a statement gave: its rows, and how many were read, inserted, changed or deleted. */
export interface Result {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** How a client comes back: of use, of none (a late cancel may hit it), or with its connection lost. */
export type Fate = 'good' | 'spoiled' | 'lost';

/** Where clients (physical connections) come from: a pool of ours, or a host's. */
export interface Clients<C> {
  /** A client for one statement, or for work whose statements are not known yet. */
  acquire(statement?: Statement): C | Promise<C>;
  /** One that nobody has now. Absent, as the answer undefined: ask `acquire`. */
  tryAcquire?(statement: Statement): C | undefined;
  /** Takes it back; one that is not good is ended. */
  release(client: C, fate: Fate): void;
  /** Ends what was opened here. Called once, when nothing is in flight. */
  close(): Promise<void>;
}

/**
 * What one database package must give; `PooledConnection` makes a Connection of it. Its methods reject with
 * the package's own errors, `failure` turns them into ours.
 */
export interface Driver<C> {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly clients: Clients<C>;
  /** Single statements run in a transaction of their own: settings then reach nobody else. */
  readonly alone: boolean;
  /** Answers come from this process, and without a turn of its event loop. */
  readonly inProcess: boolean;
  execute(client: C, statement: Statement, values: Values): Promise<Result>;
  /**
   * Runs a statement before it returns, outside a transaction and when nothing is in its way: a queue of promises takes as
   * long as a small read. Undefined: nothing was done, and `execute` is to do it. What it throws is ours.
   */
  tryNow?(statement: Statement, values: Values): Result | undefined;
  /** Once per item, in order. */
  executeEach(client: C, statement: Statement, list: readonly Values[]): Promise<number[]>;
  script(client: C, text: string): Promise<void>;
  /** Waits until nobody else's transaction is open on the client; undefined when none is now. Absent: none ever is. */
  untilFree?(client: C): Promise<void> | undefined;
  /** Runs a whole transaction before it returns. Present where others may use the client between two of our steps. */
  atOnce?<T>(client: C, onStatement: OnStatement, fn: (tx: SyncConnection) => T): T;
  /** What a query builder sends its statements to now. Default: the client. */
  native?(client: C): unknown;
  /** `cancellable`: `cancel` may be called until the transaction ends. */
  begin(client: C, cancellable: boolean): Promise<void>;
  /** Resolves to false when the server rolled back instead. */
  commit(client: C): Promise<boolean>;
  rollback(client: C): Promise<void>;
  /** Stops what the client runs now. Rejects, or resolves too early: then the client is given up. */
  cancel(client: C): Promise<void>;
  /** Lets a cancel that came too late hit nothing but this. Never rejects. */
  absorb(client: C): Promise<void>;
  /** Ends the client at once, so that what it waits for rejects. */
  abandon(client: C): void;
  /** Whether the client is of no further use. */
  isBroken(client: C): boolean;
  failure(error: unknown, where: Where): ChronosError;
}

/** The values of a statement in the order of its placeholders. */
export function ordered(statement: Statement, values: Values): Value[] {
  const { order } = statement;
  const given = values[IN_ORDER];
  if (given !== undefined) return inOrder(statement, given);
  const list = new Array<Value>(order.length);
  for (let i = 0; i < order.length; i += 1) {
    const name = order[i] as string;
    const value = values[name];
    if (value === undefined) {
      throw new InvalidArgumentError(name, `the statement ${statement.name} has no value for it`);
    }
    list[i] = value;
  }
  return list;
}

function inOrder({ name, order }: Statement, given: readonly Value[]): Value[] {
  if (given.length === order.length) return [...given];
  throw new TypeError(`${name}: ${given.length} values for ${order.length} parameters`);
}

/** `executeEach` for packages that have nothing better than one after the other. */
export async function oneByOne<C>(
  driver: Pick<Driver<C>, 'execute'>,
  client: C,
  statement: Statement,
  list: readonly Values[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const values of list) counts.push((await driver.execute(client, statement, values)).count);
  return counts;
}
