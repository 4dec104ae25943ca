import type { Statement } from '../sql/statement.ts';
import { KEPT, type SqliteDriver } from './better-sqlite3.ts';
import type { Clients } from './driver.ts';
import type { SqliteDatabase } from './handles.ts';
import type { Single } from './single.ts';

/**
 * A file's two connections: one writer, whose users queue, and one reader for single statements that only
 * read: they wait for no transaction and see nothing of one that is open.
 */
export class SqliteFile implements Clients<SqliteDatabase> {
  readonly #driver: SqliteDriver;
  readonly #writer: Single<SqliteDatabase>;
  readonly #open: () => SqliteDatabase;
  readonly #reads = new Map<string, boolean>();
  #reader: SqliteDatabase | undefined;

  constructor(driver: SqliteDriver, writer: Single<SqliteDatabase>, open: () => SqliteDatabase) {
    this.#driver = driver;
    this.#writer = writer;
    this.#open = open;
  }

  acquire(statement?: Statement): SqliteDatabase | Promise<SqliteDatabase> {
    if (statement === undefined || !this.#isRead(statement)) return this.#writer.acquire();
    return this.#reader as SqliteDatabase;
  }

  tryAcquire(statement: Statement): SqliteDatabase | undefined {
    return this.#isRead(statement) ? this.#reader : this.#writer.tryAcquire();
  }

  release(client: SqliteDatabase): void {
    if (client !== this.#reader) this.#writer.release();
  }

  async close(): Promise<void> {
    this.#reader?.close();
    await this.#writer.close();
  }

  #isRead(statement: Statement): boolean {
    const { text } = statement;
    const known = this.#reads.get(text);
    if (known !== undefined) return known;
    try {
      this.#reader ??= this.#open();
      const prepared = this.#driver.prepare(this.#reader, statement);
      const read = prepared.reader && prepared.readonly;
      if (this.#reads.size >= KEPT) this.#reads.clear();
      this.#reads.set(text, read);
      return read;
    } catch {
      // The writer meets the same error where it is reported; a table may also still come.
      return false;
    }
  }
}
