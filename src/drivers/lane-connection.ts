import { UnavailableError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';
import type { Connection, Row, RunOptions, ServerFacts, Values } from './connection.ts';
import type { Lane } from './lane.ts';
import { Siblings } from './siblings.ts';

/** A Connection over one client that somebody holds: a session, a transaction, or a savepoint inside one. */
export class LaneConnection<C> implements Connection {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly #lane: Lane<C>;
  /** 0 in a session, 1 in a transaction, more in its savepoints. */
  readonly #depth: number;
  readonly #siblings = new Siblings();

  constructor(lane: Lane<C>, depth: number) {
    this.#lane = lane;
    this.#depth = depth;
    this.dialectName = lane.driver.dialectName;
    this.server = lane.driver.server;
  }

  run(statement: Statement, values: Values): Promise<number> {
    return this.#outside(() => this.#lane.run(statement, values));
  }

  rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return this.#outside(() => this.#lane.rows(statement, values));
  }

  runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return this.#outside(() => this.#lane.runEach(statement, list));
  }

  script(text: string, options: RunOptions = {}): Promise<void> {
    const lane = this.#lane;
    const listen = { signal: options.signal, doing: 'script', recover: this.#depth === 0 };
    return lane.interruptible(listen, () => lane.script(text));
  }

  native<T>(fn: (client: unknown) => Promise<T>, { signal }: RunOptions = {}): Promise<T> {
    const lane = this.#lane;
    const { driver, client } = lane;
    return lane.interruptible({ signal, doing: 'code', recover: this.#depth === 0 }, () =>
      lane.work('code', 'script', none, () => fn(driver.native?.(client) ?? client)),
    );
  }

  transaction<T>(fn: (tx: Connection) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return this.#siblings.hold(() =>
      this.#depth === 0
        ? inTransaction(this.#lane, fn, options)
        : inSavepoint(this.#lane, this.#depth, fn, options),
    );
  }

  /** Inside a transaction, not while a savepoint of it is open: its rollback would take the statement along. */
  #outside<T>(task: () => Promise<T>): Promise<T> {
    return this.#depth === 0 ? task() : this.#siblings.through(task);
  }

  session<T>(fn: (session: Connection) => Promise<T>): Promise<T> {
    return fn(this);
  }

  /** Does nothing: who holds the client ends it. */
  async close(): Promise<void> {}
}

/** Runs `fn` between begin and commit on the lane's client. */
export async function inTransaction<C, T>(
  lane: Lane<C>,
  fn: (tx: Connection) => Promise<T>,
  options: RunOptions,
): Promise<T> {
  const { driver, client } = lane;
  const { signal } = options;
  return lane.interruptible({ signal, doing: 'transaction', recover: true }, async (off) => {
    await lane.work('begin', 'statement', none, () => driver.begin(client, signal !== undefined));
    return committed(lane, fn, off);
  });
}

async function committed<C, T>(
  lane: Lane<C>,
  fn: (tx: Connection) => Promise<T>,
  off: () => void,
): Promise<T> {
  try {
    if (lane.stopped) throw lane.stopped;
    const result = await fn(new LaneConnection(lane, 1));
    // Who swallowed the error that ended the transaction must not take it for committed.
    if (lane.stopped) throw lane.stopped;
    off();
    const done = await lane.work('commit', 'statement', none, () => lane.driver.commit(lane.client));
    if (!done) throw rolledBack(lane);
    return result;
  } catch (error) {
    await lane.rollback();
    throw error;
  }
}

/** Runs `fn` between a savepoint and its release. */
async function inSavepoint<C, T>(
  lane: Lane<C>,
  depth: number,
  fn: (tx: Connection) => Promise<T>,
  options: RunOptions,
): Promise<T> {
  const name = `chronos_${depth}`;
  const send = (text: string) =>
    lane.work(text, 'statement', none, () => lane.driver.script(lane.client, text));
  const listen = { signal: options.signal, doing: 'transaction', recover: false };
  return lane.interruptible(listen, async () => {
    await send(`savepoint ${name}`);
    try {
      const result = await fn(new LaneConnection(lane, depth + 1));
      await send(`release savepoint ${name}`);
      return result;
    } catch (error) {
      // In a transaction that is lost there is no savepoint left to go back to.
      if (!lane.stopped) await send(`rollback to savepoint ${name}`);
      throw error;
    }
  });
}

const none = (): number => 0;

function rolledBack(lane: Lane<unknown>): UnavailableError {
  return new UnavailableError(
    `commit: the server rolled back, since a statement of the transaction had failed (${lane.driver.server.target})`,
    { reason: 'DATABASE_ERROR', transactionLost: true },
  );
}
