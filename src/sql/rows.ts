import type { Value, Values } from '../drivers/connection.ts';
import { InvalidArgumentError } from '../errors.ts';
import { checkDate, checkInteger, checkObject, checkText } from '../model/check.ts';
import { jsonText } from '../model/json.ts';
import { reading } from '../model/objects.ts';
import type { Column, Table } from '../model/tables.ts';
import type { Dialect } from './dialect.ts';

/** How a record becomes the values of a row. */
export interface Encoding {
  readonly tenant: string;
  /** The record in an error's path, for example `events[3]`. Default its kind, and its fields are named alone. */
  readonly path?: string | undefined;
  /** The moment that a missing time stands for, in milliseconds. Default now. */
  readonly now?: number;
  /** Greatest size of the row in bytes. */
  readonly maxBytes: number;
  /** A column whose field may be absent: it is then left out of the values. */
  readonly later?: string;
}

/** One field as a value of its column. */
export function encodeField(dialect: Dialect, column: Column, value: unknown, path: string): Value {
  if (value === undefined && column.optional) return null;
  switch (column.type) {
    case 'json':
      if (column.textual && typeof value !== 'string')
        throw new InvalidArgumentError(path, 'must be a string');
      return jsonText(path, value);
    case 'time':
      return dialect.time(checkDate(path, value));
    case 'int':
      return checkInteger(path, value);
    default:
      return checkText(path, value, column);
  }
}

/** A record as the values of a row of its table, by column name. The record is read once and never changed. */
export function encode(dialect: Dialect, table: Table, given: unknown, encoding: Encoding): Values {
  const { path = table.record } = encoding;
  const record = checkObject(path, given);
  const values = reading(path, () => valuesOf(dialect, table, record, encoding));
  checkSize(table, values, encoding);
  return values;
}

function valuesOf(
  dialect: Dialect,
  table: Table,
  record: Readonly<Record<string, unknown>>,
  encoding: Encoding,
): Values {
  const { path, now = Date.now() } = encoding;
  const prefix = path === undefined ? '' : `${path}.`;
  const values: Record<string, Value> = { tenant_id: encoding.tenant };
  for (const column of table.columns) {
    if (column.name === 'tenant_id') continue;
    const value = record[column.field];
    if (value === undefined && column.name === encoding.later) continue;
    values[column.name] =
      value === undefined && column.type === 'time' && !column.optional
        ? dialect.time(now)
        : encodeField(dialect, column, value, prefix + column.field);
  }
  return values;
}

// Column values, lengths and the rest of a statement, generously.
const OVERHEAD = 16_384;

/** Refuses a row over the engine's limit: a server would drop the connection. Names its largest field. */
export function checkSize(
  table: Table,
  values: Values,
  { path, maxBytes }: Pick<Encoding, 'path' | 'maxBytes'>,
): void {
  const budget = maxBytes - OVERHEAD;
  if (3 * sizeOf(values) <= budget) return;
  let total = 0;
  let largest = { bytes: -1, field: '' };
  for (const { name, field } of table.columns) {
    const value = values[name];
    const bytes = typeof value === 'string' ? Buffer.byteLength(value) : 8;
    total += bytes;
    if (bytes > largest.bytes) largest = { bytes, field };
  }
  if (total <= budget) return;
  throw new InvalidArgumentError(
    path === undefined ? largest.field : `${path}.${largest.field}`,
    `is too large: the record takes ${total} bytes, and the server accepts ${budget} in one statement`,
  );
}

/** Length of the texts of a row in UTF-16 units: at least a third of their size in bytes. */
export function sizeOf(values: Values): number {
  let size = 0;
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') size += value.length;
  }
  return size;
}

/** The columns of a table by name. */
export function columnsOf(table: Table, ...names: readonly string[]): readonly Column[] {
  return names.map((name) => {
    const column = table.columns.find((one) => one.name === name);
    if (!column) throw new TypeError(`${table.name} has no column ${name}`);
    return column;
  });
}
