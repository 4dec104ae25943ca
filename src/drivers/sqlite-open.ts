import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ChronosError, InvalidArgumentError, UnsupportedError } from '../errors.ts';
import { SqliteDriver } from './better-sqlite3.ts';
import type { ServerFacts } from './connection.ts';
import type { Clients } from './driver.ts';
import { isBusy, sqliteFinding } from './failures/sqlite.ts';
import { errorText, failure } from './failures.ts';
import type { SqliteDatabase } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { Single } from './single.ts';
import { SqliteFile } from './sqlite-file.ts';
import type { SqliteTarget } from './target.ts';

/** The class that better-sqlite3 exports. */
export type SqliteClass = new (
  path: string,
  options?: { readonly?: boolean; timeout?: number },
) => SqliteDatabase;

/** How long SQLite itself waits for a lock before it says busy: it blocks the event loop meanwhile. */
const BLOCKING = 100;
/** How long opening waits for another process that sets the same file up. */
const SETUP = 10_000;

/** Opens a file, or a database in memory. */
export async function openSqlite(
  Database: SqliteClass,
  target: SqliteTarget,
  options: OpenOptions,
): Promise<SqliteDriver> {
  const memory = target.path === ':memory:';
  if (!memory) checkPlace(target.path);
  const db = make(() => new Database(target.path, { timeout: BLOCKING }), target.path);
  try {
    if (options.asIs !== true) await setUp(db, options, memory);
  } catch (error) {
    db.close();
    throw explained(error, target.path);
  }
  const server = facts(db, `sqlite:${target.path}`, target.path);
  const single = new Single(db, async () => void db.close());
  if (memory) return new SqliteDriver(server, () => single);
  const reader = () => new Database(target.path, { readonly: true, timeout: BLOCKING });
  return new SqliteDriver(
    server,
    (driver): Clients<SqliteDatabase> => new SqliteFile(driver, single, reader),
  );
}

/** What a host's database of better-sqlite3 is. */
export function lentFacts(db: SqliteDatabase, target: string): ServerFacts {
  checkEncoding(db);
  return facts(db, target, db.name);
}

/** In UTF-16 ids sort by other bytes than elsewhere, and two of them pass for one. */
function checkEncoding(db: SqliteDatabase): void {
  const encoding = String(db.pragma('encoding', { simple: true }));
  if (encoding === 'UTF-8') return;
  throw new UnsupportedError(`the database keeps its text in ${encoding}, not in UTF-8 (${db.name})`, {
    hint: 'copy its tables into a new one: the encoding is chosen before the first of them',
  });
}

function facts(db: SqliteDatabase, target: string, database: string): ServerFacts {
  const row = db.prepare('select sqlite_version() as version').all()[0] as { version: string };
  return { version: row.version, target, database };
}

/** What SQLite would only call "unable to open". */
function checkPlace(path: string): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('target', `the folder ${folder} does not exist`, {
      reason: 'BAD_URL',
      hint: `make it: mkdir -p ${folder}`,
    });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('target', `${path} is a folder, not a database file`, {
      reason: 'BAD_URL',
    });
  }
}

function make(open: () => SqliteDatabase, path: string): SqliteDatabase {
  try {
    return open();
  } catch (error) {
    const code = errorText(error, 'code');
    // The package is there, its compiled part is not, or is for another Node.
    if (code === undefined || !code.startsWith('SQLITE_')) {
      throw new UnsupportedError('better-sqlite3 is installed, but its compiled part does not load', {
        cause: error,
        reason: 'DRIVER_MISSING',
        hint: 'run `npm rebuild better-sqlite3`',
      });
    }
    throw explained(error, path);
  }
}

async function setUp(db: SqliteDatabase, options: OpenOptions, memory: boolean): Promise<void> {
  const until = Date.now() + SETUP;
  for (;;) {
    try {
      return pragmas(db, options, memory);
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 20));
    }
  }
}

function pragmas(db: SqliteDatabase, options: OpenOptions, memory: boolean): void {
  checkEncoding(db);
  // After the first page is written, journal_mode=WAL writes it, auto_vacuum stays what it is.
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = incremental');
  try {
    if (!memory) db.pragma('journal_mode = wal');
  } catch (error) {
    // A file without write permission can still be read; the first write says so.
    if (!errorText(error, 'code')?.startsWith('SQLITE_READONLY')) throw error;
  }
  db.pragma(`synchronous = ${options.synchronous ?? 'full'}`);
}

/** SQLite says "cannot open" for a mount without writes too. */
function explained(error: unknown, path: string): Error {
  if (error instanceof ChronosError) return error;
  const where = { doing: 'open', phase: 'connect', target: `sqlite:${path}` } as const;
  const found = sqliteFinding(error, where);
  if (found.code === 'SQLITE_NOTADB') {
    return new InvalidArgumentError('target', `${path} is not a SQLite database`, {
      cause: error,
      reason: 'BAD_URL',
    });
  }
  if (found.verdict !== 'badTarget') return failure(found, where);
  for (const place of [path, dirname(path)]) {
    try {
      accessSync(place, constants.W_OK);
    } catch (refusal) {
      if (errorText(refusal, 'code') === 'ENOENT') continue;
      return failure({ verdict: 'readOnly', code: found.code, cause: error }, where);
    }
  }
  return failure(found, where);
}
