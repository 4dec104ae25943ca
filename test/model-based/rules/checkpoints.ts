import type { Checkpoint, NewCheckpoint } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, told, whole } from '../modelled.ts';
import { type Order, page, sorted } from '../order.ts';
import { appendOne } from './events.ts';

const PLACE: Order<Checkpoint> = { positionOf: ({ seqNum, id }) => ({ at: seqNum, id }), unique: true };

/** The checkpoints of a session by place. */
export function saved({ state }: Pick<Place, 'state'>, sessionId: string): Checkpoint[] {
  return sorted(PLACE, state.checkpoints.values()).filter((one) => one.sessionId === sessionId);
}

function save(at: Place, checkpoint: NewCheckpoint): void {
  const { id, sessionId } = checkpoint;
  const seqNum = whole(checkpoint.seqNum);
  const holder = saved(at, sessionId).find((one) => one.seqNum === seqNum);
  if (holder && holder.id !== id) throw new Refusal('CONFLICT');
  at.state.checkpoints.set(id, {
    ...checkpoint,
    seqNum,
    createdAt: told(checkpoint.createdAt),
    tenantId: at.tenantId,
  });
}

function notFound(id: string): never {
  throw new Refusal('NOT_FOUND', { record: 'checkpoint', id });
}

export const checkpoints: Rules<
  | 'saveCheckpoint'
  | 'saveCheckpointAndEvent'
  | 'getCheckpoint'
  | 'getLatestCheckpoint'
  | 'listCheckpoints'
  | 'listCheckpointsPaged'
  | 'iterateCheckpoints'
  | 'iterateCheckpointedSessions'
> = {
  saveCheckpoint: save,
  saveCheckpointAndEvent(at, checkpoint, event) {
    const before = at.state.checkpoints.get(checkpoint.id);
    save(at, checkpoint);
    if (event === undefined) return {};
    try {
      return appendOne(at, event);
    } catch (error) {
      if (before) at.state.checkpoints.set(checkpoint.id, before);
      else at.state.checkpoints.delete(checkpoint.id);
      throw error;
    }
  },
  getCheckpoint: ({ state }, id) => state.checkpoints.get(id) ?? notFound(id),
  getLatestCheckpoint: (at, sessionId) => saved(at, sessionId).at(-1) ?? notFound(sessionId),
  listCheckpoints: saved,
  listCheckpointsPaged(at, sessionId, limit, cursor, options) {
    const records = saved(at, sessionId);
    const asked = { method: 'listCheckpointsPaged', order: PLACE, records, limit, cursor, options };
    const { rows, nextCursor } = page(at, asked);
    return { checkpoints: rows, nextCursor };
  },
  iterateCheckpoints: saved,
  iterateCheckpointedSessions({ state }) {
    const ids = new Set([...state.checkpoints.values()].map(({ sessionId }) => sessionId));
    return sorted({ positionOf: (id) => ({ at: 0, id }) }, ids);
  },
};
