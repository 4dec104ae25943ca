import assert from 'node:assert/strict';
import { newId } from '../index.ts';
import { byCodePoint, event, given, idsOf, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

const GREATEST = 2 ** 53 - 1;

function appending(test: Case): void {
  test('appendEvent, listEvents: every field comes back', async (storage) => {
    const one = event({ sessionId: 's', seqNum: 7, createdAt: new Date('2024-01-02T03:04:05.678Z') });
    assert.deepEqual(await storage.appendEvent(one), { inserted: true, seqNum: 7 });
    const [found, ...more] = await storage.listEvents('s');
    assert.equal(more.length, 0);
    const { tenantId, ...rest } = found!;
    assert.ok(tenantId.length > 0);
    assert.deepEqual(rest, one);
  });

  test('appendEvent: a missing createdAt is now; the session need not exist', async (storage) => {
    const before = Date.now();
    await storage.appendEvent(event({ sessionId: 'never created' }));
    const [found] = await storage.listEvents('never created');
    const at = found!.createdAt.getTime();
    assert.ok(at >= before && at <= Date.now());
  });

  test('appendEvent: the first write of an id wins, a repeat answers the stored place', async (storage) => {
    const first = event({ sessionId: 's', seqNum: 3 });
    await storage.appendEvent(first);
    const repeat = { ...first, sessionId: 'other', seqNum: 9, type: 'changed', payload: null };
    assert.deepEqual(await storage.appendEvent(repeat), { inserted: false, seqNum: 3 });
    assert.deepEqual(await storage.appendEvent(first), { inserted: false, seqNum: 3 });
    assert.deepEqual(given(await storage.listEvents('s')), [first]);
    assert.deepEqual(await storage.listEvents('other'), []);
  });

  test('appendEvent: of many at once with one id, one is inserted and all agree', async (storage) => {
    const id = newId();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => storage.appendEvent(event({ id, sessionId: 's', seqNum: n }))),
    );
    assert.equal(answers.filter(({ inserted }) => inserted).length, 1);
    const [found] = await storage.listEvents('s');
    assert.deepEqual(new Set(answers.map(({ seqNum }) => seqNum)), new Set([found!.seqNum]));
  });
}

function places(test: Case): void {
  test('seqNum: zero, negatives and ±(2^53−1) are exact and in order', async (storage) => {
    const order = [-GREATEST, -GREATEST + 1, -1, 0, 1, GREATEST - 1, GREATEST];
    for (const seqNum of order.toReversed()) {
      const answer = await storage.appendEvent(event({ sessionId: 's', seqNum }));
      assert.deepEqual(answer, { inserted: true, seqNum });
    }
    assert.deepEqual(
      (await storage.listEvents('s')).map(({ seqNum }) => seqNum),
      order,
    );
    assert.deepEqual(
      (await storage.listEvents('s', GREATEST - 1)).map(({ seqNum }) => seqNum),
      [GREATEST],
    );
    assert.equal((await storage.listEvents('s', -GREATEST)).length, order.length - 1);
    assert.deepEqual(await storage.listEvents('s', GREATEST), []);
  });

  test('seqNum: −0 comes back as 0', async (storage) => {
    await storage.appendEvent(event({ sessionId: 's', seqNum: -0 }));
    const [found] = await storage.listEvents('s');
    assert.ok(Object.is(found!.seqNum, 0));
  });

  test('seqNum: what is not a whole number within ±(2^53−1) is refused', async (storage) => {
    for (const bad of [2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null]) {
      const one = { ...event({ sessionId: 's' }), seqNum: bad as number };
      await rejects(() => storage.appendEvent(one), 'INVALID_ARGUMENT', 'seqNum');
    }
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('listEvents: only above afterSeq, ordered by seqNum, then id by code point', async (storage) => {
    const ids = ['b', 'a', 'B', 'A', 'é', 'e', '😀', '￿', '10', '9'];
    for (const id of ids) await storage.appendEvent(event({ id, sessionId: 's', seqNum: 5 }));
    await storage.appendEvent(event({ id: 'before', sessionId: 's', seqNum: 4 }));
    await storage.appendEvent(event({ id: 'after', sessionId: 's', seqNum: 6 }));
    await storage.appendEvent(event({ id: 'elsewhere', sessionId: 'S', seqNum: 5 }));
    const sorted = ids.toSorted(byCodePoint);
    assert.deepEqual(idsOf(await storage.listEvents('s')), ['before', ...sorted, 'after']);
    assert.deepEqual(idsOf(await storage.listEvents('s', 4)), [...sorted, 'after']);
    assert.deepEqual(idsOf(await storage.listEvents('s', 5)), ['after']);
    assert.deepEqual(idsOf(await storage.listEvents('s', 6)), []);
    assert.deepEqual(await storage.listEvents('nobody'), []);
  });
}

export const events: Topic = {
  cases: (test) => {
    appending(test);
    places(test);
  },
};
