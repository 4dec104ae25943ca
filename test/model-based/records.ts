import fc, { type Arbitrary } from 'fast-check';
import type {
  NewAuditLog,
  NewCheckpoint,
  NewEvent,
  NewMemoryRecord,
  NewSession,
  NewTrace,
  SessionUpdate,
} from '../../src/index.ts';
import {
  AGENTS,
  FULL,
  IDS,
  JSONS,
  KEYS,
  KINDS,
  LAST_PLACES,
  LATEST,
  MOMENTS,
  PLACES,
  SESSIONS,
  STATUSES,
} from './pools.ts';

/** The first of a list most, the last least. */
function skewed(list: readonly string[]): Arbitrary<string> {
  return fc.constantFrom(...list.flatMap((one, n) => Array<string>(2 ** (list.length - 1 - n)).fill(one)));
}

export const id: Arbitrary<string> = fc.constantFrom(...IDS);
export const sessionId: Arbitrary<string> = skewed(SESSIONS);
export const agentId: Arbitrary<string> = skewed(AGENTS);
export const status: Arbitrary<string> = fc.constantFrom(...STATUSES);
export const kind: Arbitrary<string> = fc.constantFrom(...KINDS);
export const key: Arbitrary<string> = fc.constantFrom(...KEYS);
export const json: Arbitrary<unknown> = fc.constantFrom(...JSONS);
export const moment: Arbitrary<Date> = fc.constantFrom(...MOMENTS);
/** Of a trim: nothing is older than the first moment. */
export const cutoff: Arbitrary<Date> = fc.constantFrom(...MOMENTS.slice(1));
const changed: Arbitrary<Date> = fc.oneof(
  { weight: 12, arbitrary: moment },
  { weight: 1, arbitrary: fc.constant(new Date(LATEST)) },
);
export const place: Arbitrary<number> = fc.constantFrom(...PLACES);
const lastPlace: Arbitrary<number> = fc.constantFrom(...LAST_PLACES);

const words = {
  actor: fc.constant('who'),
  action: fc.constantFrom('read', 'write'),
  resource: fc.constant(''),
};
const plain = { noNullPrototype: true } as const;

export const session: Arbitrary<NewSession> = fc.record(
  { id: sessionId, agentId, status, metadata: json, createdAt: moment, updatedAt: changed },
  { ...plain, requiredKeys: ['id', 'agentId', 'status', 'createdAt', 'updatedAt'] },
);

export const update: Arbitrary<SessionUpdate> = fc.record(
  { id: sessionId, status, metadata: json, updatedAt: changed, agentId, createdAt: moment },
  { ...plain, requiredKeys: ['id', 'status'] },
);

export const memory: Arbitrary<NewMemoryRecord> = fc.record(
  { id, sessionId, agentId, userId: id, kind, key, value: json, createdAt: moment },
  { ...plain, requiredKeys: ['id', 'agentId', 'kind', 'key', 'value', 'createdAt'] },
);

export const auditLog: Arbitrary<NewAuditLog> = fc.record(
  { id, sessionId, ...words, detail: json, createdAt: moment },
  { ...plain, requiredKeys: ['id', 'sessionId', 'actor', 'action', 'resource', 'createdAt'] },
);

export const trace: Arbitrary<NewTrace> = fc.record(
  {
    id,
    sessionId,
    parentId: id,
    name: fc.constantFrom('one', 'two'),
    kind,
    input: json,
    output: json,
    error: fc.constantFrom('', 'why \0'),
    startedAt: moment,
    endedAt: moment,
  },
  { ...plain, requiredKeys: ['id', 'sessionId', 'name', 'kind', 'startedAt'] },
);

const unplaced = { id, sessionId, type: kind, payload: json, createdAt: moment };

/** An event that the store gives a place. */
export const unplacedEvent: Arbitrary<NewEvent> = fc.record(unplaced, plain);
export const placedEvent: Arbitrary<NewEvent> = fc
  .record({ ...unplaced, seqNum: place, last: lastPlace }, plain)
  .map(({ last, ...event }) => (event.sessionId === FULL ? { ...event, seqNum: last } : event));
export const event: Arbitrary<NewEvent> = fc.oneof(unplacedEvent, placedEvent);

export const checkpoint: Arbitrary<NewCheckpoint> = fc.record(
  { id, sessionId, runId: id, nodeId: key, state: json, seqNum: place, createdAt: moment },
  plain,
);
