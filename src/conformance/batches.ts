import assert from 'node:assert/strict';
import { type NewEvent, newId } from '../index.ts';
import { event, given, idsOf, type PlacedEvent, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

function many(count: number, sessionId = 's'): PlacedEvent[] {
  return Array.from({ length: count }, (_, n) =>
    event({ id: `${sessionId}-${String(n).padStart(6, '0')}`, sessionId, seqNum: n, payload: { n } }),
  );
}

function shuffled<T>(list: readonly T[]): T[] {
  // A fixed stride that visits each place once: the same order in every run.
  return list.map((_, n) => list[(n * 7919) % list.length]!);
}

function storing(test: Case): void {
  test('appendEvents: all are stored, places in input order', async (storage) => {
    for (const count of [1, 2, 11, 999, 1000, 2003]) {
      const batch = shuffled(many(count, `s${count}`));
      const answer = await storage.appendEvents(batch);
      assert.equal(answer.inserted, count);
      assert.deepEqual(
        answer.seqNums,
        batch.map(({ seqNum }) => seqNum),
      );
      assert.deepEqual(given(await storage.listEvents(`s${count}`)), many(count, `s${count}`));
    }
  });

  test('appendEvents: none is a no-op', async (storage) => {
    assert.deepEqual(await storage.appendEvents([]), { inserted: 0, seqNums: [] });
  });

  test('appendEvents: of several sessions at once', async (storage) => {
    const batch = shuffled([...many(40, 'a'), ...many(40, 'b')]);
    assert.equal((await storage.appendEvents(batch)).inserted, 80);
    assert.deepEqual(given(await storage.listEvents('a')), many(40, 'a'));
    assert.deepEqual(given(await storage.listEvents('b')), many(40, 'b'));
  });

  test('appendEvents: megabytes in one batch', async (storage) => {
    const batch = many(12).map((one, n) => ({ ...one, payload: String(n).repeat(400_000) }));
    assert.equal((await storage.appendEvents(batch)).inserted, 12);
    assert.deepEqual(given(await storage.listEvents('s')), batch);
  });
}

function repeating(test: Case): void {
  test('appendEvents: of an id repeated in a batch the first wins', async (storage) => {
    const batch = [
      event({ id: 'x', sessionId: 's', seqNum: 1, payload: 'first' }),
      event({ id: 'y', sessionId: 's', seqNum: 2 }),
      event({ id: 'x', sessionId: 's', seqNum: 3, payload: 'second' }),
    ];
    assert.deepEqual(await storage.appendEvents(batch), { inserted: 2, seqNums: [1, 2, 1] });
    assert.deepEqual(given(await storage.listEvents('s')), batch.slice(0, 2));
  });

  test('appendEvents: stored ids are left alone and answer their stored place', async (storage) => {
    for (const count of [3, 1200]) {
      const sessionId = `s${count}`;
      const all = many(count, sessionId);
      const before = all.filter((_, n) => n % 3 === 0);
      for (const one of before.slice(0, 2)) await storage.appendEvent(one);
      await storage.appendEvents(before);
      const again = all.map((one) => ({ ...one, seqNum: one.seqNum + 10_000, type: 'again' }));
      const answer = await storage.appendEvents(shuffled(again));
      assert.equal(answer.inserted, count - before.length);
      const places = shuffled(all).map(({ seqNum }) => (seqNum % 3 === 0 ? seqNum : seqNum + 10_000));
      assert.deepEqual(answer.seqNums, places);
      assert.equal((await storage.listEvents(sessionId)).length, count);
    }
  });

  test('appendEvents: a whole batch again inserts nothing', async (storage) => {
    const batch = many(1100);
    await storage.appendEvents(batch);
    const answer = await storage.appendEvents(batch);
    assert.deepEqual(answer, { inserted: 0, seqNums: batch.map(({ seqNum }) => seqNum) });
  });

  test('appendEvents: batches at once that share ids store each once', async (storage) => {
    const all = many(600);
    const answers = await Promise.all([
      storage.appendEvents(all.slice(0, 400)),
      storage.appendEvents(all.slice(200).toReversed()),
      storage.appendEvents(shuffled(all)),
      ...all.slice(300, 310).map(async (one) => {
        const { inserted, seqNum } = await storage.appendEvent(one);
        return { inserted: Number(inserted), seqNums: [seqNum] };
      }),
    ]);
    assert.equal(
      answers.reduce((sum, { inserted }) => sum + inserted, 0),
      600,
    );
    assert.deepEqual(given(await storage.listEvents('s')), all);
  });
}

function refusing(test: Case): void {
  test('appendEvents: a refused event in the middle of a large batch leaves nothing', async (storage) => {
    const bads: readonly [string, Partial<Record<keyof NewEvent, unknown>>][] = [
      ['seqNum', { seqNum: 2 ** 53 }],
      ['seqNum', { seqNum: undefined }],
      ['id', { id: '' }],
      ['type', { type: 'x'.repeat(65) }],
      ['payload', { payload: undefined }],
      ['payload.a[1]', { payload: { a: [1, 2n] } }],
      ['createdAt', { createdAt: new Date(Number.NaN) }],
    ];
    for (const [field, bad] of bads) {
      const batch = many(1500);
      batch[1234] = { ...batch[1234]!, ...bad } as PlacedEvent;
      await rejects(() => storage.appendEvents(batch), 'INVALID_ARGUMENT', `events[1234].${field}`);
    }
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('appendEvents: what is no list of events is refused', async (storage) => {
    await rejects(() => storage.appendEvents('x' as never), 'INVALID_ARGUMENT', 'events');
    await rejects(() => storage.appendEvents([undefined] as never), 'INVALID_ARGUMENT', 'events[0]');
    await rejects(
      () => storage.appendEvents([event({ sessionId: 's' }), 7] as never),
      'INVALID_ARGUMENT',
      'events[1]',
    );
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('appendEvents: events are read when it is called, and left as they are', async (storage) => {
    const batch = many(1500).map((one) => ({ ...one, payload: { text: 'as called' } }));
    const copy = structuredClone(batch);
    const done = storage.appendEvents(batch);
    assert.deepEqual(batch, copy);
    for (const one of batch) one.payload.text = 'changed later';
    const last = { ...batch.pop()!, id: newId() };
    await done;
    const found = await storage.listEvents('s');
    assert.deepEqual(given(found), copy);
    assert.ok(!idsOf(found).includes(last.id));
  });
}

export const batches: Topic = {
  needs: 'batches',
  cases: (test) => {
    storing(test);
    repeating(test);
    refusing(test);
  },
};
