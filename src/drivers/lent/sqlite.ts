import type { DialectName } from '../../sql/dialect-name.ts';
import type { Statement } from '../../sql/statement.ts';
import { SqliteDriver } from '../better-sqlite3.ts';
import type { Connection, Row, ServerFacts, SyncConnection, Values } from '../connection.ts';
import type { SqliteDatabase } from '../handles.ts';
import type { OpenOptions } from '../options.ts';
import { Siblings } from '../siblings.ts';
import { SyncSqlite } from '../sync-sqlite.ts';
import { LentClient } from './clients.ts';

/**
 * A host's open transaction on better-sqlite3. What asks for `now` runs at once; not while a savepoint of several
 * steps is open, whose rollback would take it along: then it waits for its turn as on any other engine.
 */
class SqliteTransaction implements Connection {
  readonly dialectName: DialectName = 'sqlite';
  readonly server: ServerFacts;
  readonly #sync: SyncSqlite;
  readonly #turns: Siblings;
  /** 1 in the host's transaction, more in savepoints. */
  readonly #depth: number;

  constructor(sync: SyncSqlite, server: ServerFacts, turns: Siblings, depth: number) {
    this.#sync = sync;
    this.server = server;
    this.#turns = turns;
    this.#depth = depth;
  }

  get now(): SyncConnection | undefined {
    return this.#turns.free ? this.#sync : undefined;
  }

  run(statement: Statement, values: Values): Promise<number> {
    return this.#turns.through(() => this.#sync.run(statement, values));
  }

  rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return this.#turns.through(() => this.#sync.rows(statement, values));
  }

  runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    return this.#turns.through(() => this.#sync.runEach(statement, list));
  }

  script(text: string): Promise<void> {
    return this.#turns.through(() => this.#sync.script(text));
  }

  transaction<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
    return this.#turns.hold(() => this.#savepoint(fn));
  }

  session<T>(fn: (session: Connection) => Promise<T>): Promise<T> {
    return fn(this);
  }

  /** Does nothing: the host ends what it began. */
  async close(): Promise<void> {}

  async #savepoint<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
    const name = `chronos_${this.#depth}`;
    this.#sync.begin(name);
    try {
      const result = await fn(
        new SqliteTransaction(this.#sync, this.server, new Siblings(), this.#depth + 1),
      );
      this.#sync.release(name);
      return result;
    } catch (error) {
      this.#sync.back(name);
      throw error;
    }
  }
}

/** What all who are lent a Database share. */
interface Shared {
  readonly driver: SqliteDriver;
  readonly turns: Siblings;
}

const shared = new WeakMap<SqliteDatabase, Shared>();

/** A Database of better-sqlite3 on which its host has begun a transaction: each statement looks whether it is open. */
export function lentSqlite(db: SqliteDatabase, main: Connection, options: OpenOptions): Connection {
  const server = { ...main.server, target: `sqlite:${db.name}`, database: db.name };
  const made = { driver: new SqliteDriver(server, () => new LentClient(db)), turns: new Siblings() };
  const { driver, turns } = shared.get(db) ?? made;
  shared.set(db, { driver, turns });
  return new SqliteTransaction(new SyncSqlite(driver, db, options.onStatement), server, turns, 1);
}
