import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../errors.ts';
import { SqliteDriver } from './better-sqlite3.ts';
import type { SyncConnection } from './connection.ts';
import type { SqliteDatabase } from './handles.ts';
import { type OnStatement, tell } from './observed.ts';
import { Single } from './single.ts';
import { lentFacts } from './sqlite-open.ts';
import { SyncSqlite } from './sync-sqlite.ts';

/** How long a call waits for the end of a transaction that its host, or another storage, has open, in ms. */
const PATIENCE = 10_000;

/**
 * A host's Database, which is one session for the host, for us, and for every other storage on it. Nothing of ours may fall into a transaction of the
 * host's, which may roll it back, and nothing of the host's into ours.
 */
export class BorrowedSqliteDriver extends SqliteDriver {
  constructor(db: SqliteDatabase) {
    super(lentFacts(db, `sqlite:${db.name}`), () => new Single(db, async () => {}));
  }

  /** Waits while the host has a transaction open; undefined when it has none now. */
  untilFree(db: SqliteDatabase): Promise<void> | undefined {
    return db.inTransaction ? this.#ended(db) : undefined;
  }

  /** Begins, works and commits before it returns: the host, on the same session, can put nothing in between. */
  atOnce<T>(db: SqliteDatabase, onStatement: OnStatement, fn: (tx: SyncConnection) => T): T {
    this.#send(db, onStatement, 'begin', 'begin immediate');
    try {
      const result = fn(new SyncSqlite(this, db, onStatement));
      this.#send(db, onStatement, 'commit', 'commit');
      return result;
    } catch (error) {
      // Some errors (a full disk) end the transaction by themselves.
      if (db.inTransaction) db.exec('rollback');
      throw error;
    }
  }

  async #ended(db: SqliteDatabase): Promise<void> {
    const until = performance.now() + PATIENCE;
    while (db.inTransaction) {
      if (performance.now() > until) {
        const { target } = this.server;
        throw new UnavailableError(`somebody else has a transaction open on this Database (${target})`, {
          reason: 'LOCK_TIMEOUT',
          retryable: true,
          hint: 'end it, or lend it: storage.using(db)',
        });
      }
      await sleep(2);
    }
  }

  #send(db: SqliteDatabase, onStatement: OnStatement, name: string, text: string): void {
    const started = onStatement === undefined ? 0 : performance.now();
    try {
      db.exec(text);
      tell(onStatement, name, started, 0);
    } catch (error) {
      const ours = this.failure(error, { doing: name, phase: 'statement', target: this.server.target });
      tell(onStatement, name, started, 0, ours);
      throw ours;
    }
  }
}
