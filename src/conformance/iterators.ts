import assert from 'node:assert/strict';
import { type NewEvent, newId, type Storage, withTenant } from '../index.ts';
import { byCodePoint, event, idsOf } from './expect.ts';
import { after, checkpoint, memoryRecord, span } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { WALKERS } from './walkers.ts';

async function all<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of records) found.push(one);
  return found;
}

/** More rows than any page holds. */
const MANY = 1203;

function eachMethod(test: Case): void {
  for (const { method, add, list, iterate } of WALKERS) {
    const name = method.replace(/^list(\w+)Paged$/, 'iterate$1');

    test(`${name}: all rows in the list's own order; none when there are none`, async (storage) => {
      assert.deepEqual(await all(iterate(storage)), []);
      for (const [n, id] of ['b', 'a', 'é', '😀', '￿'].entries()) await add(storage, id, 3 * n);
      assert.deepEqual(await all(iterate(storage)), await list(storage));
    });

    test(`${name}: each walk goes by itself, and ends when its consumer stops`, async (storage) => {
      for (let n = 0; n < 5; n += 1) await add(storage, `id${n}`, n);
      const ids = idsOf(await list(storage));
      const [stopped, other] = [iterate(storage), iterate(storage)];
      assert.equal((await other.next()).value.id, ids[0]);
      for await (const { id } of stopped) {
        if (id === ids[1]) break;
      }
      assert.deepEqual(await stopped.next(), { done: true, value: undefined });
      assert.deepEqual(await all(stopped), []);
      assert.deepEqual(idsOf(await all(other)), ids.slice(1));
      const broken = iterate(storage);
      await assert.rejects(
        async () => {
          for await (const _ of broken) throw new Error('of the consumer');
        },
        { message: 'of the consumer' },
      );
      assert.equal((await broken.next()).done, true);
      // Nothing is held back: the storage works on.
      assert.deepEqual(idsOf(await list(storage)), ids);
    });

    test(
      `${name}: the tenant is read when it is called`,
      async (storage) => {
        const [mine, theirs] = [`mine-${newId()}`, `theirs-${newId()}`];
        await withTenant(mine, () => add(storage, 'mine', 1));
        await withTenant(theirs, () => add(storage, 'theirs', 1));
        let made: ReturnType<typeof iterate> | undefined;
        await withTenant(mine, () => {
          made = iterate(storage);
        });
        assert.deepEqual(idsOf(await withTenant(theirs, () => all(made!))), ['mine']);
        const bound = storage.forTenant(mine);
        assert.deepEqual(idsOf(await withTenant(theirs, () => all(iterate(bound)))), ['mine']);
        assert.deepEqual(await all(iterate(storage)), []);
      },
      { unbound: true },
    );
  }
}

function filtered(test: Case): void {
  test('iterateSessions, iterateMemory: only what the filter says', async (storage) => {
    for (const [n, status] of ['open', 'done', 'open', 'Open'].entries()) {
      const createdAt = after(n);
      await storage.createSession({ id: `s${n}`, agentId: n < 3 ? 'a' : 'b', status, createdAt });
      await storage.putMemory(memoryRecord({ id: `m${n}`, agentId: 'a', kind: status, createdAt }));
    }
    const sessions = async (filter?: { readonly agentId?: string; readonly status?: string }) =>
      idsOf(await all(storage.iterateSessions(filter)));
    assert.deepEqual(await sessions(), ['s3', 's2', 's1', 's0']);
    assert.deepEqual(await sessions({ agentId: 'a' }), ['s2', 's1', 's0']);
    assert.deepEqual(await sessions({ status: 'open' }), ['s2', 's0']);
    assert.deepEqual(await sessions({ agentId: 'b', status: 'open' }), []);
    const memory = async (kind?: string) =>
      idsOf(await all(storage.iterateMemory({ agentId: 'a', ...(kind === undefined ? {} : { kind }) })));
    assert.deepEqual(await memory(), ['m0', 'm1', 'm2', 'm3']);
    assert.deepEqual(await memory('open'), ['m0', 'm2']);
    assert.deepEqual(await memory(''), ['m0', 'm1', 'm2', 'm3']);
  });

  test('iterateEvents: only above afterSeq', async (storage) => {
    for (const seqNum of [-1, 0, 1, 2]) {
      await storage.appendEvent(event({ id: `e${seqNum}`, sessionId: 's', seqNum }));
    }
    assert.deepEqual(idsOf(await all(storage.iterateEvents('s', 0))), ['e1', 'e2']);
    assert.deepEqual(idsOf(await all(storage.iterateEvents('s', -5))), ['e-1', 'e0', 'e1', 'e2']);
    assert.deepEqual(await all(storage.iterateEvents('s', 2)), []);
  });

  test('iterateCheckpointedSessions: the ids of all sessions that have checkpoints, once each', async (storage) => {
    const ids = ['b', 'a', 'B', 'é', 'e', '😀', '￿', 'a '];
    for (const sessionId of ids) {
      await storage.saveCheckpoint(checkpoint({ sessionId, seqNum: 1 }));
      await storage.saveCheckpoint(checkpoint({ sessionId, seqNum: 2 }));
    }
    await storage.createSession({ id: 'without', agentId: 'a', status: 'x' });
    assert.deepEqual(await all(storage.iterateCheckpointedSessions()), ids.toSorted(byCodePoint));
    assert.deepEqual(await all(storage.forTenant(newId()).iterateCheckpointedSessions()), []);
  });
}

