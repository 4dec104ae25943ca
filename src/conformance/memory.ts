import assert from 'node:assert/strict';
import { MemoryKind, type NewMemoryRecord, type Storage } from '../index.ts';
import { byCodePoint, idsOf, rejects } from './expect.ts';
import { AT, after, memoryRecord, own } from './records.ts';
import type { Case, Topic } from './suite.ts';

const WHOLE: NewMemoryRecord = {
  id: 'm',
  sessionId: 's',
  agentId: 'agent',
  userId: 'user',
  kind: MemoryKind.shortTerm,
  key: 'key',
  value: { likes: ['tea'] },
  createdAt: AT,
};

function putting(test: Case): void {
  test('putMemory, getMemory, listMemory: every field comes back', async (storage) => {
    assert.equal(await storage.putMemory(WHOLE), undefined);
    const found = await storage.getMemory('agent', 'key');
    assert.ok(found.tenantId.length > 0);
    assert.deepEqual(own(found), WHOLE);
    assert.deepEqual(await storage.listMemory('agent'), [found]);
  });

  test('putMemory: absent sessionId and userId stay absent, a missing createdAt is now', async (storage) => {
    const before = Date.now();
    await storage.putMemory(memoryRecord());
    const found = await storage.getMemory('agent', 'key');
    assert.ok(!('sessionId' in found) && !('userId' in found));
    const at = found.createdAt.getTime();
    assert.ok(at >= before && at <= Date.now());
  });

  test('putMemory: of a stored id every field but createdAt takes the new value', async (storage) => {
    await storage.putMemory(WHOLE);
    const next: NewMemoryRecord = {
      id: 'm',
      sessionId: 's2',
      agentId: 'agent2',
      userId: 'user2',
      kind: 'a kind of my own',
      key: 'key2',
      value: null,
      createdAt: after(5),
    };
    await storage.putMemory(next);
    assert.deepEqual(own(await storage.getMemory('agent2', 'key2')), { ...next, createdAt: AT });
    await rejects(() => storage.getMemory('agent', 'key'), 'NOT_FOUND');
    assert.deepEqual(await storage.listMemory('agent'), []);
    assert.deepEqual(idsOf(await storage.listMemory('agent2')), ['m']);
  });

  test('putMemory: a field that is absent clears what was stored, createdAt stays', async (storage) => {
    await storage.putMemory(WHOLE);
    const { sessionId, userId, createdAt, ...rest } = WHOLE;
    const undefinedIsAbsent = { ...rest, sessionId: undefined, userId: undefined, createdAt: undefined };
    for (const next of [rest, WHOLE, undefinedIsAbsent as unknown as NewMemoryRecord]) {
      await storage.putMemory(next);
      const wanted = next === WHOLE ? WHOLE : { ...rest, createdAt: AT };
      assert.deepEqual(own(await storage.getMemory('agent', 'key')), wanted);
    }
  });

  test('putMemory: of many at once with one id, one record stays, whole', async (storage) => {
    const all = Array.from({ length: 12 }, (_, n) =>
      memoryRecord({ id: 'm', userId: `u${n}`, kind: `k${n}`, value: n }),
    );
    await Promise.all(all.map((one) => storage.putMemory(one)));
    const found = await storage.listMemory('agent');
    assert.equal(found.length, 1);
    const { createdAt, ...rest } = own(found[0]!);
    assert.deepEqual(rest, all[rest.value as number]);
  });
}

/** Two newest of one moment, in the order in which they must not be found. */
async function remembered(storage: Storage): Promise<void> {
  await storage.putMemory(memoryRecord({ id: '￿', value: 'less by code point', createdAt: after(2) }));
  await storage.putMemory(memoryRecord({ id: '😀', value: 'newest', createdAt: after(2) }));
  await storage.putMemory(memoryRecord({ id: 'z', value: 'oldest', createdAt: AT }));
  await storage.putMemory(memoryRecord({ id: 'zz', value: 'older', createdAt: after(1) }));
}

