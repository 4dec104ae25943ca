import { quoted } from '../engines/placeholders.ts';
import type { Difference } from './differences.ts';
import type { ColumnShape, IndexShape } from './shape.ts';

/** The statement that mends a difference on SQLite, or '': it alters neither columns nor constraints. */
export function sqliteMend(difference: Difference): string {
  const { table, name } = difference;
  if (difference.of === 'column' && difference.want && difference.have === undefined) {
    return `alter table ${quoted(table)} add column ${definition(difference.want)}`;
  }
  if (difference.of !== 'index') return '';
  const drop = difference.have === undefined ? [] : [`drop index ${quoted(name)}`];
  const create = difference.want === undefined ? [] : [createIndex(difference.want, table)];
  return [...drop, ...create].join('; ');
}

function definition({ name, type, nullable, fill }: ColumnShape): string {
  const filled = fill === null ? '' : ` default (${fill})`;
  return `${quoted(name)} ${type}${nullable ? '' : ' not null'}${filled}`;
}

function createIndex({ name, unique, columns }: IndexShape, table: string): string {
  return `create ${unique ? 'unique ' : ''}index ${quoted(name)} on ${quoted(table)} (${columns.map(quoted).join(', ')})`;
}
