import { errorText, type Finding, type Verdict, type Where } from '../failures.ts';

/** SQLITE_… → what it means; the primary code stands for the extended ones not listed. */
const CODES: Readonly<Record<string, Verdict>> = {
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT: 'other',
  SQLITE_BUSY: 'contention',
  SQLITE_LOCKED: 'contention',
  SQLITE_FULL: 'full',
  // The file beside it could not grow: a full disk that was met there first (seen on a tmpfs).
  SQLITE_IOERR_SHMSIZE: 'full',
  SQLITE_READONLY: 'readOnly',
  SQLITE_PERM: 'readOnly',
  SQLITE_NOTADB: 'badTarget',
  SQLITE_CORRUPT: 'other',
  SQLITE_TOOBIG: 'tooLarge',
  SQLITE_INTERRUPT: 'timeout',
};

/** What an error of better-sqlite3 means. */
export function sqliteFinding(cause: unknown, where: Where): Finding {
  const code = errorText(cause, 'code');
  return { cause, code, verdict: verdictOf(code, errorText(cause, 'message') ?? '', where) };
}

function verdictOf(code: string | undefined, message: string, where: Where): Verdict {
  if (code === undefined) return 'other';
  // Once open, a file that cannot be opened is its journal, on a mount that takes no writes.
  if (code.startsWith('SQLITE_CANTOPEN')) return where.phase === 'connect' ? 'badTarget' : 'readOnly';
  // SQLITE_ERROR has no finer code for a missing table.
  if (code === 'SQLITE_ERROR') return /^no such (table|column)/.test(message) ? 'schema' : 'other';
  if (Object.hasOwn(CODES, code)) return CODES[code] ?? 'other';
  const primary = code.split('_', 2).join('_');
  return Object.hasOwn(CODES, primary) ? (CODES[primary] ?? 'other') : 'other';
}

/** Whether another connection holds the lock: nothing was applied, and the same statement may be sent again. */
export function isBusy(error: unknown): boolean {
  return errorText(error, 'code')?.startsWith('SQLITE_BUSY') ?? false;
}
