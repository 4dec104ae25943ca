import {
  MemoryKind,
  type NewAuditLog,
  type NewCheckpoint,
  type NewMemoryRecord,
  type NewTrace,
  newId,
  TraceKind,
} from '../index.ts';

/** A moment that cases count from. */
export const AT: Date = new Date('2024-05-06T07:08:09.123Z');

/** So many milliseconds after {@link AT}. */
export function after(ms: number): Date {
  return new Date(AT.getTime() + ms);
}

/** A memory record with what a case does not care about. */
export function memoryRecord(given: Partial<NewMemoryRecord> = {}): NewMemoryRecord {
  return { id: newId(), agentId: 'agent', kind: MemoryKind.longTerm, key: 'key', value: 'value', ...given };
}

/** An audit log with what a case does not care about. */
export function auditLog(given: Partial<NewAuditLog> = {}): NewAuditLog {
  return { id: newId(), sessionId: 's', actor: 'agent', action: 'read', resource: 'file', ...given };
}

/** An open span with what a case does not care about. */
export function span(given: Partial<NewTrace> = {}): NewTrace {
  return { id: newId(), sessionId: 's', name: 'search', kind: TraceKind.toolCall, ...given };
}

/** A checkpoint with what a case does not care about. */
export function checkpoint(given: Partial<NewCheckpoint> = {}): NewCheckpoint {
  return {
    id: newId(),
    sessionId: 's',
    runId: 'run',
    nodeId: 'node',
    state: { step: 1 },
    seqNum: 1,
    ...given,
  };
}

/** A record without the tenant that the store fills in, to compare with what was given. */
export function own<T extends { readonly tenantId: string }>({ tenantId, ...rest }: T): Omit<T, 'tenantId'> {
  return rest;
}
