import type { AuditLog } from '../../../src/index.ts';
import { type Place, type Rules, told } from '../modelled.ts';
import { type Order, page, sliced, sorted } from '../order.ts';

const NEWEST: Order<AuditLog> = {
  positionOf: ({ createdAt, id }) => ({ at: createdAt.getTime(), id }),
  descending: true,
};

function logged({ state }: Place, sessionId: string): AuditLog[] {
  return sorted(NEWEST, state.auditLogs.values()).filter((one) => one.sessionId === sessionId);
}

export const auditLogs: Rules<
  'appendAuditLog' | 'listAuditLogs' | 'listAuditLogsPaged' | 'iterateAuditLogs'
> = {
  appendAuditLog({ state, tenantId }, log) {
    if (state.auditLogs.has(log.id)) return;
    state.auditLogs.set(log.id, { ...log, createdAt: told(log.createdAt), tenantId });
  },
  listAuditLogs: (at, sessionId, limit, offset) => sliced(logged(at, sessionId), limit, offset),
  listAuditLogsPaged(at, sessionId, limit, cursor, options) {
    const records = logged(at, sessionId);
    const asked = { method: 'listAuditLogsPaged', order: NEWEST, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { auditLogs: rows, nextCursor };
  },
  iterateAuditLogs: logged,
};
