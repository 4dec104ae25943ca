import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Row, RunOptions, ServerFacts, Values } from '../drivers/connection.ts';
import { UnavailableError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';

/** How often one call is tried, and the longest pause before the second try in milliseconds; it doubles. */
const TRIES = 7;
const PAUSE = 10;

function worthAnother(error: unknown, once: boolean): boolean {
  if (!(error instanceof UnavailableError) || !error.retryable) return false;
  if (error.reason === 'CONTENTION') return true;
  return error.reason === 'CONNECTION_LOST' && !(once && error.maybeApplied);
}

/**
 * Runs work outside a transaction again after a deadlock, a serialization failure or a busy database, which left
 * nothing behind, and after a lost connection unless the work may have been applied and is to be sent `once`.
 */
export async function retry<T>(work: () => Promise<T>, once = false): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES || !worthAnother(error, once)) throw error;
      // Jittered, so that two who were in each other's way do not meet again.
      await sleep(Math.random() * PAUSE * 2 ** tried, undefined, { ref: true });
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

  session<T>(fn: (session: Connection) => Promise<T>): Promise<T> {
    return this.#inner.session(fn);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
