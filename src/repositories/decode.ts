import type { Row } from '../drivers/connection.ts';
import type { AuditLog, Checkpoint, Event, MemoryRecord, Session, Trace } from '../model/records.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Raw } from '../sql/engine.ts';

/**
 * The record in a row. Written out for each: one loop over any table's columns takes twice as long, and a page is
 * mostly this. An optional field that is NULL is absent.
 */
export type Decode<T> = (dialect: Dialect, row: Row) => T;

type Found = Row[string] | undefined;

/** Of a column that holds no NULL. */
const text = (dialect: Dialect, raw: Found): string => dialect.text(raw as Raw);
const json = (raw: Found): unknown => JSON.parse(String(raw));
const time = (raw: Found): Date => new Date(Number(raw));
const isThere = (raw: Found): raw is NonNullable<Found> => raw !== null && raw !== undefined;

export const sessionOf: Decode<Session> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  agentId: text(dialect, row.agent_id),
  status: text(dialect, row.status),
  ...(isThere(row.metadata) ? { metadata: json(row.metadata) } : undefined),
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at),
});

export const memoryOf: Decode<MemoryRecord> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  ...(isThere(row.session_id) ? { sessionId: text(dialect, row.session_id) } : undefined),
  agentId: text(dialect, row.agent_id),
  ...(isThere(row.user_id) ? { userId: text(dialect, row.user_id) } : undefined),
  kind: text(dialect, row.kind),
  key: text(dialect, row.key),
  value: json(row.value),
  createdAt: time(row.created_at),
});

export const auditLogOf: Decode<AuditLog> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  sessionId: text(dialect, row.session_id),
  actor: text(dialect, row.actor),
  action: text(dialect, row.action),
  resource: text(dialect, row.resource),
  ...(isThere(row.detail) ? { detail: json(row.detail) } : undefined),
  createdAt: time(row.created_at),
});

export const traceOf: Decode<Trace> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  sessionId: text(dialect, row.session_id),
  ...(isThere(row.parent_id) ? { parentId: text(dialect, row.parent_id) } : undefined),
  name: text(dialect, row.name),
  kind: text(dialect, row.kind),
  ...(isThere(row.input) ? { input: json(row.input) } : undefined),
  ...(isThere(row.output) ? { output: json(row.output) } : undefined),
  ...(isThere(row.error) ? { error: String(json(row.error)) } : undefined),
  startedAt: time(row.started_at),
  ...(isThere(row.ended_at) ? { endedAt: time(row.ended_at) } : undefined),
});

export const eventOf: Decode<Event> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  sessionId: text(dialect, row.session_id),
  seqNum: Number(row.seq_num),
  type: text(dialect, row.type),
  payload: json(row.payload),
  createdAt: time(row.created_at),
});

export const checkpointOf: Decode<Checkpoint> = (dialect, row) => ({
  tenantId: text(dialect, row.tenant_id),
  id: text(dialect, row.id),
  sessionId: text(dialect, row.session_id),
  runId: text(dialect, row.run_id),
  nodeId: text(dialect, row.node_id),
  state: json(row.state),
  seqNum: Number(row.seq_num),
  createdAt: time(row.created_at),
});
