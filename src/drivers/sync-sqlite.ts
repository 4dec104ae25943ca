import type { ChronosError } from '../errors.ts';
import { UnavailableError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { SqliteDriver } from './better-sqlite3.ts';
import type { Row, SyncConnection, Values } from './connection.ts';
import type { SqliteDatabase } from './handles.ts';
import { notOpen } from './not-open.ts';
import { type Doing, nameOf, type OnStatement, tell } from './observed.ts';

/** A host's open transaction on better-sqlite3, without promises: every call is done when it returns. */
export class SyncSqlite implements SyncConnection {
  readonly #driver: SqliteDriver;
  readonly #db: SqliteDatabase;
  readonly #onStatement: OnStatement;
  #lost: ChronosError | undefined;
  #depth = 0;

  constructor(driver: SqliteDriver, db: SqliteDatabase, onStatement: OnStatement) {
    this.#driver = driver;
    this.#db = db;
    this.#onStatement = onStatement;
  }

  run(statement: Statement, values: Values): number {
    const execute = () => this.#driver.executeNow(this.#db, statement, values);
    return this.#work(statement, countOf, execute).count;
  }

  rows(statement: Statement, values: Values): readonly Row[] {
    const execute = () => this.#driver.executeNow(this.#db, statement, values);
    return this.#work(statement, countOf, execute).rows;
  }

  runEach(statement: Statement, list: readonly Values[]): number[] {
    const execute = () => list.map((values) => this.#driver.executeNow(this.#db, statement, values).count);
    return this.#work(statement, sumOf, execute);
  }

  script(text: string): void {
    this.#work('script', none, () => this.#driver.scriptNow(this.#db, text));
  }

  transaction<T>(fn: (tx: SyncConnection) => T): T {
    this.#depth += 1;
    const name = `chronos_now_${this.#depth}`;
    try {
      this.begin(name);
      const result = this.#inside(name, fn);
      this.release(name);
      return result;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Begins a savepoint. */
  begin(savepoint: string): void {
    this.script(`savepoint ${savepoint}`);
  }

  /** Ends a savepoint and keeps what was done in it. */
  release(savepoint: string): void {
    this.script(`release savepoint ${savepoint}`);
  }

  /** Undoes what was done in a savepoint and ends it; in a transaction that has ended there is none left. */
  back(savepoint: string): void {
    if (this.#lost || !this.#db.inTransaction) return;
    this.script(`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`);
  }

  #inside<T>(savepoint: string, fn: (tx: SyncConnection) => T): T {
    try {
      return fn(this);
    } catch (error) {
      this.back(savepoint);
      throw error;
    }
  }

  #work<T>(doing: Doing, rowsOf: (result: T) => number, task: () => T): T {
    if (this.#lost) throw this.#lost;
    if (!this.#db.inTransaction) throw notOpen();
    const started = this.#onStatement === undefined ? 0 : performance.now();
    try {
      const result = task();
      tell(this.#onStatement, doing, started, rowsOf(result));
      return result;
    } catch (error) {
      const { target } = this.#driver.server;
      const ours = this.#driver.failure(error, { doing: nameOf(doing), phase: 'statement', target });
      if (ours instanceof UnavailableError && ours.transactionLost) this.#lost = ours;
      tell(this.#onStatement, doing, started, 0, ours);
      throw ours;
    }
  }
}

const countOf = (result: { readonly count: number }): number => result.count;
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const none = (): number => 0;