function checkpointed(test: Case): void {
  test(
    'iterateCheckpointedSessions: the tenant is read when it is called',
    async (storage) => {
      const [mine, theirs] = [`mine-${newId()}`, `theirs-${newId()}`];
      await withTenant(mine, () => storage.saveCheckpoint(checkpoint({ sessionId: 'mine' })));
      await withTenant(theirs, () => storage.saveCheckpoint(checkpoint({ sessionId: 'theirs' })));
      let made: AsyncIterableIterator<string> | undefined;
      await withTenant(mine, () => {
        made = storage.iterateCheckpointedSessions();
      });
      assert.deepEqual(await withTenant(theirs, () => all(made!)), ['mine']);
    },
    { unbound: true },
  );
}

function long(test: Case): void {
  test('iterateEvents, iterateTraces: more than a page, and what is written ahead meanwhile', async (storage) => {
    const said = Array.from({ length: MANY }, (_, n) => event({ sessionId: 's', seqNum: n % 7 }));
    const spans = said.map(({ id }, n) => span({ id, startedAt: after(n % 7) }));
    await storage.appendEvents(said);
    await storage.insertTraces(spans);
    const late = { events: 0, traces: 0 };
    for await (const { id } of storage.iterateEvents('s')) {
      late.events += 1;
      if (late.events === 1) await storage.appendEvent(event({ id: 'late', sessionId: 's', seqNum: 9 }));
      if (id === 'late') assert.equal(late.events, MANY + 1);
    }
    for await (const { id } of storage.iterateTraces('s')) {
      late.traces += 1;
      if (late.traces === 1) await storage.insertTrace(span({ id: 'late', startedAt: after(9) }));
      if (id === 'late') assert.equal(late.traces, MANY + 1);
    }
    assert.deepEqual(late, { events: MANY + 1, traces: MANY + 1 });
    assert.deepEqual(idsOf(await all(storage.iterateEvents('s'))), idsOf(await storage.listEvents('s')));
    assert.deepEqual(idsOf(await all(storage.iterateTraces('s'))), idsOf(await storage.listTraces('s')));
  });
}

async function append(
  storage: Storage,
  supports: Conformance['supports'],
  events: readonly NewEvent[],
): Promise<void> {
  if (supports.batches === true) await storage.appendEvents(events);
  else await Promise.all(events.map((one) => storage.appendEvent(one)));
}

function ends(test: Case, supports: Conformance['supports']): void {
  test('lastEvents: the newest n, in the order of the ledger', async (storage) => {
    const said = ['b', 'a', 'é', 'e', '😀', '￿'].map((id, n) =>
      event({ id, sessionId: 's', seqNum: n < 2 ? -n : 5 }),
    );
    await append(storage, supports, [...said, event({ sessionId: 'S', seqNum: 99 })]);
    const whole = await storage.listEvents('s');
    for (let n = 1; n <= said.length + 1; n += 1) {
      assert.deepEqual(await storage.lastEvents('s', n), whole.slice(-n), `the last ${n}`);
    }
    assert.deepEqual(await storage.lastEvents('nobody', 3), []);
  });

  test('lastEvents, countEvents: absent or ≤ 0 is 100, at most 1000; all are counted', async (storage) => {
    assert.equal(await storage.countEvents('s'), 0);
    const said = Array.from({ length: 1001 }, (_, seqNum) => event({ sessionId: 's', seqNum }));
    await append(storage, supports, said);
    await storage.appendEvent(said[0]!);
    await storage.appendEvent(event({ sessionId: 'S' }));
    for (const count of [undefined, 0, -3, 100]) {
      const found = await storage.lastEvents('s', count);
      assert.deepEqual([found.length, found[0]!.seqNum, found.at(-1)!.seqNum], [100, 901, 1000]);
    }
    assert.equal((await storage.lastEvents('s', 5000)).length, 1000);
    assert.equal(await storage.countEvents('s'), 1001);
    assert.equal(await storage.countEvents('S'), 1);
    assert.equal(await storage.forTenant(newId()).countEvents('s'), 0);
  });
}

export const iterators: Topic = {
  needs: 'pages',
  cases: (test, supports) => {
    eachMethod(test);
    filtered(test);
    checkpointed(test);
    if (supports.batches === true) long(test);
    ends(test, supports);
  },
};
