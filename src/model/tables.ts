/**
 * How a column is held. `key`: text compared byte for byte; `text`: free text, likewise exact; `json`: JSON as
 * written; `time`: a moment in milliseconds; `int`: a whole number within ±(2^53−1).
 */
export type ColumnType = 'key' | 'text' | 'json' | 'time' | 'int';

/** One column of a table of ours. */
export interface Column {
  /** Its name in the database and on the wire. */
  readonly name: string;
  /** The record's field that it holds. */
  readonly field: string;
  readonly type: ColumnType;
  /** Whether NULL, an absent field, is allowed. */
  readonly optional: boolean;
  /** Greatest length in code points, for `key` and `text`. */
  readonly max?: number;
  /** Whether the empty string is refused. */
  readonly filled?: boolean;
  /** For `json`: the field is free text, which JSON form holds whatever is in it. */
  readonly textual?: boolean;
}

/** One table of ours: the single list of its columns. */
export interface Table {
  readonly name: string;
  /** The record's word in errors. */
  readonly record: string;
  readonly columns: readonly Column[];
}

interface Rest {
  readonly optional?: boolean;
  readonly max?: number;
  readonly filled?: boolean;
  readonly textual?: boolean;
}

function column(name: string, type: ColumnType, rest: Rest = {}): Column {
  const field = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.freeze({ name, field, type, optional: false, ...rest });
}

const id: Column = column('id', 'key', { max: 255, filled: true });
const tenant: Column = column('tenant_id', 'key', { max: 128, filled: true });
const session: Column = column('session_id', 'key', { max: 255, filled: true });

function table(name: string, record: string, columns: readonly Column[]): Table {
  return Object.freeze({ name, record, columns: Object.freeze([tenant, id, ...columns]) });
}

export const SESSIONS: Table = table('chronos_sessions', 'session', [
  column('agent_id', 'key', { max: 128, filled: true }),
  column('status', 'key', { max: 64 }),
  column('metadata', 'json', { optional: true }),
  column('created_at', 'time'),
  column('updated_at', 'time'),
]);

export const MEMORY: Table = table('chronos_memory', 'memory record', [
  column('session_id', 'key', { max: 255, optional: true, filled: true }),
  column('agent_id', 'key', { max: 128, filled: true }),
  column('user_id', 'key', { max: 255, optional: true }),
  column('kind', 'key', { max: 64 }),
  column('key', 'key', { max: 128 }),
  column('value', 'json'),
  column('created_at', 'time'),
]);

export const AUDIT_LOGS: Table = table('chronos_audit_logs', 'audit log', [
  session,
  column('actor', 'text', { max: 255 }),
  column('action', 'text', { max: 255 }),
  column('resource', 'text', { max: 255 }),
  column('detail', 'json', { optional: true }),
  column('created_at', 'time'),
]);

export const TRACES: Table = table('chronos_traces', 'trace', [
  session,
  column('parent_id', 'key', { max: 255, optional: true }),
  column('name', 'text', { max: 255 }),
  column('kind', 'key', { max: 64 }),
  column('input', 'json', { optional: true }),
  column('output', 'json', { optional: true }),
  column('error', 'json', { optional: true, textual: true }),
  column('started_at', 'time'),
  column('ended_at', 'time', { optional: true }),
]);

export const EVENTS: Table = table('chronos_events', 'event', [
  session,
  column('seq_num', 'int'),
  column('type', 'key', { max: 64 }),
  column('payload', 'json'),
  column('created_at', 'time'),
]);

export const CHECKPOINTS: Table = table('chronos_checkpoints', 'checkpoint', [
  session,
  column('run_id', 'key', { max: 255 }),
  column('node_id', 'key', { max: 255 }),
  column('state', 'json'),
  column('seq_num', 'int'),
  column('created_at', 'time'),
]);

/** The last place that the store gave out in each session. */
export const EVENT_HEADS: Table = Object.freeze({
  name: 'chronos_event_heads',
  record: 'head',
  columns: Object.freeze([tenant, session, column('head', 'int')]),
});

/** The collections of vectors: they belong to the operator, the rows of their own tables to tenants. */
export const VECTOR_COLLECTIONS: Table = Object.freeze({
  name: 'chronos_vector_collections',
  record: 'collection',
  columns: Object.freeze([
    column('number', 'int'),
    column('name', 'key', { max: 255, filled: true }),
    column('dimension', 'int'),
    column('metric', 'key', { max: 64 }),
    column('element_type', 'key', { max: 64 }),
    column('index_kind', 'key', { max: 64 }),
    column('m', 'int'),
    column('ef_construction', 'int'),
    column('created_at', 'time'),
  ]),
});

/** The tables of records, in the order in which they are made. */
export const RECORD_TABLES: readonly Table[] = Object.freeze([
  SESSIONS,
  MEMORY,
  AUDIT_LOGS,
  TRACES,
  EVENTS,
  CHECKPOINTS,
]);
