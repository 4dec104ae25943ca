import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Row, RunOptions, ServerFacts, Values } from '../drivers/connection.ts';
import { UnavailableError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';

/** How often one call is sent over a connection that is lost each time. */
const TRIES = 7;
/** For how long one call that others are in the way of is tried again, in milliseconds. */
const PATIENCE = 10_000;
/** The longest pause before the second try, in milliseconds; it doubles up to the last. */
const PAUSE = 20;
const LONGEST_PAUSE = 500;

interface Tried {
  readonly times: number;
  readonly since: number;
}

function worthAnother(error: unknown, once: boolean, tried: Tried): boolean {
  if (!(error instanceof UnavailableError) || !error.retryable) return false;
  // By time, not by tries: whoever SQLite passes over is passed over often, and a wait for a row lock is long.
  if (error.reason === 'CONTENTION') return performance.now() - tried.since < PATIENCE;
  return error.reason === 'CONNECTION_LOST' && tried.times < TRIES && !(once && error.maybeApplied);
}

/**
 * Runs work outside a transaction again after a deadlock, a serialization failure or a busy database, which left
 * nothing behind, for up to 10 s, and after a lost connection unless the work may have been applied and is to be
 * sent `once`.
 */
export async function retry<T>(work: () => Promise<T>, once = false): Promise<T> {
  let tried: Tried | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      tried = { times: (tried?.times ?? 0) + 1, since: tried?.since ?? performance.now() };
      if (!worthAnother(error, once, tried)) throw error;
      // Jittered, so that two who were in each other's way do not meet again.
      await sleep(Math.random() * Math.min(LONGEST_PAUSE, PAUSE * 2 ** (tried.times - 1)));
    }
  }
}

/** A connection that retries: what repositories stand on outside a transaction. Inside one there is no retry. */
export class RetryingConnection implements Connection {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly #inner: Connection;

  constructor(inner: Connection) {
    this.#inner = inner;
    this.dialectName = inner.dialectName;
    this.server = inner.server;
  }

  run(statement: Statement, values: Values): Promise<number> {
    return retry(() => this.#inner.run(statement, values), statement.once);
  }

  rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return retry(() => this.#inner.rows(statement, values), statement.once);
  }

  /** Not atomic by itself, so never repeated. */
  runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return this.#inner.runEach(statement, list);
  }

  script(text: string, options?: RunOptions): Promise<void> {
    return this.#inner.script(text, options);
  }

  transaction<T>(fn: (tx: Connection) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return retry(() => this.#inner.transaction(fn, options), options.once);
  }

  get transactionNow(): Connection['transactionNow'] {
    const inner = this.#inner;
    // Nothing that is lost on the way back: it is done, or not, when it returns.
    return inner.transactionNow && ((fn) => retry(() => inner.transactionNow!(fn)));
  }

  session<T>(fn: (session: Connection) => Promise<T>): Promise<T> {
    return this.#inner.session(fn);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
