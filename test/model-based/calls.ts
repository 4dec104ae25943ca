import fc, { type Arbitrary } from 'fast-check';
import * as lists from './argument-lists.ts';
import { limit, maybe, offset, orEmpty, pageTail } from './argument-lists.ts';
import type { Arguments, Method } from './modelled.ts';
import * as records from './records.ts';

/** How many tenants a run has. */
export const TENANTS = 2;

export type Paged = Extract<Method, `${string}Paged`>;

const { id, sessionId, agentId, kind, key, cutoff, place } = records;

/** The arguments of each paged method before limit, cursor and options. */
export const HEADS: Readonly<Record<Paged, Arbitrary<readonly unknown[]>>> = {
  listSessionsPaged: fc.tuple(lists.sessionFilter),
  listMemoryPaged: fc.tuple(lists.memoryFilter),
  listAuditLogsPaged: fc.tuple(sessionId),
  listTracesPaged: fc.tuple(sessionId),
  listEventsPaged: fc.tuple(sessionId, maybe(place)),
  listCheckpointsPaged: fc.tuple(sessionId),
};

function paged<M extends Paged>(method: M): Arbitrary<Arguments<M>> {
  return fc
    .tuple(HEADS[method], fc.tuple(...pageTail))
    .map(([head, tail]) => [...head, ...tail] as unknown as Arguments<M>);
}

type Calls<M extends Method> = {
  readonly [Name in M]: readonly [weight: number, args: Arbitrary<Arguments<Name>>];
};

/** With what each method that adds or changes is called, and how often. */
export const WRITES = {
  createSession: [8, fc.tuple(records.session)],
  updateSession: [6, fc.tuple(records.update, lists.updateOptions)],
  updateSessionStatus: [3, fc.tuple(sessionId, records.status)],
  putMemory: [12, fc.tuple(records.memory)],
  appendAuditLog: [12, fc.tuple(records.auditLog)],
  insertTrace: [6, fc.tuple(records.trace)],
  insertTraces: [6, fc.tuple(fc.array(records.trace, { maxLength: 5, size: 'max' }))],
  endTrace: [4, fc.tuple(id, lists.end)],
  appendEvent: [10, fc.tuple(records.event)],
  appendEvents: [10, lists.batch],
  saveCheckpoint: [12, fc.tuple(records.checkpoint)],
  saveCheckpointAndEvent: [6, fc.tuple(records.checkpoint, maybe(records.event))],
} satisfies Partial<Calls<Method>>;

const READS = {
  getSession: [2, fc.tuple(sessionId)],
  listSessions: [3, fc.tuple(maybe(orEmpty(agentId)), limit, offset)],
  listSessionsPaged: [5, paged('listSessionsPaged')],
  iterateSessions: [1, fc.tuple(maybe(lists.sessionFilter))],
  getMemory: [3, fc.tuple(agentId, key)],
  listMemory: [2, fc.tuple(agentId, maybe(orEmpty(kind)))],
  listMemoryPaged: [5, paged('listMemoryPaged')],
  iterateMemory: [1, fc.tuple(lists.memoryFilter)],
  listAuditLogs: [3, fc.tuple(sessionId, limit, offset)],
  listAuditLogsPaged: [5, paged('listAuditLogsPaged')],
  iterateAuditLogs: [1, fc.tuple(sessionId)],
  getTrace: [1, fc.tuple(id)],
  listTraces: [1, fc.tuple(sessionId)],
  listTracesPaged: [5, paged('listTracesPaged')],
  iterateTraces: [1, fc.tuple(sessionId)],
  listEvents: [2, fc.tuple(sessionId, maybe(place))],
  listEventsPaged: [6, paged('listEventsPaged')],
  iterateEvents: [1, fc.tuple(sessionId, maybe(place))],
  lastEvents: [3, fc.tuple(sessionId, limit)],
  countEvents: [1, fc.tuple(sessionId)],
  getCheckpoint: [1, fc.tuple(id)],
  getLatestCheckpoint: [2, fc.tuple(sessionId)],
  listCheckpoints: [1, fc.tuple(sessionId)],
  listCheckpointsPaged: [5, paged('listCheckpointsPaged')],
  iterateCheckpoints: [1, fc.tuple(sessionId)],
  iterateCheckpointedSessions: [1, fc.tuple()],
} satisfies Partial<Calls<Method>>;

const REMOVALS = {
  deleteSession: [2, fc.tuple(sessionId)],
  deleteTenant: [1, fc.tuple(fc.nat(TENANTS - 1).map(String))],
  deleteMemory: [2, fc.tuple(id)],
  trimEvents: [2, fc.tuple(cutoff, lists.trimByAge)],
  trimTraces: [2, fc.tuple(cutoff, lists.trimByAge)],
  trimAuditLogs: [2, fc.tuple(cutoff, lists.trimByAge)],
  trimSessions: [5, fc.tuple(cutoff, lists.trimSessions)],
  trimCheckpoints: [3, fc.tuple(sessionId, fc.integer({ min: 0, max: 3 }), lists.trim)],
  applyRetention: [2, lists.retention],
} satisfies Partial<Calls<Method>>;

/** All of them: a method that is nowhere does not compile. */
export const CALLS: Calls<Method> = { ...WRITES, ...READS, ...REMOVALS };
