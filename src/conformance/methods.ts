import type { ErrorCode, Storage } from '../index.ts';
import { event } from './expect.ts';
import { AT, after, auditLog, checkpoint, memoryRecord, span } from './records.ts';
import type { Ability } from './suite.ts';

type NameOf<S> = { [N in keyof S]: S[N] extends (...args: never[]) => unknown ? N : never }[keyof S];
/** What belongs to no tenant, or says itself to which. */
type Untenanted =
  | 'vectors'
  | 'forTenant'
  | 'using'
  | 'transaction'
  | 'ping'
  | 'migrate'
  | 'close'
  | 'deleteTenant';
export type MethodName = Exclude<NameOf<Storage>, Untenanted>;

/** A method of the storage, on what {@link fill} stores. */
export interface Method {
  readonly does: 'reads' | 'stores' | 'changes' | 'removes';
  readonly needs?: Ability;
  readonly call: (storage: Storage) => Promise<unknown>;
  /** What it says in a tenant that holds nothing; absent: it stores something there. */
  readonly none?: { readonly code: ErrorCode } | { readonly value: unknown };
}

const OLD = after(1);
const NOT_FOUND = Object.freeze({ code: 'NOT_FOUND' as const });
const EMPTY = Object.freeze({ value: Object.freeze([]) });
const ZERO = Object.freeze({ value: 0 });
const REMOVED = { sessions: 0, memory: 0, auditLogs: 0, traces: 0, events: 0, checkpoints: 0 };

type Call = Method['call'];

function reads(call: Call, none: Method['none'] = EMPTY): Method {
  return { does: 'reads', call, none: none! };
}

function pages(name: string, call: Call): Method {
  return { ...reads(call, { value: { [name]: [], nextCursor: '' } }), needs: 'pages' };
}

function iterates(make: (storage: Storage) => AsyncIterable<unknown>): Method {
  const all = async (records: AsyncIterable<unknown>): Promise<unknown> => {
    const found: unknown[] = [];
    for await (const one of records) found.push(one);
    return found;
  };
  return { ...reads((storage) => all(make(storage))), needs: 'pages' };
}

function stores(call: Call, needs?: Ability): Method {
  return { does: 'stores', call, ...(needs && { needs }) };
}

function changes(call: Call): Method {
  return { does: 'changes', call, none: NOT_FOUND };
}

function removes(call: Call, none: unknown, needs?: Ability): Method {
  return { does: 'removes', call, none: { value: none }, ...(needs && { needs }) };
}

const SESSION = Object.freeze({ id: 's', agentId: 'agent', status: 'x', createdAt: AT, updatedAt: AT });

