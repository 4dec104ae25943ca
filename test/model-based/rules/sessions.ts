import type { Session, SessionFilter } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, told } from '../modelled.ts';
import { type Order, page, sliced, sorted } from '../order.ts';
import { LATEST } from '../pools.ts';

const NEWEST: Order<Session> = {
  positionOf: ({ createdAt, id }) => ({ at: createdAt.getTime(), id }),
  descending: true,
};

function stored({ state }: Place, id: string): Session {
  const found = state.sessions.get(id);
  if (!found) throw new Refusal('NOT_FOUND', { record: 'session', id });
  return found;
}

function matching({ state }: Place, { agentId = '', status = '' }: SessionFilter = {}): Session[] {
  return sorted(NEWEST, state.sessions.values()).filter(
    (one) => (agentId === '' || one.agentId === agentId) && (status === '' || one.status === status),
  );
}

/** The latest of now, the given and the stored + 1 ms; which now it was is the store's to say. */
function grown({ seen }: Place, before: Date, given: Date | undefined): Date {
  const least = Math.max(Math.min(before.getTime() + 1, LATEST), given?.getTime() ?? 0);
  const [from, to] = [Math.max(seen.before, least), Math.max(seen.after, least)];
  const { updatedAt } = (seen.value ?? {}) as { readonly updatedAt?: Date };
  const at = updatedAt?.getTime() ?? from;
  return new Date(at >= from && at <= to ? at : from);
}

function put(at: Place, session: Session): Session {
  at.state.sessions.set(session.id, session);
  return session;
}

export const sessions: Rules<
  | 'createSession'
  | 'getSession'
  | 'updateSession'
  | 'updateSessionStatus'
  | 'listSessions'
  | 'listSessionsPaged'
  | 'iterateSessions'
> = {
  createSession(at, { id, createdAt, updatedAt, ...rest }) {
    if (at.state.sessions.has(id)) throw new Refusal('ALREADY_EXISTS', { record: 'session', id });
    const times = { createdAt: told(createdAt), updatedAt: told(updatedAt) };
    put(at, { ...rest, ...times, id, tenantId: at.tenantId });
  },
  getSession: stored,
  updateSession(at, { id, status, updatedAt, ...given }, { ifUpdatedAt } = {}) {
    const { metadata: _, ...before } = stored(at, id);
    const expected = ifUpdatedAt?.getTime();
    if (expected !== undefined && (expected !== before.updatedAt.getTime() || expected === LATEST)) {
      throw new Refusal('CONFLICT');
    }
    const metadata = given.metadata === undefined ? {} : { metadata: given.metadata };
    return put(at, { ...before, ...metadata, status, updatedAt: grown(at, before.updatedAt, updatedAt) });
  },
  updateSessionStatus(at, id, status) {
    const before = stored(at, id);
    return put(at, { ...before, status, updatedAt: grown(at, before.updatedAt, undefined) });
  },
  listSessions: (at, agentId = '', limit, offset) => sliced(matching(at, { agentId }), limit, offset),
  listSessionsPaged(at, filter, limit, cursor, options) {
    const records = matching(at, filter);
    const asked = { method: 'listSessionsPaged', order: NEWEST, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { sessions: rows, nextCursor };
  },
  iterateSessions: (at, filter) => matching(at, filter),
};
