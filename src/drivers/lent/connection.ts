import type { Statement } from '../../sql/statement.ts';
import type { Connection, Row, RunOptions, ServerFacts, Values } from '../connection.ts';
import type { Lane } from '../lane.ts';
import { LaneConnection } from '../lane-connection.ts';
import { notOpen } from '../not-open.ts';

/** A transaction of a host that was found open. */
export interface Lent {
  readonly connection: Connection;
  /** Whether it still is; asked before each call. MySQL has to ask the server, the other handles tell by themselves. */
  readonly isOpen?: () => boolean | Promise<boolean>;
}

/** A Connection over {@link Lent}, which is looked for at the first call. */
export class LentConnection implements Connection {
  readonly dialectName: Connection['dialectName'];
  readonly server: ServerFacts;
  readonly #find: () => Promise<Lent>;
  #found: Promise<Lent> | undefined;

  /** `find` rejects with InvalidArgumentError where no transaction is open; it is then asked again by the next call. */
  constructor(
    { dialectName, server }: Pick<Connection, 'dialectName' | 'server'>,
    find: () => Promise<Lent>,
  ) {
    this.dialectName = dialectName;
    this.server = server;
    this.#find = find;
  }

  async run(statement: Statement, values: Values): Promise<number> {
    return (await this.#open()).run(statement, values);
  }

  async rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return (await this.#open()).rows(statement, values);
  }

  async runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return (await this.#open()).runEach(statement, list);
  }

  async script(text: string, options?: RunOptions): Promise<void> {
    return (await this.#open()).script(text, options);
  }

  async transaction<T>(fn: (tx: Connection) => Promise<T>, options?: RunOptions): Promise<T> {
    return (await this.#open()).transaction(fn, options);
  }

  async session<T>(fn: (session: Connection) => Promise<T>): Promise<T> {
    return (await this.#open()).session(fn);
  }

  /** Does nothing: the host ends what it began. */
  async close(): Promise<void> {}

  async #open(): Promise<Connection> {
    this.#found ??= this.#find();
    const found = this.#found;
    try {
      const { connection, isOpen } = await found;
      if ((await isOpen?.()) === false) throw notOpen();
      return connection;
    } catch (error) {
      if (this.#found === found) this.#found = undefined;
      throw error;
    }
  }
}

/** The lane of a handle, and the connection over it. */
interface Laned {
  readonly lane: Pick<Lane<unknown>, 'stopped' | 'inTurn'>;
  readonly connection: Connection;
}

const lanes = new WeakMap<object, Laned>();

/** The lane of a handle that serves now, if one does. */
export function knownLane(handle: object): Laned['lane'] | undefined {
  const lane = lanes.get(handle)?.lane;
  return lane?.stopped ? undefined : lane;
}

/**
 * The one lane of a handle: its statements take turns, whoever asks. After the server ended the transaction a new one
 * serves whoever comes then, with a transaction that the host began anew.
 */
export function laneOf<C>(handle: object, make: () => Lane<C>): Laned {
  const known = lanes.get(handle);
  if (known && !known.lane.stopped) return known;
  const lane = make();
  const made = { lane, connection: new LaneConnection(lane, 1) };
  lanes.set(handle, made);
  return made;
}
