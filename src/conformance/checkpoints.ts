import assert from 'node:assert/strict';
import type { NewCheckpoint, Storage } from '../index.ts';
import { idsOf, rejects } from './expect.ts';
import { AT, after, checkpoint, own } from './records.ts';
import type { Case, Topic } from './suite.ts';

const GREATEST = 2 ** 53 - 1;

const WHOLE: NewCheckpoint = {
  id: 'c',
  sessionId: 's',
  runId: 'run',
  nodeId: 'node',
  state: { todo: ['a'] },
  seqNum: 7,
  createdAt: AT,
};

/** All checkpoints of the sessions `s` and `other`, as they were given. */
async function stored(storage: Storage): Promise<readonly NewCheckpoint[]> {
  const found = [...(await storage.listCheckpoints('s')), ...(await storage.listCheckpoints('other'))];
  return found.map(own);
}

function saving(test: Case): void {
  test('saveCheckpoint, getCheckpoint, listCheckpoints: every field comes back', async (storage) => {
    assert.equal(await storage.saveCheckpoint(WHOLE), undefined);
    const found = await storage.getCheckpoint('c');
    assert.ok(found.tenantId.length > 0);
    assert.deepEqual(own(found), WHOLE);
    assert.deepEqual(await storage.getLatestCheckpoint('s'), found);
    assert.deepEqual(await storage.listCheckpoints('s'), [found]);
  });

  test('saveCheckpoint: a missing createdAt is now; the session need not exist', async (storage) => {
    const before = Date.now();
    await storage.saveCheckpoint(checkpoint({ id: 'c', sessionId: 'never created' }));
    const at = (await storage.getCheckpoint('c')).createdAt.getTime();
    assert.ok(at >= before && at <= Date.now());
  });

  test('saveCheckpoint: of a stored id every field takes the new value', async (storage) => {
    await storage.saveCheckpoint(WHOLE);
    const again = { ...WHOLE, runId: 'run2', nodeId: 'node2', state: null, createdAt: after(-5) };
    await storage.saveCheckpoint(again);
    assert.deepEqual(await stored(storage), [again]);
    const before = Date.now();
    await storage.saveCheckpoint(checkpoint({ id: 'c', seqNum: 7 }));
    assert.ok((await storage.getCheckpoint('c')).createdAt.getTime() >= before);
    await storage.saveCheckpoint(again);
    await storage.saveCheckpoint(again);
    assert.deepEqual(await stored(storage), [again]);
  });

  test('saveCheckpoint: of many at once with one id, one stays, whole', async (storage) => {
    const all = Array.from({ length: 12 }, (_, n) =>
      checkpoint({ id: 'c', runId: `r${n}`, nodeId: `n${n}`, state: n, createdAt: after(n) }),
    );
    await Promise.all(all.map((one) => storage.saveCheckpoint(one)));
    const [found, ...more] = await stored(storage);
    assert.equal(more.length, 0);
    assert.deepEqual(found, all[found!.state as number]);
  });

  test('getCheckpoint: none is NotFound', async (storage) => {
    await rejects(() => storage.getCheckpoint('nobody'), 'NOT_FOUND');
  });
}

