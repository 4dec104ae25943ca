import { ChronosError, ClosedError, UnavailableError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { Row, Values } from './connection.ts';
import type { Driver, Fate } from './driver.ts';
import { interrupted, type Where } from './failures.ts';
import { type Doing, nameOf, type OnStatement, tell } from './observed.ts';
import { Turns } from './turns.ts';

/** How long a cancelled statement may take to stop before its client is given up. */
const GRACE = 2_000;

/**
 * One client while somebody holds it: a statement at a time, errors turned into ours, each told to
 * `onStatement`; after the server ended the transaction, or the signal came, nothing more is sent.
 */
export class Lane<C> {
  readonly driver: Driver<C>;
  readonly client: C;
  readonly #onStatement: OnStatement;
  readonly #turns = new Turns();
  #stopped: Error | undefined;
  #ended = false;
  #interrupted = false;
  #running = 0;
  #cancelling: Promise<void> | undefined;
  #spoiled = false;
  #lost = false;
  #grace: NodeJS.Timeout | undefined;

  constructor(driver: Driver<C>, client: C, onStatement: OnStatement) {
    this.driver = driver;
    this.client = client;
    this.#onStatement = onStatement;
  }

  /** Why nothing more is sent, if so. */
  get stopped(): Error | undefined {
    // Made when it is asked for: every single call ends a lane, and an error costs as much as a small query.
    if (this.#ended) this.#stopped ??= new ClosedError('the transaction or session');
    return this.#stopped;
  }

  /** In which state the client goes back to its pool. */
  get fate(): Fate {
    if (this.#lost || this.driver.isBroken(this.client)) return 'lost';
    return this.#spoiled ? 'spoiled' : 'good';
  }

  /** Lets the client serve nobody else. */
  spend(): void {
    this.#spoiled = true;
  }

  async run(statement: Statement, values: Values): Promise<number> {
    return (
      await this.work(statement, 'statement', countOf, () =>
        this.driver.execute(this.client, statement, values),
      )
    ).count;
  }

  async rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return (
      await this.work(statement, 'statement', countOf, () =>
        this.driver.execute(this.client, statement, values),
      )
    ).rows;
  }

  runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return this.work(statement, 'statement', sumOf, () =>
      this.driver.executeEach(this.client, statement, list),
    );
  }

  script(text: string): Promise<void> {
    return this.work('script', 'script', none, () => this.driver.script(this.client, text));
  }

  /** Runs `task` when no statement of ours is on its way. Its errors are its own. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#turns.through(task);
  }

  /** Runs `task` on the client in its turn. */
  async work<T>(
    doing: Doing,
    phase: Where['phase'],
    rowsOf: (result: T) => number,
    task: () => Promise<T>,
  ): Promise<T> {
    const turn = this.#turns.take();
    if (turn) await turn;
    const started = this.#onStatement === undefined ? 0 : performance.now();
    try {
      if (this.stopped) throw this.stopped;
      this.#running += 1;
      // What ended in spite of the signal is done: a transaction is stopped before its next statement or its commit.
      const result = await task();
      if (this.#onStatement) tell(this.#onStatement, doing, started, rowsOf(result));
      return result;
    } catch (error) {
      throw this.#failed(doing, phase, error, started);
    } finally {
      this.#running -= 1;
      this.#turns.give();
    }
  }

  /**
   * Runs `fn`; meanwhile the signal stops what the client runs, and what follows. `fn` is given what takes
   * the signal off earlier. With `recover` the lane serves again afterwards, what was stopped being over.
   */
  async interruptible<T>(
    { signal, doing, recover }: { signal: AbortSignal | undefined; doing: string; recover: boolean },
    fn: (off: () => void) => Promise<T>,
  ): Promise<T> {
    if (!signal) return fn(() => {});
    const stop = () => this.#interrupt(doing);
    const off = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await fn(off);
    } finally {
      off();
      clearTimeout(this.#grace);
      if (recover && this.#interrupted) await this.#recover();
    }
  }

  /** Rolls back, whatever stopped the lane before; a client that cannot is given up. */
  async rollback(): Promise<void> {
    await this.#turns.take();
    try {
      if (!this.driver.isBroken(this.client)) await this.driver.rollback(this.client);
    } catch {
      // The error that made us roll back is the one to report; the server rolls back when the client ends.
      this.#spoiled = true;
    } finally {
      this.#turns.give();
    }
  }

  /** Ends the use of the lane: later calls reject. A promise when something still runs. */
  end(): Promise<void> | undefined {
    const turn = this.#turns.take();
    this.#ended = true;
    if (turn || this.#cancelling) return this.#settled(turn);
    this.#turns.give();
    return undefined;
  }

  async #settled(turn: Promise<void> | undefined): Promise<void> {
    await turn;
    this.#turns.give();
    await this.#cancelling;
  }

  #interrupt(doing: string): void {
    this.#interrupted = true;
    this.#stopped ??= interrupted(doing);
    if (this.#running === 0) return;
    // A late cancel may hit whatever runs next: this client serves nobody else.
    this.#spoiled = true;
    const giveUp = () => this.driver.abandon(this.client);
    // What cannot be cancelled politely is cut off: the signal must end the work.
    this.#cancelling = this.driver.cancel(this.client).catch(giveUp);
    this.#grace = setTimeout(giveUp, GRACE);
  }

  async #recover(): Promise<void> {
    await this.#cancelling;
    // A cancel that came after the end must not hit the next statement.
    if (this.#cancelling && !this.driver.isBroken(this.client)) await this.driver.absorb(this.client);
    this.#interrupted = false;
    this.#stopped = undefined;
  }

  #failed(doing: Doing, phase: Where['phase'], error: unknown, started: number): Error {
    if (error === this.#stopped && error !== undefined) return error as Error;
    let ours: Error = error instanceof ChronosError ? error : this.#translated(nameOf(doing), phase, error);
    if (this.#interrupted) ours = interrupted(nameOf(doing), error);
    else if (ours instanceof UnavailableError && ours.transactionLost) this.#stopped ??= ours;
    if (ours instanceof ChronosError && ours.reason === 'CONNECTION_LOST') this.#lost = true;
    tell(this.#onStatement, doing, started, 0, ours);
    return ours;
  }

  #translated(doing: string, phase: Where['phase'], error: unknown): ChronosError {
    return this.driver.failure(error, { doing, phase, target: this.driver.server.target });
  }
}

const countOf = (result: { readonly count: number }): number => result.count;
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const none = (): number => 0;
