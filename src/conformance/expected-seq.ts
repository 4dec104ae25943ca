import assert from 'node:assert/strict';
import { ConflictError, type NewEvent, newId, type Storage } from '../index.ts';
import { event, rejects, rejectsWith } from './expect.ts';
import { assigned, stored } from './order-steps.ts';
import type { Case, Topic } from './suite.ts';

function some(...ids: readonly string[]): readonly NewEvent[] {
  return ids.map((id) => assigned({ id, sessionId: 's' }));
}

function refused(storage: Storage, ids: readonly string[], expectedSeq: number, actualSeq: number) {
  const call = (): Promise<unknown> => storage.appendEvents(some(...ids), { expectedSeq });
  return rejectsWith(call, { code: 'CONFLICT', expectedSeq, actualSeq });
}

function matching(test: Case): void {
  test('expectedSeq: 0 is no head, then the last place that the store gave out', async (storage) => {
    const first = await storage.appendEvents(some('a', 'b'), { expectedSeq: 0 });
    assert.deepEqual(first, { inserted: 2, seqNums: [1, 2] });
    await refused(storage, ['c'], 0, 2);
    await refused(storage, ['c'], 1, 2);
    await refused(storage, ['c'], 3, 2);
    const second = await storage.appendEvents(some('c'), { expectedSeq: 2 });
    assert.deepEqual(second, { inserted: 1, seqNums: [3] });
    assert.equal((await storage.appendEvent(assigned({ id: 'd', sessionId: 's' }))).seqNum, 4);
    await refused(storage, ['e'], 3, 4);
    assert.equal(stored(await storage.listEvents('s')), 'a1 b2 c3 d4');
  });

  test('expectedSeq: a refusal makes no head and stores nothing', async (storage) => {
    await refused(storage, ['a'], 3, 0);
    await refused(storage, ['a', 'b'], 1, 0);
    assert.deepEqual(await storage.listEvents('s'), []);
    const answer = await storage.appendEvents(some('a', 'b'), { expectedSeq: 0 });
    assert.deepEqual(answer, { inserted: 2, seqNums: [1, 2] });
  });

  test('expectedSeq: explicit places are no head, and the first one starts above them', async (storage) => {
    await storage.appendEvent(event({ id: 'a', sessionId: 's', seqNum: 7 }));
    await refused(storage, ['b'], 7, 0);
    const first = await storage.appendEvents(some('b'), { expectedSeq: 0 });
    assert.deepEqual(first, { inserted: 1, seqNums: [8] });
    await storage.appendEvent(event({ id: 'c', sessionId: 's', seqNum: 99 }));
    await refused(storage, ['d'], 99, 8);
    assert.deepEqual(await storage.appendEvents(some('d'), { expectedSeq: 8 }), {
      inserted: 1,
      seqNums: [9],
    });
  });

  test('expectedSeq: duplicates inside a batch take one place', async (storage) => {
    const answer = await storage.appendEvents(some('a', 'a', 'b', 'a'), { expectedSeq: 0 });
    assert.deepEqual(answer, { inserted: 2, seqNums: [1, 1, 2, 1] });
    await refused(storage, ['c'], 4, 2);
  });

  test('expectedSeq: deleteSession leaves no head', async (storage) => {
    await storage.appendEvents(some('a', 'b'), { expectedSeq: 0 });
    await storage.deleteSession('s');
    await refused(storage, ['c'], 2, 0);
    assert.deepEqual(await storage.appendEvents(some('c'), { expectedSeq: 0 }), {
      inserted: 1,
      seqNums: [1],
    });
  });

  test('expectedSeq: is of its own session and tenant', async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    await storage.appendEvents(some('a', 'b'), { expectedSeq: 0 });
    const elsewhere = assigned({ id: 'c', sessionId: 't' });
    assert.equal((await storage.appendEvents([elsewhere], { expectedSeq: 0 })).inserted, 1);
    assert.equal((await other.appendEvents(some('a'), { expectedSeq: 0 })).inserted, 1);
  });
}

