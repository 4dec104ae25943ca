import type { ErrorCode, Reason } from '../errors.ts';

/** What each exit code of `chronos-migrate` means, in the words of its help. */
export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'unexpected'],
  ['2', 'usage or configuration'],
  ['3', 'cannot connect (refused, silent, login, TLS: --json tells which)'],
  ['4', 'another migrator holds the lock'],
  ['5', 'a migration failed and was rolled back'],
  ['6', 'a migration failed half-way and can be resumed'],
  ['7', 'files and log disagree (changed, missing, out of order)'],
  ['8', 'the tables are not what the migrations make (drift)'],
  ['10', 'migrations are pending'],
  ['11', 'refused: destructive without --yes, or irreversible'],
  ['12', 'the database is newer than this library'],
  ['13', 'a privilege or an extension is missing'],
  ['14', 'storage is full or read-only'],
  ['130', 'interrupted (143: terminated)'],
];

/** A record over every reason, so that a new one without an exit code does not compile. */
const BY_REASON: Readonly<Record<Reason, number>> = {
  USAGE: 2,
  BAD_URL: 2,
  UNKNOWN_TARGET: 2,
  DRIVER_MISSING: 2,
  CONNECT_REFUSED: 3,
  CONNECT_TIMEOUT: 3,
  AUTH_FAILED: 3,
  TLS_FAILED: 3,
  CONNECTION_LOST: 3,
  POOL_EXHAUSTED: 3,
  LOCK_TIMEOUT: 4,
  MIGRATION_FAILED: 5,
  CONTENTION: 5,
  TIMEOUT: 5,
  MIGRATION_PARTIAL: 6,
  CHECKSUM_MISMATCH: 7,
  MIGRATION_MISSING: 7,
  OUT_OF_ORDER: 7,
  DRIFT: 8,
  PENDING: 10,
  NOT_CONFIRMED: 11,
  IRREVERSIBLE: 11,
  SCHEMA_TOO_NEW: 12,
  PRIVILEGE: 13,
  EXTENSION_MISSING: 13,
  STORAGE_FULL: 14,
  READ_ONLY: 14,
  INTERRUPTED: 130,
  DATABASE_ERROR: 1,
};

/** For errors that carry no reason; every other class is unexpected here. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_ARGUMENT: 2,
  UNSUPPORTED: 2,
  SCHEMA_OUT_OF_DATE: 10,
  SCHEMA_TOO_NEW: 12,
};

/** The exit code of an error that carries these words. */
export function exitCodeOf(error: { readonly code: ErrorCode; readonly reason?: Reason }): number {
  return error.reason === undefined ? (BY_CODE[error.code] ?? 1) : BY_REASON[error.reason];
}
