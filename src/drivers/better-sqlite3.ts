import { ChronosError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { Row, ServerFacts, Value, Values } from './connection.ts';
import { type Clients, type Driver, ordered, type Result } from './driver.ts';
import { isBusy, sqliteFinding } from './failures/sqlite.ts';
import { failure, type Where } from './failures.ts';
import type { SqliteDatabase, SqliteStatement } from './handles.ts';
import { loadSqliteVec } from './sqlite-vec.ts';

/** Prepared statements kept for each database; the library itself has far fewer. */
export const KEPT = 256;

/** How long to wait for another process's lock, without blocking the event loop, in ms. */
const BUSY = 5_000;

/** better-sqlite3: synchronous, so nothing can be cancelled while it runs. */
export class SqliteDriver implements Driver<SqliteDatabase> {
  readonly dialectName = 'sqlite';
  readonly server: ServerFacts;
  readonly clients: Clients<SqliteDatabase>;
  readonly alone = false;
  readonly inProcess = true;
  readonly #prepared = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();
  readonly #cancelled = new WeakSet<SqliteDatabase>();

  constructor(server: ServerFacts, clients: (driver: SqliteDriver) => Clients<SqliteDatabase>) {
    this.server = server;
    this.clients = clients(this);
  }

  async execute(db: SqliteDatabase, statement: Statement, values: Values): Promise<Result> {
    if (db.inTransaction) return this.executeNow(db, statement, values);
    const list = ordered(statement, values);
    const prepared = this.prepare(db, statement);
    return this.#whileBusy(db, () => perform(prepared, list));
  }

  tryNow(statement: Statement, values: Values): Result | undefined {
    const db = this.clients.tryAcquire?.(statement);
    if (db === undefined) return undefined;
    try {
      // A host's may be in a transaction of its own.
      return db.inTransaction ? undefined : perform(this.prepare(db, statement), ordered(statement, values));
    } catch (error) {
      // Whatever else failed may have left something, a host's trigger with `raise(fail)` does: it is not run again.
      if (isBusy(error)) return undefined;
      const { target } = this.server;
      throw this.failure(error, { doing: statement.name, phase: 'statement', target });
    } finally {
      this.clients.release(db, 'good');
    }
  }

  /** Inside a transaction nothing waits. */
  executeNow(db: SqliteDatabase, statement: Statement, values: Values): Result {
    const list = ordered(statement, values);
    const prepared = this.prepare(db, statement);
    return this.#inside(db, statement.name, () => perform(prepared, list));
  }

  async executeEach(db: SqliteDatabase, statement: Statement, list: readonly Values[]): Promise<number[]> {
    const prepared = this.prepare(db, statement);
    if (db.inTransaction) {
      const all = () => list.map((values) => perform(prepared, ordered(statement, values)).count);
      return this.#inside(db, statement.name, all);
    }
    const counts: number[] = [];
    for (const values of list) {
      const row = ordered(statement, values);
      counts.push((await this.#whileBusy(db, () => perform(prepared, row))).count);
    }
    return counts;
  }

  async script(db: SqliteDatabase, text: string): Promise<void> {
    this.scriptNow(db, text);
  }

  scriptNow(db: SqliteDatabase, text: string): void {
    if (!db.inTransaction) db.exec(text);
    else this.#inside(db, 'script', () => db.exec(text));
  }

  async begin(db: SqliteDatabase): Promise<void> {
    await this.#whileBusy(db, () => db.exec('begin immediate'));
  }

  async commit(db: SqliteDatabase): Promise<boolean> {
    // Some errors (a full disk) end the transaction by themselves.
    if (!db.inTransaction) return false;
    await this.#whileBusy(db, () => db.exec('commit'));
    return true;
  }

  async rollback(db: SqliteDatabase): Promise<void> {
    if (db.inTransaction) db.exec('rollback');
  }

  /** Only waiting for a lock can be stopped. */
  async cancel(db: SqliteDatabase): Promise<void> {
    this.#cancelled.add(db);
  }

  async absorb(): Promise<void> {}

  abandon(): void {}

  isBroken(db: SqliteDatabase): boolean {
    return !db.open;
  }

  failure(error: unknown, where: Where): ChronosError {
    return error instanceof ChronosError ? error : failure(sqliteFinding(error, where), where);
  }

  /** The prepared form of a text, made once for each database. */
  prepare(db: SqliteDatabase, { text, needs }: Pick<Statement, 'text' | 'needs'>): SqliteStatement {
    const kept = this.#prepared.get(db) ?? new Map<string, SqliteStatement>();
    if (kept.size === 0) this.#prepared.set(db, kept);
    const known = kept.get(text);
    if (known) return known;
    if (needs !== undefined) loadSqliteVec(db);
    const prepared = db.prepare(text);
    // A host may have asked for bigints everywhere; ours are numbers within ±(2^53−1).
    if (prepared.reader) prepared.safeIntegers(false);
    if (kept.size >= KEPT) kept.clear();
    kept.set(text, prepared);
    return prepared;
  }

  /** Some errors, a full disk among them, end the transaction: the next write would commit by itself. */
  #inside<T>(db: SqliteDatabase, doing: string, task: () => T): T {
    try {
      return task();
    } catch (error) {
      if (db.inTransaction || error instanceof ChronosError) throw error;
      const where = { doing, target: this.server.target, phase: 'statement', ended: true } as const;
      throw this.failure(error, where);
    }
  }

  /** The driver's own waiting blocks the process: it is kept short, and the rest is done here. */
  async #whileBusy<T>(db: SqliteDatabase, task: () => T): Promise<T> {
    let until = 0;
    this.#cancelled.delete(db);
    for (;;) {
      try {
        return task();
      } catch (error) {
        const now = Date.now();
        until ||= now + BUSY;
        if (!isBusy(error) || now > until || this.#cancelled.has(db)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 20));
      }
    }
  }
}

function perform(prepared: SqliteStatement, values: readonly Value[]): Result {
  if (!prepared.reader) return { rows: [], count: prepared.run(...values).changes };
  const rows = prepared.all(...values) as Row[];
  return { rows, count: rows.length };
}
