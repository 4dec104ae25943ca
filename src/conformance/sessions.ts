import assert from 'node:assert/strict';
import { newId, type Session, SessionStatus, type Storage } from '../index.ts';
import { idsOf, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

const AT = new Date('2024-05-06T07:08:09.123Z');

function creating(test: Case): void {
  test('createSession, getSession: every field comes back', async (storage) => {
    const id = newId();
    const session = { id, agentId: 'support', status: SessionStatus.running, metadata: { a: 1 } };
    await storage.createSession({ ...session, createdAt: AT, updatedAt: new Date(AT.getTime() + 1) });
    const { tenantId, ...found } = await storage.getSession(id);
    assert.ok(tenantId.length > 0);
    assert.deepEqual(found, { ...session, createdAt: AT, updatedAt: new Date(AT.getTime() + 1) });
  });

  test('createSession: absent metadata stays absent, missing dates are now', async (storage) => {
    const before = Date.now();
    await storage.createSession({ id: 's', agentId: 'a', status: 'a status of my own' });
    const found = await storage.getSession('s');
    assert.ok(!('metadata' in found));
    assert.equal(found.status, 'a status of my own');
    for (const at of [found.createdAt, found.updatedAt]) {
      assert.ok(at.getTime() >= before && at.getTime() <= Date.now());
    }
  });

  test('createSession: an id that is taken is refused and the stored session stays', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'running', metadata: 1 });
    await rejects(() => storage.createSession({ id: 's', agentId: 'b', status: 'failed' }), 'ALREADY_EXISTS');
    const found = await storage.getSession('s');
    assert.deepEqual([found.agentId, found.status, found.metadata], ['a', 'running', 1]);
  });

  test('createSession: of many at once with one id, one wins', async (storage) => {
    const calls = Array.from({ length: 12 }, (_, n) =>
      storage.createSession({ id: 's', agentId: `a${n}`, status: 'running' }),
    );
    const settled = await Promise.allSettled(calls);
    const winner = settled.findIndex(({ status }) => status === 'fulfilled');
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await storage.getSession('s')).agentId, `a${winner}`);
  });

  test('getSession: none is NotFound', async (storage) => {
    await rejects(() => storage.getSession('nobody'), 'NOT_FOUND');
  });
}

async function stored(storage: Storage, updatedAt: Date = AT): Promise<Session> {
  await storage.createSession({
    id: 's',
    agentId: 'a',
    status: 'running',
    metadata: { old: true },
    createdAt: AT,
    updatedAt,
  });
  return storage.getSession('s');
}

function updating(test: Case): void {
  test('updateSession: replaces status and metadata, keeps agentId and createdAt', async (storage) => {
    await stored(storage);
    const before = Date.now();
    const now = await storage.updateSession({
      id: 's',
      agentId: 'other',
      status: 'paused',
      metadata: [2],
      createdAt: new Date(),
    });
    assert.deepEqual([now.agentId, now.status, now.metadata, now.createdAt], ['a', 'paused', [2], AT]);
    assert.ok(now.updatedAt.getTime() >= before);
    assert.deepEqual(await storage.getSession('s'), now);
  });

  test('updateSession: absent metadata clears it, null stores null', async (storage) => {
    await stored(storage);
    assert.equal((await storage.updateSession({ id: 's', status: 'x', metadata: null })).metadata, null);
    assert.ok(!('metadata' in (await storage.updateSession({ id: 's', status: 'x' }))));
    assert.ok(!('metadata' in (await storage.getSession('s'))));
  });

  test('updateSession: takes a session as it was read', async (storage) => {
    const session = await stored(storage);
    const now = await storage.updateSession({ ...session, status: 'completed' });
    assert.deepEqual(now, { ...session, status: 'completed', updatedAt: now.updatedAt });
  });

  test('updateSession: updatedAt is the latest of now, the given and the stored + 1 ms', async (storage) => {
    await stored(storage);
    const future = new Date('2999-12-31T23:59:59.998Z');
    const given = await storage.updateSession({ id: 's', status: 'x', updatedAt: future });
    assert.deepEqual(given.updatedAt, future);
    const next = await storage.updateSession({ id: 's', status: 'x', updatedAt: AT });
    assert.deepEqual(next.updatedAt, new Date(future.getTime() + 1));
    const third = await storage.updateSessionStatus('s', 'y');
    assert.deepEqual(third.updatedAt, new Date(future.getTime() + 2));
  });

  test('updateSession: the same content again still moves updatedAt', async (storage) => {
    const future = new Date('2500-01-01T00:00:00.000Z');
    const session = await stored(storage, future);
    const now = await storage.updateSession(session);
    assert.deepEqual(now, { ...session, updatedAt: new Date(future.getTime() + 1) });
  });

  test('updateSessionStatus: touches status and updatedAt only', async (storage) => {
    const session = await stored(storage);
    const now = await storage.updateSessionStatus('s', 'failed');
    assert.deepEqual(now, { ...session, status: 'failed', updatedAt: now.updatedAt });
    assert.ok(now.updatedAt > session.updatedAt);
    assert.deepEqual(await storage.getSession('s'), now);
  });

  test('updateSession, updateSessionStatus: none is NotFound', async (storage) => {
    await rejects(() => storage.updateSession({ id: 'nobody', status: 'x' }), 'NOT_FOUND');
    await rejects(
      () => storage.updateSession({ id: 'nobody', status: 'x' }, { ifUpdatedAt: AT }),
      'NOT_FOUND',
    );
    await rejects(() => storage.updateSessionStatus('nobody', 'x'), 'NOT_FOUND');
  });
}

