import type { NewTrace, Trace } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, told } from '../modelled.ts';
import { type Order, page, sorted } from '../order.ts';

const STARTED: Order<Trace> = { positionOf: ({ startedAt, id }) => ({ at: startedAt.getTime(), id }) };

function spans({ state }: Place, sessionId: string): Trace[] {
  return sorted(STARTED, state.traces.values()).filter((one) => one.sessionId === sessionId);
}

function putTrace({ state, tenantId }: Place, trace: NewTrace): void {
  state.traces.set(trace.id, { ...trace, startedAt: told(trace.startedAt), tenantId });
}

function storedTrace({ state }: Place, id: string): Trace {
  const found = state.traces.get(id);
  if (!found) throw new Refusal('NOT_FOUND', { record: 'trace', id });
  return found;
}

export const traces: Rules<
  | 'insertTrace'
  | 'insertTraces'
  | 'endTrace'
  | 'getTrace'
  | 'listTraces'
  | 'listTracesPaged'
  | 'iterateTraces'
> = {
  insertTrace: putTrace,
  insertTraces(at, all) {
    for (const one of all) putTrace(at, one);
  },
  endTrace(at, id, end = {}) {
    at.state.traces.set(id, { ...storedTrace(at, id), ...end, endedAt: told(end.endedAt) });
  },
  getTrace: storedTrace,
  listTraces: spans,
  listTracesPaged(at, sessionId, limit, cursor, options) {
    const records = spans(at, sessionId);
    const asked = { method: 'listTracesPaged', order: STARTED, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { traces: rows, nextCursor };
  },
  iterateTraces: spans,
};
