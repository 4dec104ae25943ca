import type { MemoryFilter, MemoryRecord } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, told } from '../modelled.ts';
import { type Order, page, sorted } from '../order.ts';

const OLDEST: Order<MemoryRecord> = {
  positionOf: ({ createdAt, id }) => ({ at: createdAt.getTime(), id }),
};

function remembered({ state }: Place, { agentId, kind = '' }: MemoryFilter): MemoryRecord[] {
  return sorted(OLDEST, state.memory.values()).filter(
    (one) => one.agentId === agentId && (kind === '' || one.kind === kind),
  );
}

export const memory: Rules<
  'putMemory' | 'getMemory' | 'listMemory' | 'listMemoryPaged' | 'iterateMemory' | 'deleteMemory'
> = {
  putMemory({ state, tenantId }, record) {
    const createdAt = state.memory.get(record.id)?.createdAt ?? told(record.createdAt);
    state.memory.set(record.id, { ...record, createdAt, tenantId });
  },
  getMemory(at, agentId, key) {
    const found = remembered(at, { agentId }).findLast((one) => one.key === key);
    if (!found) throw new Refusal('NOT_FOUND', { record: 'memory record', id: key });
    return found;
  },
  listMemory: (at, agentId, kind = '') => remembered(at, { agentId, kind }),
  listMemoryPaged(at, filter, limit, cursor, options) {
    const records = remembered(at, filter);
    const asked = { method: 'listMemoryPaged', order: OLDEST, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { records: rows, nextCursor };
  },
  iterateMemory: remembered,
  deleteMemory: ({ state }, id) => void state.memory.delete(id),
};
