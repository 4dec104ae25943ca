import { InvalidArgumentError, MigrationError } from '../errors.ts';
import type { Direction, Migration } from './types.ts';

/** Of a side without a statement: logged as applied, it would make the first edit of its file a change of what was applied. */
export function noStatement(file: string, direction: Direction): InvalidArgumentError {
  const hint =
    direction === 'up'
      ? 'write the statement'
      : 'write the statement, or delete the file if the migration cannot be reverted';
  return new InvalidArgumentError('dir', `${file}: holds no statement; nothing was changed`, {
    reason: 'USAGE',
    hint,
  });
}

export function fileMissing(id: string, how: string): MigrationError {
  return new MigrationError(`${id} ${how}`, {
    reason: 'MIGRATION_MISSING',
    migration: id,
    hint: 'put the file back from version control',
  });
}

/** `isLast`: it is the one that `redo` would revert and apply again. */
export function edited(
  id: string,
  files: readonly Migration[],
  { isLast }: { readonly isLast: boolean } = { isLast: false },
): MigrationError {
  const now = files.find((file) => file.id === id)?.checksum?.slice(0, 12);
  return new MigrationError(`${id} was edited after it was applied (the file is ${now}… now)`, {
    reason: 'CHECKSUM_MISMATCH',
    migration: id,
    hint: isLast
      ? 'restore the file as it was; while you still write it, `redo` reverts it and applies it as it is now'
      : 'restore the file as it was, and put the change into a new migration',
  });
}

export function outOfOrder(id: string): MigrationError {
  return new MigrationError(`${id} sorts before a migration that is applied already`, {
    reason: 'OUT_OF_ORDER',
    migration: id,
    hint: 'give it a number after the last one',
  });
}

export function tooNew(id: string): MigrationError {
  return new MigrationError(`${id} was applied by a newer chronos-storage, which this one does not know`, {
    reason: 'SCHEMA_TOO_NEW',
    migration: id,
    hint: 'use the version of chronos-storage that applied it',
  });
}

export function noWayBack(id: string): MigrationError {
  return new MigrationError(`${id} has no .down.sql: it cannot be reverted; nothing was changed`, {
    reason: 'IRREVERSIBLE',
    migration: id,
    hint: 'write its .down.sql, or put the change into a new migration',
  });
}