function placing(test: Case): void {
  test('saveCheckpoint: another id at the same place is a Conflict, the stored one untouched', async (storage) => {
    await storage.saveCheckpoint(WHOLE);
    for (const id of ['d', 'C', 'c ']) {
      await rejects(() => storage.saveCheckpoint({ ...WHOLE, id, state: 'theirs' }), 'CONFLICT');
      await rejects(() => storage.getCheckpoint(id), 'NOT_FOUND');
    }
    assert.deepEqual(await stored(storage), [WHOLE]);
    await storage.saveCheckpoint({ ...WHOLE, id: 'd', sessionId: 'other' });
    await storage.saveCheckpoint({ ...WHOLE, id: 'e', seqNum: 8 });
    assert.deepEqual(idsOf(await stored(storage)), ['c', 'e', 'd']);
  });

  test('saveCheckpoint: a stored one that moves onto a taken place is a Conflict, both untouched', async (storage) => {
    const all = [WHOLE, { ...WHOLE, id: 'd', seqNum: 8 }, { ...WHOLE, id: 'e', sessionId: 'other' }];
    for (const one of all) await storage.saveCheckpoint(one);
    for (const place of [{ seqNum: 8 }, { sessionId: 'other' }]) {
      await rejects(() => storage.saveCheckpoint({ ...WHOLE, ...place, state: 'moved' }), 'CONFLICT');
      assert.deepEqual(await stored(storage), all);
    }
  });

  test('saveCheckpoint: a stored one moves to a free place and frees its own', async (storage) => {
    const [a, b] = [checkpoint({ id: 'a', seqNum: 1 }), checkpoint({ id: 'b', seqNum: 2 })];
    for (const one of [a, b]) await storage.saveCheckpoint({ ...one, createdAt: AT });
    // They change places by way of a third.
    await storage.saveCheckpoint({ ...a, seqNum: -3 });
    await storage.saveCheckpoint({ ...b, seqNum: 1, createdAt: AT, state: 'moved' });
    await storage.saveCheckpoint({ ...a, seqNum: 2, createdAt: AT });
    assert.deepEqual(await stored(storage), [
      { ...b, seqNum: 1, createdAt: AT, state: 'moved' },
      { ...a, seqNum: 2, createdAt: AT },
    ]);
    await storage.saveCheckpoint({ ...a, seqNum: 2, sessionId: 'other' });
    await storage.saveCheckpoint(checkpoint({ id: 'd', seqNum: 2 }));
    assert.deepEqual(idsOf(await stored(storage)), ['b', 'd', 'a']);
  });

  test('saveCheckpoint: of many at once for one place, one wins and the others are Conflicts', async (storage) => {
    const calls = Array.from({ length: 10 }, (_, n) =>
      storage.saveCheckpoint(checkpoint({ id: `c${n}`, state: n })),
    );
    const settled = await Promise.allSettled(calls);
    const winner = settled.findIndex(({ status }) => status === 'fulfilled');
    assert.deepEqual(
      (await stored(storage)).map(({ id, state }) => [id, state]),
      [[`c${winner}`, winner]],
    );
    for (const [n, one] of settled.entries()) {
      if (n !== winner) assert.equal(one.status === 'rejected' && one.reason.code, 'CONFLICT');
    }
  });
}

function reading(test: Case): void {
  test('checkpoints: latest is the highest place, the list goes by place', async (storage) => {
    const order = [-GREATEST, -2, -1, 0, 1, 9, 10, GREATEST - 1, GREATEST];
    await rejects(() => storage.getLatestCheckpoint('s'), 'NOT_FOUND');
    await storage.saveCheckpoint(checkpoint({ id: 'other', sessionId: 'S', seqNum: 1000 }));
    await rejects(() => storage.getLatestCheckpoint('s'), 'NOT_FOUND');
    for (const seqNum of order.slice(0, 3).toReversed()) {
      await storage.saveCheckpoint(checkpoint({ id: `c${seqNum}`, seqNum, createdAt: after(-seqNum % 9) }));
      assert.equal((await storage.getLatestCheckpoint('s')).seqNum, -1);
    }
    for (const seqNum of order.slice(3).toReversed()) {
      await storage.saveCheckpoint(checkpoint({ id: `c${seqNum}`, seqNum, createdAt: AT }));
      assert.equal((await storage.getLatestCheckpoint('s')).seqNum, GREATEST);
    }
    const found = await storage.listCheckpoints('s');
    assert.deepEqual(
      found.map(({ seqNum }) => seqNum),
      order,
    );
    assert.deepEqual(await storage.getLatestCheckpoint('s'), found.at(-1));
    assert.deepEqual(await storage.listCheckpoints('nobody'), []);
  });

  test('checkpoints: −0 is 0; what is no whole number within ±(2^53−1) is refused', async (storage) => {
    await storage.saveCheckpoint(checkpoint({ seqNum: -0 }));
    assert.ok(Object.is((await storage.getLatestCheckpoint('s')).seqNum, 0));
    for (const bad of [2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.NEGATIVE_INFINITY, '1', 1n, null]) {
      await rejects(
        () => storage.saveCheckpoint(checkpoint({ sessionId: 'bad', seqNum: bad as number })),
        'INVALID_ARGUMENT',
        'seqNum',
      );
    }
    const { seqNum, ...without } = checkpoint({ sessionId: 'bad' });
    await rejects(() => storage.saveCheckpoint(without as NewCheckpoint), 'INVALID_ARGUMENT', 'seqNum');
    assert.deepEqual(await storage.listCheckpoints('bad'), []);
  });
}

export const checkpoints: Topic = {
  cases: (test) => {
    saving(test);
    placing(test);
    reading(test);
  },
};
