import type { Connection } from '../../drivers/connection.ts';
import { type Taken, whenFree } from '../../drivers/when-free.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { OURS } from '../files.ts';
import { Log, type LogRow } from '../log.ts';
import type { Step } from '../plan.ts';
import type { LogEntry, Migration } from '../types.ts';
import type { EngineOptions, LockHolder, MigrationEngine, Turn } from './engine.ts';
import { MysqlLock } from './mysql-lock.ts';
import { MysqlTurn } from './mysql-turn.ts';
import { filled } from './placeholders.ts';
import { rowsIn } from './rows-in.ts';

/** A row owed to the log waits no longer than this for the lock. */
const RECORD_TIMEOUT = 5000;

/**
 * MySQL and MariaDB: DDL commits by itself, so a file's beginning and its end are logged around it, all on
 * the connection that holds a named lock. A killed client's statement runs on in the server, and the lock
 * stays until it ends.
 */
export class MysqlEngine implements MigrationEngine {
  readonly dialectName: DialectName;
  readonly version: string;
  readonly target: string;
  readonly #connection: Connection;
  readonly #options: EngineOptions;
  readonly #log: Log;
  readonly #lock: MysqlLock;

  constructor(connection: Connection, options: EngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.dialectName = connection.dialectName;
    this.version = connection.server.version;
    this.target = connection.server.target;
    // A host's `use` must not lead to another log.
    this.#log = new Log(connection, '', `\`${connection.server.database.replaceAll('`', '``')}\`.`);
    this.#lock = new MysqlLock(connection.server.database, options);
  }

  get connection(): Connection {
    return this.#connection;
  }

  log(): Promise<readonly LogEntry[]> {
    return this.#log.read(this.#connection);
  }

  sql(step: Step): string {
    return filled(step, this.dialectName, '');
  }

  /** The built-in files may be run again from their start; a host's may not. */
  rerunnable(migration: Migration): boolean {
    return migration.namespace === OURS;
  }

  /** A host's file is logged statement by statement; what its code did nobody can know. */
  resumable(migration: Migration): boolean {
    return !this.rerunnable(migration) && migration.code === undefined;
  }

  rowsIn(table: string): Promise<number | null> {
    return rowsIn(this.#connection, table);
  }

  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return whenFree(() => this.#attempt(work), this.#options);
  }

  holder(): Promise<LockHolder | undefined> {
    return this.#lock.holder(this.#connection);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #attempt<T>(work: (turn: Turn) => Promise<T>): Promise<T | Taken> {
    let turn: MysqlTurn | undefined;
    try {
      return await this.#lock.hold(
        this.#connection,
        (session) => {
          turn = new MysqlTurn(session, this.#connection, this.#log, this.#options);
          return work(turn);
        },
        { spent: () => turn?.spent === true },
      );
    } finally {
      if (turn?.owed !== undefined) await this.#pay(turn.owed);
    }
  }

  async #pay(row: LogRow): Promise<void> {
    const { lockTimeout } = this.#options;
    try {
      await whenFree(
        () => this.#lock.hold(this.#connection, (connection) => this.#log.append(connection, row)),
        { lockTimeout: Math.min(lockTimeout, RECORD_TIMEOUT) },
      );
    } catch {
      // The interruption is what the caller must hear of; an unlogged end reads as unknown, which it then is.
    }
  }
}