/** Every method: one that is forgotten does not compile. */
export const METHODS: Readonly<Record<MethodName, Method>> = {
  createSession: stores((storage) => storage.createSession(SESSION)),
  getSession: reads((storage) => storage.getSession('s'), NOT_FOUND),
  updateSession: changes((storage) => storage.updateSession({ id: 's', status: 'y' })),
  updateSessionStatus: changes((storage) => storage.updateSessionStatus('s', 'y')),
  listSessions: reads((storage) => storage.listSessions()),
  listSessionsPaged: pages('sessions', (storage) => storage.listSessionsPaged()),
  iterateSessions: iterates((storage) => storage.iterateSessions()),
  deleteSession: removes((storage) => storage.deleteSession('s'), REMOVED),
  putMemory: stores((storage) => storage.putMemory(memoryRecord({ id: 'm' }))),
  getMemory: reads((storage) => storage.getMemory('agent', 'key'), NOT_FOUND),
  listMemory: reads((storage) => storage.listMemory('agent')),
  listMemoryPaged: pages('records', (storage) => storage.listMemoryPaged({ agentId: 'agent' })),
  iterateMemory: iterates((storage) => storage.iterateMemory({ agentId: 'agent' })),
  deleteMemory: removes((storage) => storage.deleteMemory('m'), undefined),
  appendAuditLog: stores((storage) => storage.appendAuditLog(auditLog({ id: 'l' }))),
  listAuditLogs: reads((storage) => storage.listAuditLogs('s')),
  listAuditLogsPaged: pages('auditLogs', (storage) => storage.listAuditLogsPaged('s')),
  iterateAuditLogs: iterates((storage) => storage.iterateAuditLogs('s')),
  insertTrace: stores((storage) => storage.insertTrace(span({ id: 't' }))),
  insertTraces: stores((storage) => storage.insertTraces([span({ id: 't' }), span({ id: 't2' })]), 'batches'),
  endTrace: changes((storage) => storage.endTrace('t', { output: 'y' })),
  getTrace: reads((storage) => storage.getTrace('t'), NOT_FOUND),
  listTraces: reads((storage) => storage.listTraces('s')),
  listTracesPaged: pages('traces', (storage) => storage.listTracesPaged('s')),
  iterateTraces: iterates((storage) => storage.iterateTraces('s')),
  appendEvent: stores((storage) => storage.appendEvent(event({ id: 'e', sessionId: 's', seqNum: 7 }))),
  appendEvents: stores(
    (storage) => storage.appendEvents(['e', 'e2'].map((id) => event({ id, sessionId: 's', seqNum: 7 }))),
    'batches',
  ),
  listEvents: reads((storage) => storage.listEvents('s')),
  listEventsPaged: pages('events', (storage) => storage.listEventsPaged('s')),
  iterateEvents: iterates((storage) => storage.iterateEvents('s')),
  lastEvents: { ...reads((storage) => storage.lastEvents('s')), needs: 'pages' },
  countEvents: { ...reads((storage) => storage.countEvents('s'), ZERO), needs: 'pages' },
  saveCheckpoint: stores((storage) => storage.saveCheckpoint(checkpoint({ id: 'c', seqNum: 2 }))),
  saveCheckpointAndEvent: stores((storage) =>
    storage.saveCheckpointAndEvent(checkpoint({ id: 'c' }), event({ id: 'e3', sessionId: 's' })),
  ),
  getCheckpoint: reads((storage) => storage.getCheckpoint('c'), NOT_FOUND),
  getLatestCheckpoint: reads((storage) => storage.getLatestCheckpoint('s'), NOT_FOUND),
  listCheckpoints: reads((storage) => storage.listCheckpoints('s')),
  listCheckpointsPaged: pages('checkpoints', (storage) => storage.listCheckpointsPaged('s')),
  iterateCheckpoints: iterates((storage) => storage.iterateCheckpoints('s')),
  iterateCheckpointedSessions: iterates((storage) => storage.iterateCheckpointedSessions()),
  trimEvents: removes((storage) => storage.trimEvents(OLD), 0, 'retention'),
  trimTraces: removes((storage) => storage.trimTraces(OLD), 0, 'retention'),
  trimAuditLogs: removes((storage) => storage.trimAuditLogs(OLD), 0, 'retention'),
  trimSessions: removes((storage) => storage.trimSessions(OLD), 0, 'retention'),
  trimCheckpoints: removes((storage) => storage.trimCheckpoints('s', 1), 0, 'retention'),
};

/** The methods that a backend has, those that store first and those that remove last. */
export function methodsOf(
  supports: Readonly<Record<Ability, true | string>>,
  ...does: readonly Method['does'][]
): readonly (Method & { readonly name: string })[] {
  return Object.entries(METHODS)
    .map(([name, method]) => ({ name, ...method }))
    .filter(({ needs }) => !needs || supports[needs] === true)
    .filter((method) => does.length === 0 || does.includes(method.does));
}

/** One record of each kind under the ids of {@link METHODS}, and `more` events and checkpointed sessions. */
export async function fill(storage: Storage, whose: string, more = 0): Promise<void> {
  await Promise.all([
    storage.createSession({ ...SESSION, status: whose, metadata: whose }),
    storage.putMemory(memoryRecord({ id: 'm', sessionId: 's', userId: whose, value: whose, createdAt: AT })),
    storage.appendAuditLog(auditLog({ id: 'l', actor: whose, createdAt: AT })),
    storage.insertTrace(span({ id: 't', name: whose, startedAt: AT })),
    storage.appendEvent(event({ id: 'e', sessionId: 's', type: whose, createdAt: AT })),
    storage.saveCheckpoint(checkpoint({ id: 'c', nodeId: whose, createdAt: AT })),
  ]);
  for (let n = 1; n <= more; n += 1) {
    await storage.appendEvent(event({ id: `more${n}`, sessionId: 's', type: whose, createdAt: AT }));
    await storage.saveCheckpoint(checkpoint({ id: `more${n}`, sessionId: `more${n}`, createdAt: AT }));
  }
}
