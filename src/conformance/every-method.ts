import assert from 'node:assert/strict';
import type { Storage } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { assigned } from './order-steps.ts';
import { AT, after, auditLog, checkpoint, memoryRecord, span } from './records.ts';
import type { Conformance } from './suite.ts';

type Supports = Conformance['supports'];

async function collected<T>(walk: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of walk) all.push(one);
  return all;
}

async function sessions(storage: Storage, pages: boolean): Promise<void> {
  await storage.createSession({ id: 's', agentId: 'agent', status: 'running', metadata: { n: 1 } });
  await storage.createSession({ id: 'old', agentId: 'agent', status: 'done', updatedAt: AT });
  const updated = await storage.updateSession({ id: 's', status: 'paused', metadata: null });
  assert.deepEqual([updated.status, updated.metadata], ['paused', null]);
  const { updatedAt } = await storage.updateSessionStatus('s', 'completed');
  assert.deepEqual(await storage.getSession('s'), { ...updated, status: 'completed', updatedAt });
  const all = ['old', 's'];
  assert.deepEqual(idsOf(await storage.listSessions('agent')).toSorted(), all);
  if (!pages) return;
  assert.deepEqual(idsOf((await storage.listSessionsPaged({ agentId: 'agent' })).sessions).toSorted(), all);
  assert.deepEqual(idsOf(await collected(storage.iterateSessions())).toSorted(), all);
}

async function memory(storage: Storage, pages: boolean): Promise<void> {
  for (const id of ['m1', 'm2', 'm3']) await storage.putMemory(memoryRecord({ id, key: id, sessionId: 's' }));
  await storage.putMemory(memoryRecord({ id: 'm1', key: 'm1', sessionId: 's', value: { again: true } }));
  assert.deepEqual((await storage.getMemory('agent', 'm1')).value, { again: true });
  await storage.deleteMemory('m3');
  assert.deepEqual(idsOf(await storage.listMemory('agent')).toSorted(), ['m1', 'm2']);
  if (!pages) return;
  const { records } = await storage.listMemoryPaged({ agentId: 'agent' });
  assert.deepEqual(idsOf(records).toSorted(), ['m1', 'm2']);
  assert.equal((await collected(storage.iterateMemory({ agentId: 'agent' }))).length, 2);
}

async function logs(storage: Storage, pages: boolean): Promise<void> {
  await storage.appendAuditLog(auditLog({ id: 'l1', createdAt: AT }));
  await storage.appendAuditLog(auditLog({ id: 'l2', createdAt: after(1), detail: ['x'] }));
  await storage.appendAuditLog(auditLog({ id: 'l1', actor: 'repeated' }));
  const all = ['l2', 'l1'];
  assert.deepEqual(idsOf(await storage.listAuditLogs('s')), all);
  if (!pages) return;
  assert.deepEqual(idsOf((await storage.listAuditLogsPaged('s')).auditLogs), all);
  assert.deepEqual(idsOf(await collected(storage.iterateAuditLogs('s'))), all);
}

async function traces(storage: Storage, { pages, batches }: { pages: boolean; batches: boolean }) {
  const more = [span({ id: 't2', startedAt: after(1) }), span({ id: 't3', startedAt: after(2) })];
  await storage.insertTrace(span({ id: 't1', startedAt: AT, input: { q: 1 } }));
  if (batches) await storage.insertTraces(more);
  else for (const one of more) await storage.insertTrace(one);
  await storage.endTrace('t1', { endedAt: after(9), output: 'out', error: 'boom' });
  const ended = await storage.getTrace('t1');
  assert.deepEqual([ended.endedAt, ended.output, ended.error], [after(9), 'out', 'boom']);
  const all = ['t1', 't2', 't3'];
  assert.deepEqual(idsOf(await storage.listTraces('s')), all);
  if (!pages) return;
  assert.deepEqual(idsOf((await storage.listTracesPaged('s')).traces), all);
  assert.deepEqual(idsOf(await collected(storage.iterateTraces('s'))), all);
}