function getting(test: Case): void {
  test('getMemory: the newest createdAt, then the greatest id', async (storage) => {
    await remembered(storage);
    for (const value of ['newest', 'less by code point', 'older', 'oldest']) {
      const found = await storage.getMemory('agent', 'key');
      assert.equal(found.value, value);
      await storage.deleteMemory(found.id);
    }
    await rejects(() => storage.getMemory('agent', 'key'), 'NOT_FOUND');
  });

  test('getMemory: a record that is put again is no newer', async (storage) => {
    await remembered(storage);
    await storage.putMemory(memoryRecord({ id: 'z', value: 'again', createdAt: after(99) }));
    assert.equal((await storage.getMemory('agent', 'key')).value, 'newest');
  });

  test('getMemory: agent and key are exact; an empty key is a key', async (storage) => {
    for (const key of ['', 'key', 'Key', 'key ']) await storage.putMemory(memoryRecord({ key, value: key }));
    for (const key of ['', 'key', 'Key', 'key '])
      assert.equal((await storage.getMemory('agent', key)).value, key);
    await rejects(() => storage.getMemory('agent', 'KEY'), 'NOT_FOUND');
    await rejects(() => storage.getMemory('Agent', 'key'), 'NOT_FOUND');
  });
}

function listing(test: Case): void {
  test('listMemory: oldest first, ties by id; a kind, or all of them', async (storage) => {
    const ids = ['b', 'a', 'B', 'é', 'e', '😀', '￿'];
    for (const [n, id] of ids.entries()) {
      const kind = n % 2 ? MemoryKind.shortTerm : '';
      await storage.putMemory(memoryRecord({ id, kind, key: id, createdAt: AT }));
    }
    await storage.putMemory(memoryRecord({ id: 'z', kind: 'Short_Term', createdAt: after(-1) }));
    await storage.putMemory(memoryRecord({ id: 'A', kind: 'short_term', createdAt: after(1) }));
    await storage.putMemory(memoryRecord({ id: 'c', agentId: 'Agent', createdAt: AT }));
    const all = ['z', ...ids.toSorted(byCodePoint), 'A'];
    assert.deepEqual(idsOf(await storage.listMemory('agent')), all);
    assert.deepEqual(idsOf(await storage.listMemory('agent', '')), all);
    const short = ['a', 'é', '😀'].toSorted(byCodePoint);
    assert.deepEqual(idsOf(await storage.listMemory('agent', MemoryKind.shortTerm)), [...short, 'A']);
    assert.deepEqual(await storage.listMemory('agent', 'short'), []);
    assert.deepEqual(await storage.listMemory('nobody'), []);
    assert.deepEqual(await storage.listMemory('nobody', 'short_term'), []);
  });

  test('listMemory: more than a page of them', async (storage) => {
    const ids = Array.from({ length: 103 }, (_, n) => `m${String(n).padStart(3, '0')}`);
    await Promise.all(ids.map((id) => storage.putMemory(memoryRecord({ id, createdAt: AT }))));
    assert.deepEqual(idsOf(await storage.listMemory('agent')), ids);
  });
}

function deleting(test: Case): void {
  test('deleteMemory: that record only; again, or of none, it does nothing', async (storage) => {
    await storage.putMemory(memoryRecord({ id: 'm' }));
    await storage.putMemory(memoryRecord({ id: 'M' }));
    assert.equal(await storage.deleteMemory('m'), undefined);
    assert.equal(await storage.deleteMemory('m'), undefined);
    assert.equal(await storage.deleteMemory('never there'), undefined);
    assert.deepEqual(idsOf(await storage.listMemory('agent')), ['M']);
  });

  test('deleteMemory: what is put after it is a new record', async (storage) => {
    await storage.putMemory(WHOLE);
    await storage.deleteMemory('m');
    await storage.putMemory({ ...WHOLE, createdAt: after(7) });
    assert.deepEqual((await storage.getMemory('agent', 'key')).createdAt, after(7));
  });
}

export const memory: Topic = {
  cases: (test) => {
    putting(test);
    getting(test);
    listing(test);
    deleting(test);
  },
};
