import type { Appended, AppendedAll, AppendOptions, Event, NewEvent } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, told, whole } from '../modelled.ts';
import { clamped, type Order, page, sorted } from '../order.ts';

const PLACE: Order<Event> = { positionOf: ({ seqNum, id }) => ({ at: seqNum, id }) };

function ledger({ state }: Place, sessionId: string, afterSeq = Number.NEGATIVE_INFINITY): Event[] {
  return sorted(PLACE, state.events.values()).filter(
    (one) => one.sessionId === sessionId && one.seqNum > afterSeq,
  );
}

function store(at: Place, event: NewEvent, seqNum: number): void {
  at.state.events.set(event.id, {
    ...event,
    seqNum,
    createdAt: told(event.createdAt),
    tenantId: at.tenantId,
  });
}

function headOf({ state }: Place, sessionId: string): number {
  return state.heads.get(sessionId) ?? 0;
}

/** The next place of a session: above its head; without one, above the greatest place stored. */
function nextPlace(at: Place, sessionId: string): number {
  const head = at.state.heads.get(sessionId) ?? Math.max(0, ledger(at, sessionId).at(-1)?.seqNum ?? 0);
  if (head >= Number.MAX_SAFE_INTEGER) throw new Refusal('CONFLICT');
  return head + 1;
}

/** Stores an event once, at its own place or at the next. */
export function appendOne(at: Place, event: NewEvent): Appended {
  const before = at.state.events.get(event.id);
  if (before) return { inserted: false, seqNum: before.seqNum };
  const seqNum = event.seqNum === undefined ? nextPlace(at, event.sessionId) : whole(event.seqNum);
  if (event.seqNum === undefined) at.state.heads.set(event.sessionId, seqNum);
  store(at, event, seqNum);
  return { inserted: true, seqNum };
}

function checkBatch(events: readonly NewEvent[], expectedSeq: number | undefined): void {
  const without = events.findIndex(({ seqNum }) => seqNum === undefined);
  const mixed = without >= 0 && events.some(({ seqNum }) => seqNum !== undefined);
  if (mixed) throw new Refusal('INVALID_ARGUMENT', { argument: `events[${without}].seqNum` });
  if (expectedSeq === undefined) return;
  const placed = events.some(({ seqNum }) => seqNum !== undefined);
  const several = new Set(events.map(({ sessionId }) => sessionId)).size > 1;
  if (expectedSeq < 0 || placed || several)
    throw new Refusal('INVALID_ARGUMENT', { argument: 'expectedSeq' });
}

/** Only at the head that the caller expects, and only if none of the ids is stored; unless all of them are. */
function checkHead(at: Place, events: readonly NewEvent[], expectedSeq: number): void {
  const repeats = events.filter(({ id }) => at.state.events.has(id));
  if (repeats.length === events.length) return;
  const actualSeq = headOf(at, events[0]?.sessionId ?? '');
  if (repeats.length > 0 || actualSeq !== expectedSeq) {
    throw new Refusal('CONFLICT', { expectedSeq, actualSeq });
  }
}

function appendAll(at: Place, events: readonly NewEvent[], { expectedSeq }: AppendOptions = {}): AppendedAll {
  checkBatch(events, expectedSeq);
  if (expectedSeq !== undefined) checkHead(at, events, expectedSeq);
  const before = { events: new Map(at.state.events), heads: new Map(at.state.heads) };
  try {
    const all = events.map((one) => appendOne(at, one));
    return {
      inserted: all.filter(({ inserted }) => inserted).length,
      seqNums: all.map(({ seqNum }) => seqNum),
    };
  } catch (error) {
    for (const name of ['events', 'heads'] as const) {
      at.state[name].clear();
      for (const [key, value] of before[name]) at.state[name].set(key, value as never);
    }
    throw error;
  }
}

export const events: Rules<
  | 'appendEvent'
  | 'appendEvents'
  | 'listEvents'
  | 'listEventsPaged'
  | 'iterateEvents'
  | 'lastEvents'
  | 'countEvents'
> = {
  appendEvent: appendOne,
  appendEvents: appendAll,
  listEvents: ledger,
  listEventsPaged(at, sessionId, afterSeq, limit, cursor, options) {
    const records = ledger(at, sessionId, afterSeq);
    const asked = { method: 'listEventsPaged', order: PLACE, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { events: rows, nextCursor };
  },
  iterateEvents: ledger,
  lastEvents: (at, sessionId, count) => ledger(at, sessionId).slice(-clamped(count)),
  countEvents: (at, sessionId) => ledger(at, sessionId).length,
};
