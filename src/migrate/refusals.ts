import { InvalidArgumentError, MigrationError } from '../errors.ts';
import type { Direction } from './types.ts';

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
