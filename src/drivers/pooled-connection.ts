import { ClosedError, UnavailableError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';
import type { Connection, Row, RunOptions, ServerFacts, SyncConnection, Values } from './connection.ts';
import type { Driver, Result } from './driver.ts';
import { isTurnDue, turnOfEventLoop } from './event-loop.ts';
import { Lane } from './lane.ts';
import { inTransaction, LaneConnection } from './lane-connection.ts';
import type { StatementSeen } from './options.ts';

/** The Connection that `openConnection` gives: each call holds a client of the driver for as long as it runs. */
export class PooledConnection<C> implements Connection {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly #driver: Driver<C>;
  readonly #onStatement: ((seen: StatementSeen) => void) | undefined;
  #inFlight = 0;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  constructor(driver: Driver<C>, onStatement: ((seen: StatementSeen) => void) | undefined) {
    this.#driver = driver;
    this.#onStatement = onStatement;
    this.dialectName = driver.dialectName;
    this.server = driver.server;
  }

  async run(statement: Statement, values: Values): Promise<number> {
    const now = this.#now(statement, values);
    return now ? now.count : this.#single(statement, (lane) => lane.run(statement, values));
  }

  async rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    const now = this.#now(statement, values);
    return now ? now.rows : this.#single(statement, (lane) => lane.rows(statement, values));
  }

  runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return this.#single(statement, (lane) => lane.runEach(statement, list));
  }

  script(text: string, options: RunOptions = {}): Promise<void> {
    return this.#hold((lane) => new LaneConnection(lane, 0).script(text, options));
  }

  async transaction<T>(fn: (tx: Connection) => Promise<T>, options: RunOptions = {}): Promise<T> {
    let begun = false;
    const task = (lane: Lane<C>) =>
      inTransaction(
        lane,
        (tx) => {
          begun = true;
          return fn(tx);
        },
        options,
      );
    try {
      return await this.#hold(task, undefined, options.spent);
    } catch (error) {
      if (begun || !isLost(error)) throw error;
      return await this.#hold(task, undefined, options.spent);
    }
  }

  /** Present where a transaction runs in one go. */
  get transactionNow(): Connection['transactionNow'] {
    const driver = this.#driver;
    if (driver.atOnce === undefined) return undefined;
    return <T>(fn: (tx: SyncConnection) => T) =>
      this.#hold(async ({ client }) => driver.atOnce?.(client, this.#onStatement, fn) as T);
  }

  session<T>(fn: (session: Connection) => Promise<T>, { spent }: Pick<RunOptions, 'spent'> = {}): Promise<T> {
    return this.#hold((lane) => fn(new LaneConnection(lane, 0)), undefined, spent);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** What a statement gave that could run at once, where nobody watches. */
  #now(statement: Statement, values: Values): Result | undefined {
    const driver = this.#driver;
    if (driver.tryNow === undefined || this.#onStatement || this.#closing || isTurnDue()) return undefined;
    return driver.tryNow(statement, values);
  }

  /** A statement by itself; sent again on another client when the first was dead before anything was sent. */
  async #single<T>(statement: Statement, fn: (lane: Lane<C>) => Promise<T>): Promise<T> {
    const task = this.#driver.alone ? (lane: Lane<C>) => inTransaction(lane, () => fn(lane), {}) : fn;
    try {
      return await this.#hold(task, statement);
    } catch (error) {
      if (!isLost(error) || error.maybeApplied) throw error;
      return await this.#hold(task, statement);
    }
  }

  async #hold<T>(
    fn: (lane: Lane<C>) => Promise<T>,
    statement?: Statement,
    spent?: () => boolean,
  ): Promise<T> {
    if (this.#closing) throw new ClosedError();
    this.#inFlight += 1;
    try {
      // Before the client is held, and never inside a transaction: who holds the lock of a file keeps others waiting, and
      // on a host's own client nothing may come between the look at it and the call.
      const turn = this.#driver.inProcess ? turnOfEventLoop() : undefined;
      if (turn) await turn;
      const client = await this.#acquire(statement);
      const lane = new Lane(this.#driver, client, this.#onStatement);
      try {
        const { driver } = lane;
        for (let other = driver.untilFree?.(client); other; other = driver.untilFree?.(client)) await other;
        return await fn(lane);
      } finally {
        const busy = lane.end();
        if (busy) await busy;
        if (spent?.()) lane.spend();
        this.#driver.clients.release(client, lane.fate);
      }
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#drained?.();
    }
  }

  async #acquire(statement: Statement | undefined): Promise<C> {
    try {
      return await this.#driver.clients.acquire(statement);
    } catch (error) {
      const { target } = this.server;
      throw this.#driver.failure(error, { doing: 'connect', phase: 'connect', target });
    }
  }

  async #close(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await this.#driver.clients.close();
  }
}

function isLost(error: unknown): error is UnavailableError {
  return error instanceof UnavailableError && error.reason === 'CONNECTION_LOST';
}
