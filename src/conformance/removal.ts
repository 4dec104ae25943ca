import assert from 'node:assert/strict';
import { newId, type Storage, withTenant } from '../index.ts';
import { event, rejects } from './expect.ts';
import { fillSession, HOLDS, holds, NOTHING } from './filled.ts';
import { assigned } from './order-steps.ts';
import { memoryRecord } from './records.ts';
import type { Case, Topic } from './suite.ts';

/** More than a backend would remove by one statement. */
const MANY = 6001;

function create(storage: Storage, id: string): Promise<void> {
  return storage.createSession({ id, agentId: 'a', status: 'done' });
}

function many(sessionId: string) {
  return Array.from({ length: MANY }, (_, n) => event({ id: `${sessionId}-${n}`, sessionId, payload: n }));
}

function sessions(test: Case): void {
  test('deleteSession: removes a session and all that carries its id, and counts it', async (storage) => {
    await create(storage, 's');
    await fillSession(storage, { sessionId: 's' });
    assert.deepEqual(await storage.deleteSession('s'), { sessions: 1, ...HOLDS });
    await rejects(() => storage.getSession('s'), 'NOT_FOUND');
    assert.deepEqual(await holds(storage, 's'), NOTHING);
    assert.deepEqual(await storage.deleteSession('s'), { sessions: 0, ...NOTHING });
  });

  test('deleteSession: without such a session, what carries its id goes all the same', async (storage) => {
    await fillSession(storage, { sessionId: 's' });
    assert.deepEqual(await storage.deleteSession('s'), { sessions: 0, ...HOLDS });
    assert.deepEqual(await holds(storage, 's'), NOTHING);
    assert.deepEqual(await storage.deleteSession('nobody'), { sessions: 0, ...NOTHING });
  });

  test('deleteSession: other sessions, long-term memory and other tenants stay', async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    const neighbours = ['S', 's ', 's1', 'é'];
    for (const sessionId of ['s', ...neighbours]) {
      await create(storage, sessionId);
      await fillSession(storage, { sessionId, prefix: `${sessionId}/` });
    }
    await storage.putMemory(memoryRecord({ id: 'long', key: 'long' }));
    await create(other, 's');
    await fillSession(other, { sessionId: 's', prefix: 's/' });
    const before = await other.listEvents('s');
    await storage.deleteSession('s');
    for (const sessionId of neighbours) {
      assert.deepEqual(await holds(storage, sessionId), HOLDS, sessionId);
      assert.equal((await storage.getSession(sessionId)).id, sessionId);
    }
    assert.equal((await storage.getMemory('agent', 'long')).id, 'long');
    assert.deepEqual(await holds(other, 's'), HOLDS);
    assert.deepEqual(await other.listEvents('s'), before);
  });

  test('deleteSession: its ids are free again', async (storage) => {
    for (let again = 0; again < 2; again += 1) {
      await create(storage, 's');
      await fillSession(storage, { sessionId: 's' });
      assert.deepEqual(await storage.deleteSession('s'), { sessions: 1, ...HOLDS });
    }
  });

  test('deleteSession: an id that can be none is refused', async (storage) => {
    for (const bad of ['', 'a\0', 'x'.repeat(256), 7 as never]) {
      await rejects(() => storage.deleteSession(bad), 'INVALID_ARGUMENT', 'id');
    }
  });
}

function tenants(test: Case, batches: boolean): void {
  test('deleteTenant: removes and counts all of a tenant, nothing of others', async (storage) => {
    const [gone, stays] = [`gone-${newId()}`, `stays-${newId()}`].map((name) => storage.forTenant(name)) as [
      Storage,
      Storage,
    ];
    for (const tenant of [gone, stays]) {
      for (const id of ['s', 't', 'alone']) {
        if (id !== 'alone') await create(tenant, id);
        await fillSession(tenant, { sessionId: id });
      }
      await tenant.putMemory(memoryRecord());
      await tenant.appendEvent(assigned({ sessionId: 'numbered' }));
    }
    const { tenantId } = await gone.getSession('s');
    const removed = { sessions: 2, memory: 7, auditLogs: 9, traces: 12, events: 16, checkpoints: 18 };
    assert.deepEqual(await gone.deleteTenant(tenantId), removed);
    assert.deepEqual(await gone.deleteTenant(tenantId), { sessions: 0, ...NOTHING });
    for (const id of ['s', 't', 'alone']) {
      assert.deepEqual(await holds(gone, id), NOTHING);
      assert.deepEqual(await holds(stays, id), HOLDS);
    }
    assert.deepEqual(await gone.listSessions(), []);
    assert.equal((await stays.listSessions()).length, 2);
    assert.equal((await gone.appendEvent(assigned({ sessionId: 'numbered' }))).seqNum, 1);
    assert.equal((await stays.appendEvent(assigned({ sessionId: 'numbered' }))).seqNum, 2);
  });

  test(
    'deleteTenant: without a tenant in the context, or with the same',
    async (storage) => {
      const [a, b] = [`a-${newId()}`, `b-${newId()}`];
      for (const name of [a, b]) await create(storage.forTenant(name), 's');
      const { sessions } = await withTenant('', () => storage.deleteTenant(a));
      assert.equal(sessions, 1);
      assert.equal((await withTenant(b, () => storage.deleteTenant(b))).sessions, 1);
    },
    { unbound: true },
  );

  test(
    'deleteTenant: another tenant than the one in the context or bound is refused',
    async (storage) => {
      const [a, b] = [`a-${newId()}`, `b-${newId()}`];
      await create(storage.forTenant(b), 's');
      const refused = (call: () => Promise<unknown>): Promise<void> =>
        rejects(call, 'INVALID_ARGUMENT', 'tenant');
      await refused(() => withTenant(a, () => storage.deleteTenant(b)));
      await refused(() => storage.forTenant(a).deleteTenant(b));
      await refused(() => storage.forTenant('').deleteTenant(b));
      await refused(() => withTenant(b, () => storage.forTenant(a).deleteTenant(b)));
      for (const bad of ['', 'a\0', 'x'.repeat(129), undefined as never]) {
        await refused(() => withTenant('', () => storage.deleteTenant(bad)));
      }
      assert.equal((await storage.forTenant(b).getSession('s')).id, 's');
    },
    { unbound: true },
  );

  if (!batches) return;
  test('deleteSession, deleteTenant: thousands that share a place', async (storage) => {
    const name = `many-${newId()}`;
    const tenant = storage.forTenant(name);
    await tenant.appendEvents(many('s'));
    await tenant.appendEvents(many('t'));
    assert.deepEqual(await tenant.deleteSession('s'), { sessions: 0, ...NOTHING, events: MANY });
    assert.equal(await tenant.countEvents('t'), MANY);
    assert.deepEqual(await tenant.deleteTenant(name), { sessions: 0, ...NOTHING, events: MANY });
    assert.equal(await tenant.countEvents('t'), 0);
  });
}

export const removal: Topic = {
  cases: (test, supports) => {
    sessions(test);
    tenants(test, supports.batches === true);
  },
};
