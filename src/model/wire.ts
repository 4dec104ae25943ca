import { InvalidArgumentError } from '../errors.ts';
import { checkDate, checkInteger, checkObject, checkText } from './check.ts';
import { jsonText } from './json.ts';
import type {
  NewAuditLog,
  NewCheckpoint,
  NewEvent,
  NewMemoryRecord,
  NewSession,
  NewTrace,
} from './records.ts';
import {
  AUDIT_LOGS,
  CHECKPOINTS,
  type Column,
  EVENTS,
  MEMORY,
  RECORD_TABLES,
  SESSIONS,
  type Table,
  TRACES,
} from './tables.ts';

/** What {@link fromWire} gives, by kind: a record as its method takes it, so that what is absent stays absent. */
export interface WireRecords {
  readonly session: NewSession;
  readonly memory: NewMemoryRecord;
  readonly auditLog: NewAuditLog;
  readonly trace: NewTrace;
  readonly event: NewEvent;
  readonly checkpoint: NewCheckpoint;
}

/** Which record a wire form holds. */
export type WireKind = keyof WireRecords;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

type WireValue<Value> = unknown extends Value ? Value : Value extends Date ? string : Value;

/** The wire form of a record: its fields under their snake_case keys, Dates as ISO 8601 texts. */
export type Wire<Given> = {
  [Field in keyof Given as SnakeCase<Field & string>]: WireValue<Given[Field]>;
};

const TABLES: Readonly<Record<WireKind, Table>> = {
  session: SESSIONS,
  memory: MEMORY,
  auditLog: AUDIT_LOGS,
  trace: TRACES,
  event: EVENTS,
  checkpoint: CHECKPOINTS,
};

/** Every column once, times last: one of the same name holds the same in every record. */
const COLUMNS: readonly Column[] = [
  ...new Map(RECORD_TABLES.flatMap(({ columns }) => columns).map((one) => [one.name, one])).values(),
].sort((a, b) => Number(a.type === 'time') - Number(b.type === 'time'));

/**
 * A record in its JSON wire form: the keys are `tenant_id`, `seq_num` and so on, Dates are ISO 8601 in UTC. JSON
 * fields (`payload`, `state`, …) are passed on as they are, absent ones stay absent, anything else is left out.
 *
 * @throws InvalidArgumentError that names the field which no record can hold.
 *
 * @example
 * ```ts
 * const [event] = await storage.listEvents('s');
 * response.end(JSON.stringify(toWire(event)));
 * ```
 */
export function toWire<Given extends WireRecords[WireKind]>(record: Given): Wire<Given> {
  const given = checkObject('record', record);
  const wire: Record<string, unknown> = {};
  for (const column of COLUMNS) {
    const value = given[column.field];
    if (value === undefined) continue;
    wire[column.name] =
      column.type === 'time'
        ? new Date(checkDate(column.field, value)).toISOString()
        : checkValue(column, column.field, value);
  }
  // The columns are the fields, as the type says of both.
  return wire as Wire<Given>;
}

/**
 * The record in a wire form, given as JSON text or as the object parsed from it. Keys that are not of this kind are
 * ignored; a moment may have any offset and is cut to milliseconds; an `ended_at` of the year 1, Go's zero time,
 * is that of an open span: absent.
 *
 * @throws InvalidArgumentError that names the key which is missing or holds what the field cannot.
 *
 * @example
 * ```ts
 * await storage.appendEvent(fromWire('event', '{"id":"e","session_id":"s","type":"message","payload":"Hi"}'));
 * ```
 */
export function fromWire<Kind extends WireKind>(kind: Kind, json: string | object): WireRecords[Kind] {
  if (!Object.hasOwn(TABLES, kind)) {
    throw new InvalidArgumentError('kind', `must be one of ${Object.keys(TABLES).join(', ')}`);
  }
  const given = checkObject('json', typeof json === 'string' ? parsed(json) : json);
  const record: Record<string, unknown> = {};
  for (const column of TABLES[kind].columns) {
    const value = fromWireValue(column, given[column.name]);
    if (value !== undefined) record[column.field] = value;
    else if (!mayBeAbsent(kind, column)) throw new InvalidArgumentError(column.name, 'is required');
  }
  // The columns of the table are the fields of its record.
  return record as unknown as WireRecords[Kind];
}

/** What the store fills in. */
function mayBeAbsent(kind: WireKind, { name, type, optional }: Column): boolean {
  return optional || type === 'time' || name === 'tenant_id' || (kind === 'event' && name === 'seq_num');
}

function fromWireValue(column: Column, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (column.type !== 'time') return checkValue(column, column.name, value);
  if (column.optional && value === GO_ZERO_TIME) return undefined;
  return new Date(checkDate(column.name, moment(column.name, value)));
}

/** A value that is no moment, refused with its `path` when its column could not hold it. */
function checkValue(column: Column, path: string, value: unknown): unknown {
  switch (column.type) {
    case 'json':
      if (column.textual && typeof value !== 'string') {
        throw new InvalidArgumentError(path, 'must be a string');
      }
      jsonText(path, value);
      return value;
    case 'int':
      return checkInteger(path, value);
    default:
      return checkText(path, value, column);
  }
}

const GO_ZERO_TIME = '0001-01-01T00:00:00Z';
/** RFC 3339, as Go writes it too: up to nanoseconds, any offset. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

function moment(path: string, value: unknown): Date {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  const found = new Date(day === undefined ? Number.NaN : String(value));
  // Date takes the 30th of February for the 1st of March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(found.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    throw new InvalidArgumentError(path, 'must be a moment as RFC 3339 writes it: 2025-01-31T23:59:59.999Z');
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be anybody's.
    throw new InvalidArgumentError('json', 'is not JSON');
  }
}
