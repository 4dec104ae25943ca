import assert from 'node:assert/strict';
import {
  type AuditLog,
  type Checkpoint,
  type Event,
  type MemoryRecord,
  newId,
  type Session,
  type Storage,
  type Trace,
} from '../index.ts';
import { event } from './expect.ts';
import { AT, auditLog, checkpoint, memoryRecord, span } from './records.ts';

/** What a text field takes. */
export interface TextRule {
  /** Code points. */
  readonly max: number;
  /** Whether `''` is refused. Default false. */
  readonly filled?: true;
  /** Whether it may be absent. Default false. */
  readonly optional?: true;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A kind of record, for cases that go over all fields of all of them. */
export interface RecordKind {
  readonly name: string;
  /** A record that nothing else in the tenant resembles: what reads find by its texts is it alone. */
  readonly make: (given?: Fields) => Fields;
  readonly store: (storage: Storage, record: Fields) => Promise<unknown>;
  /** Whether a record with a stored id replaces it. Default false. */
  readonly replaces?: true;
  /** The way of the ability `batches`, and what the argument is called. */
  readonly storeMany?: {
    readonly argument: string;
    readonly call: (storage: Storage, records: readonly Fields[]) => Promise<unknown>;
  };
  /** The reads by the record's own texts: each finds it alone. */
  readonly finds: readonly ((storage: Storage, record: Fields) => Promise<readonly Fields[]>)[];
  readonly texts: Readonly<Record<string, TextRule>>;
  readonly json: Readonly<Record<string, 'required' | 'optional'>>;
  readonly times: Readonly<Record<string, 'now' | 'optional'>>;
}

type FieldsOf<R, Type> = { [F in keyof R]-?: Exclude<R[F], undefined> extends Type ? F : never }[keyof R];
type JsonField<R> = { [F in keyof R]-?: unknown extends R[F] ? F : never }[keyof R];
/** A field of the record that is forgotten does not compile. `error` is free text: its cases stand in `traces`. */
type TextField<R> = Exclude<FieldsOf<R, string>, 'tenantId' | 'error'>;

interface Given<R> {
  readonly name: string;
  readonly make: () => object;
  readonly store: (storage: Storage, record: R) => Promise<unknown>;
  readonly replaces?: true;
  readonly storeMany?: readonly [
    argument: string,
    call: (storage: Storage, records: R[]) => Promise<unknown>,
  ];
  readonly finds: readonly ((storage: Storage, record: R) => Promise<R | readonly R[]>)[];
  readonly texts: Readonly<Record<TextField<R>, TextRule>>;
  readonly json: Readonly<Record<JsonField<R>, 'required' | 'optional'>>;
  readonly times: Readonly<Record<FieldsOf<R, Date>, 'now' | 'optional'>>;
}

// The one place that takes a record for what its kind says: cases spoil fields on purpose.
function kindOf<R extends object>({ make, store, storeMany, finds, ...facts }: Given<R>): RecordKind {
  return {
    ...facts,
    make: (given = {}) => ({ ...make(), ...given }),
    store: (storage, record) => store(storage, record as R),
    ...(storeMany && {
      storeMany: {
        argument: storeMany[0],
        call: (storage: Storage, records: readonly Fields[]) => storeMany[1](storage, records as R[]),
      },
    }),
    finds: finds.map((find) => async (storage, record) => {
      const found = await find(storage, record as R);
      return [found].flat() as readonly Fields[];
    }),
  };
}

const ID: TextRule = { max: 255, filled: true };
const AGENT: TextRule = { max: 128, filled: true };
const WORD: TextRule = { max: 64 };
const NAME: TextRule = { max: 255 };

const session = kindOf<Session>({
  name: 'session',
  make: () => ({ id: newId(), agentId: newId(), status: 'x', createdAt: AT, updatedAt: AT }),
  store: (storage, record) => storage.createSession(record),
  finds: [
    (storage, { id }) => storage.getSession(id),
    (storage, { agentId }) => storage.listSessions(agentId),
  ],
  texts: { id: ID, agentId: AGENT, status: WORD },
  json: { metadata: 'optional' },
  times: { createdAt: 'now', updatedAt: 'now' },
});

const memory = kindOf<MemoryRecord>({
  name: 'memory',
  make: () => memoryRecord({ agentId: newId(), createdAt: AT }),
  store: (storage, record) => storage.putMemory(record),
  replaces: true,
  finds: [
    (storage, { agentId, key }) => storage.getMemory(agentId, key),
    (storage, { agentId }) => storage.listMemory(agentId),
    (storage, { agentId, kind }) => storage.listMemory(agentId, kind),
  ],
  texts: {
    id: ID,
    sessionId: { ...ID, optional: true },
    agentId: AGENT,
    userId: { ...NAME, optional: true },
    kind: WORD,
    key: { max: 128 },
  },
  json: { value: 'required' },
  times: { createdAt: 'now' },
});

const audit = kindOf<AuditLog>({
  name: 'audit log',
  make: () => auditLog({ sessionId: newId(), createdAt: AT }),
  store: (storage, record) => storage.appendAuditLog(record),
  finds: [(storage, { sessionId }) => storage.listAuditLogs(sessionId)],
  texts: { id: ID, sessionId: ID, actor: NAME, action: NAME, resource: NAME },
  json: { detail: 'optional' },
  times: { createdAt: 'now' },
});

const trace = kindOf<Trace>({
  name: 'trace',
  make: () => span({ sessionId: newId(), startedAt: AT }),
  store: (storage, record) => storage.insertTrace(record),
  replaces: true,
  storeMany: ['traces', (storage, records) => storage.insertTraces(records)],
  finds: [
    (storage, { id }) => storage.getTrace(id),
    (storage, { sessionId }) => storage.listTraces(sessionId),
  ],
  texts: { id: ID, sessionId: ID, parentId: { ...NAME, optional: true }, name: NAME, kind: WORD },
  json: { input: 'optional', output: 'optional' },
  times: { startedAt: 'now', endedAt: 'optional' },
});

const events = kindOf<Event>({
  name: 'event',
  make: () => event({ sessionId: newId(), createdAt: AT }),
  store: (storage, record) => storage.appendEvent(record),
  storeMany: ['events', (storage, records) => storage.appendEvents(records)],
  finds: [(storage, { sessionId }) => storage.listEvents(sessionId)],
  texts: { id: ID, sessionId: ID, type: WORD },
  json: { payload: 'required' },
  times: { createdAt: 'now' },
});

const checkpoints = kindOf<Checkpoint>({
  name: 'checkpoint',
  make: () => checkpoint({ sessionId: newId(), createdAt: AT }),
  store: (storage, record) => storage.saveCheckpoint(record),
  replaces: true,
  finds: [
    (storage, { id }) => storage.getCheckpoint(id),
    (storage, { sessionId }) => storage.getLatestCheckpoint(sessionId),
    (storage, { sessionId }) => storage.listCheckpoints(sessionId),
  ],
  texts: { id: ID, sessionId: ID, runId: NAME, nodeId: NAME },
  json: { state: 'required' },
  times: { createdAt: 'now' },
});

/** All six. */
export const RECORD_KINDS: readonly RecordKind[] = [session, memory, audit, trace, events, checkpoints];

/** JSON fields as text: assert's own equality does not look at the order of keys. */
function shape({ json }: RecordKind, record: Fields): Fields {
  const { tenantId, ...rest } = record;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field in json ? JSON.stringify(value) : value]),
  );
}

/** Every read by the record's own texts finds the record, whole, and nothing else. */
export async function foundAlone(kind: RecordKind, storage: Storage, record: Fields): Promise<void> {
  const found = await Promise.all(kind.finds.map((find) => find(storage, record)));
  for (const read of found) {
    assert.deepEqual(
      read.map((one) => shape(kind, one)),
      [shape(kind, record)],
    );
  }
}

/** No read by the record's own texts finds anything. */
export async function foundNowhere(kind: RecordKind, storage: Storage, record: Fields): Promise<void> {
  for (const read of await Promise.allSettled(kind.finds.map((find) => find(storage, record)))) {
    if (read.status === 'fulfilled') assert.deepEqual(read.value, []);
    else assert.equal(read.reason.code, 'NOT_FOUND');
  }
}