async function events(storage: Storage, { pages, batches }: { pages: boolean; batches: boolean }) {
  assert.deepEqual(await storage.appendEvent(event({ id: 'e1', sessionId: 's', createdAt: AT })), {
    inserted: true,
    seqNum: 1,
  });
  assert.equal((await storage.appendEvent(event({ id: 'e1', sessionId: 's', seqNum: 9 }))).inserted, false);
  const next = await storage.appendEvent(assigned({ id: 'e2', sessionId: 's', createdAt: AT }));
  assert.deepEqual(next, { inserted: true, seqNum: 2 });
  const more = ['e3', 'e4'].map((id) => assigned({ id, sessionId: 's' }));
  if (batches) {
    const answer = { inserted: 2, seqNums: [3, 4] };
    assert.deepEqual(await storage.appendEvents(more, { expectedSeq: 2 }), answer);
    assert.deepEqual(await storage.appendEvents(more), { ...answer, inserted: 0 });
  } else for (const one of more) await storage.appendEvent(one);
  const all = ['e1', 'e2', 'e3', 'e4'];
  assert.deepEqual(idsOf(await storage.listEvents('s')), all);
  assert.deepEqual(idsOf(await storage.lastEvents('s', 2)), ['e3', 'e4']);
  assert.equal(await storage.countEvents('s'), 4);
  if (!pages) return;
  assert.deepEqual(idsOf((await storage.listEventsPaged('s', 1)).events), all.slice(1));
  assert.deepEqual(idsOf(await collected(storage.iterateEvents('s'))), all);
}

async function checkpoints(storage: Storage, pages: boolean): Promise<void> {
  await storage.saveCheckpoint(checkpoint({ id: 'c1', seqNum: 1 }));
  await storage.saveCheckpoint(checkpoint({ id: 'c1', seqNum: 1, state: 'again' }));
  await rejects(() => storage.saveCheckpoint(checkpoint({ id: 'other', seqNum: 1 })), 'CONFLICT');
  const both = await storage.saveCheckpointAndEvent(
    checkpoint({ id: 'c2', seqNum: 2 }),
    assigned({ id: 'e5', sessionId: 's' }),
  );
  assert.deepEqual(both, { inserted: true, seqNum: 5 });
  assert.equal((await storage.getCheckpoint('c1')).state, 'again');
  assert.equal((await storage.getLatestCheckpoint('s')).id, 'c2');
  assert.deepEqual(idsOf(await storage.listCheckpoints('s')), ['c1', 'c2']);
  if (!pages) return;
  assert.deepEqual(idsOf((await storage.listCheckpointsPaged('s')).checkpoints), ['c1', 'c2']);
  assert.deepEqual(idsOf(await collected(storage.iterateCheckpoints('s'))), ['c1', 'c2']);
}

async function removal(storage: Storage, retention: boolean): Promise<void> {
  if (retention) {
    assert.deepEqual(await collected(storage.iterateCheckpointedSessions()), ['s']);
    assert.equal(await storage.trimEvents(after(1)), 2);
    assert.equal(await storage.trimTraces(after(1)), 1);
    assert.equal(await storage.trimAuditLogs(after(1)), 1);
    assert.equal(await storage.trimCheckpoints('s', 1), 1);
    assert.equal(await storage.trimSessions(after(1), { status: 'done' }), 1);
    const left = { sessions: 1, memory: 2, auditLogs: 1, traces: 2, events: 3, checkpoints: 1 };
    assert.deepEqual(await storage.deleteSession('s'), left);
  } else assert.equal((await storage.deleteSession('s')).events, 5);
  await storage.createSession({ id: 'last', agentId: 'agent', status: 'running' });
  const { tenantId } = await storage.getSession('last');
  assert.ok((await storage.deleteTenant(tenantId)).sessions >= 1);
  assert.deepEqual(await storage.listSessions(), []);
}

/**
 * Calls every method but those that begin, end or migrate, each read after a write that it must see. The tenant must
 * be empty, and is afterwards.
 */
export async function callEveryMethod(storage: Storage, supports: Supports): Promise<void> {
  const able = { pages: supports.pages === true, batches: supports.batches === true };
  await storage.ping();
  await sessions(storage, able.pages);
  await memory(storage, able.pages);
  await logs(storage, able.pages);
  await traces(storage, able);
  await events(storage, able);
  await checkpoints(storage, able.pages);
  await removal(storage, supports.retention === true);
}