function replaying(test: Case): void {
  test('expectedSeq: a replay whose ids are all stored inserts nothing, whatever the head', async (storage) => {
    const batch = some('a', 'b', 'c');
    await storage.appendEvents(batch, { expectedSeq: 0 });
    for (const expectedSeq of [0, 3, 99]) {
      const answer = await storage.appendEvents(batch, { expectedSeq });
      assert.deepEqual(answer, { inserted: 0, seqNums: [1, 2, 3] });
    }
    assert.deepEqual(await storage.appendEvents(some('c', 'a'), { expectedSeq: 0 }), {
      inserted: 0,
      seqNums: [3, 1],
    });
    assert.equal(stored(await storage.listEvents('s')), 'a1 b2 c3');
  });

  test('expectedSeq: with part of the ids stored it is a conflict, right or wrong', async (storage) => {
    await storage.appendEvents(some('a', 'b'), { expectedSeq: 0 });
    await refused(storage, ['b', 'c'], 2, 2);
    await refused(storage, ['b', 'c'], 1, 2);
    await refused(storage, ['c', 'a'], 0, 2);
    await storage.appendEvent(event({ id: 'x', sessionId: 't', seqNum: 5 }));
    await refused(storage, ['c', 'x'], 2, 2);
    assert.equal(stored(await storage.listEvents('s')), 'a1 b2');
    assert.deepEqual(await storage.appendEvents(some('c'), { expectedSeq: 2 }), {
      inserted: 1,
      seqNums: [3],
    });
  });

  test('expectedSeq: part stored without a head makes none', async (storage) => {
    await storage.appendEvent(event({ id: 'x', sessionId: 't', seqNum: 5 }));
    await refused(storage, ['a', 'x'], 0, 0);
    assert.deepEqual(await storage.appendEvents(some('a'), { expectedSeq: 0 }), {
      inserted: 1,
      seqNums: [1],
    });
  });
}

function refusing(test: Case): void {
  test('expectedSeq: of several sessions, of explicit places, no whole number or negative is refused', async (storage) => {
    const several = [assigned({ sessionId: 's' }), assigned({ sessionId: 't' })];
    const explicit = [event({ sessionId: 's' })];
    for (const batch of [several, explicit]) {
      await rejects(() => storage.appendEvents(batch, { expectedSeq: 0 }), 'INVALID_ARGUMENT', 'expectedSeq');
    }
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '0', null, 0n]) {
      const call = (): Promise<unknown> => storage.appendEvents(some('a'), { expectedSeq: bad as number });
      await rejects(call, 'INVALID_ARGUMENT', 'expectedSeq');
    }
    await rejects(() => storage.appendEvents(some('a'), 0 as never), 'INVALID_ARGUMENT', 'options');
    for (const sessionId of ['s', 't']) assert.deepEqual(await storage.listEvents(sessionId), []);
  });

  test('expectedSeq: none is a no-op, whatever the head', async (storage) => {
    assert.deepEqual(await storage.appendEvents([], { expectedSeq: 7 }), { inserted: 0, seqNums: [] });
  });

  test('expectedSeq: of many at once with one expectation exactly one wins', async (storage) => {
    for (const expectedSeq of [0, 3]) {
      const batches = Array.from({ length: 8 }, (_, n) =>
        some(`${expectedSeq}-${n}-a`, `${expectedSeq}-${n}-b`, `${expectedSeq}-${n}-c`),
      );
      const settled = await Promise.allSettled(
        batches.map((batch) => storage.appendEvents(batch, { expectedSeq })),
      );
      const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.deepEqual(won, [{ inserted: 3, seqNums: [1, 2, 3].map((n) => expectedSeq + n) }]);
      for (const one of settled) {
        if (one.status === 'fulfilled') continue;
        assert.ok(one.reason instanceof ConflictError, String(one.reason));
        assert.deepEqual([one.reason.expectedSeq, one.reason.actualSeq], [expectedSeq, expectedSeq + 3]);
      }
      assert.equal((await storage.listEvents('s')).length, expectedSeq + 3);
    }
  });
}

export const expectedSeq: Topic = {
  needs: 'order',
  cases: (test, supports) => {
    if (supports.batches !== true) return;
    matching(test);
    replaying(test);
    refusing(test);
  },
};