function racing(test: Case): void {
  test('updateSession: ifUpdatedAt that differs is a conflict and changes nothing', async (storage) => {
    const session = await stored(storage);
    const late = new Date(AT.getTime() + 1);
    const update = { id: 's', status: 'x' };
    await rejects(() => storage.updateSession(update, { ifUpdatedAt: late }), 'CONFLICT');
    assert.deepEqual(await storage.getSession('s'), session);
    assert.equal((await storage.updateSession(update, { ifUpdatedAt: AT })).status, 'x');
    await rejects(() => storage.updateSession(update, { ifUpdatedAt: AT }), 'CONFLICT');
  });

  test('updateSession: of many at once with one ifUpdatedAt, one wins', async (storage) => {
    await stored(storage);
    const calls = Array.from({ length: 12 }, (_, n) =>
      storage.updateSession({ id: 's', status: `by ${n}` }, { ifUpdatedAt: AT }),
    );
    const settled = await Promise.allSettled(calls);
    const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(won.length, 1);
    assert.deepEqual(await storage.getSession('s'), won[0]);
    for (const one of settled) {
      if (one.status === 'rejected') assert.equal(one.reason.code, 'CONFLICT');
    }
  });

  test('updateSession: many at once each get a moment of their own', async (storage) => {
    await stored(storage, new Date('2400-01-01T00:00:00.000Z'));
    const all = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 2 ? storage.updateSessionStatus('s', `${n}`) : storage.updateSession({ id: 's', status: `${n}` }),
      ),
    );
    const latest = all.reduce((a, b) => (a.updatedAt > b.updatedAt ? a : b));
    assert.equal(new Set(all.map((one) => one.updatedAt.getTime())).size, all.length);
    assert.deepEqual(await storage.getSession('s'), latest);
  });
}

function listing(test: Case): void {
  test('listSessions: newest first, ties by id from the greatest', async (storage) => {
    const make = (id: string, ms: number, agentId: string): Promise<void> =>
      storage.createSession({ id, agentId, status: 'running', createdAt: new Date(AT.getTime() + ms) });
    await make('b', 0, 'x');
    await make('a', 0, 'x');
    await make('c', 0, 'y');
    await make('old', -1, 'x');
    await make('new', 1, 'y');
    assert.deepEqual(idsOf(await storage.listSessions()), ['new', 'c', 'b', 'a', 'old']);
    assert.deepEqual(idsOf(await storage.listSessions('')), ['new', 'c', 'b', 'a', 'old']);
    assert.deepEqual(idsOf(await storage.listSessions('x')), ['b', 'a', 'old']);
    assert.deepEqual(idsOf(await storage.listSessions('X')), []);
    assert.deepEqual(idsOf(await storage.listSessions('', 2, 1)), ['c', 'b']);
    assert.deepEqual(idsOf(await storage.listSessions('y', 5, 1)), ['c']);
    assert.deepEqual(idsOf(await storage.listSessions(undefined, 5, 99)), []);
    const [whole] = await storage.listSessions('', 1);
    assert.deepEqual(whole, await storage.getSession('new'));
  });

  test('listSessions: limit ≤ 0 or absent is 100', async (storage) => {
    const ids = Array.from({ length: 103 }, (_, n) => `s${String(n).padStart(3, '0')}`);
    await Promise.all(
      ids.map((id) => storage.createSession({ id, agentId: 'a', status: 'r', createdAt: AT })),
    );
    for (const limit of [undefined, 0, -5]) {
      assert.deepEqual(idsOf(await storage.listSessions('', limit)), ids.toReversed().slice(0, 100));
    }
    assert.equal((await storage.listSessions('', 5000)).length, 103);
  });
}

export const sessions: Topic = {
  cases: (test) => {
    creating(test);
    updating(test);
    racing(test);
    listing(test);
  },
};
