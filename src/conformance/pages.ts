import assert from 'node:assert/strict';
import { type Direction, type Event, type NewEvent, newId, type Session, type Storage } from '../index.ts';
import { byCodePoint, event, idsOf, type Walked, walk } from './expect.ts';
import { crowd, someSessions } from './ledgers.ts';
import { after, memoryRecord } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

interface EventWalk {
  readonly size: number;
  readonly direction?: Direction;
  readonly afterSeq?: number;
  /** Runs after each page. */
  readonly between?: (page: number) => Promise<void>;
}

function walkEvents(
  storage: Storage,
  { size, direction, afterSeq, between }: EventWalk,
): Promise<Walked<Event>> {
  let page = 0;
  return walk(async (cursor) => {
    const options = direction === undefined ? undefined : { direction };
    const { events, nextCursor } = await storage.listEventsPaged('s', afterSeq, size, cursor, options);
    await between?.(page++);
    return { records: events, nextCursor };
  });
}

function eventPages(test: Case): void {
  test('listEventsPaged: every page size, with edges inside 50 events that share a seqNum', async (storage) => {
    const all = await crowd(storage);
    assert.equal(all.length, 70);
    for (let size = 1; size <= 71; size += 1) {
      const { records, sizes } = await walkEvents(storage, { size });
      assert.deepEqual(idsOf(records), all, `pages of ${size}`);
      assert.equal(sizes.length, Math.ceil(70 / size), `no empty page at the end of pages of ${size}`);
    }
  });

  test('listEventsPaged: backward is the reverse', async (storage) => {
    const all = (await crowd(storage)).toReversed();
    for (const size of [1, 2, 3, 7, 11, 24, 25, 49, 50, 51, 69, 70, 71]) {
      const { records } = await walkEvents(storage, { size, direction: 'backward' });
      assert.deepEqual(idsOf(records), all, `pages of ${size}`);
    }
  });

  test('listEventsPaged: afterSeq is a lower bound in both directions', async (storage) => {
    await crowd(storage);
    for (const afterSeq of [-1, 5, 49, 50, 78, 79]) {
      const all = idsOf(await storage.listEvents('s', afterSeq));
      for (const size of [9, 50]) {
        const forward = await walkEvents(storage, { size, afterSeq });
        assert.deepEqual(idsOf(forward.records), all);
        const backward = await walkEvents(storage, { size, afterSeq, direction: 'backward' });
        assert.deepEqual(idsOf(backward.records), all.toReversed());
      }
    }
  });

  test('listEventsPaged: an afterSeq raised or lowered between pages holds', async (storage) => {
    await crowd(storage);
    const { nextCursor } = await storage.listEventsPaged('s', undefined, 3);
    const raised = await storage.listEventsPaged('s', 50, 100, nextCursor);
    assert.deepEqual(idsOf(raised.events), idsOf(await storage.listEvents('s', 50)));
    const lowered = await storage.listEventsPaged('s', -99, 100, nextCursor);
    assert.deepEqual(idsOf(lowered.events), idsOf(await storage.listEvents('s')).slice(3));
  });

  test('listEventsPaged: events appended between pages disturb no others', async (storage) => {
    const all = await crowd(storage);
    for (const direction of ['forward', 'backward'] as const) {
      const added: string[] = [];
      const add = async (seqNum: number): Promise<void> => {
        const one = event({ sessionId: 's', seqNum, id: `+${newId()}` });
        added.push(one.id);
        await storage.appendEvent(one);
      };
      const between = async (page: number): Promise<void> => {
        if (page > 4) return;
        for (const seqNum of [-1, 50, 99]) await add(seqNum);
      };
      const { records } = await walkEvents(storage, { size: 7, direction, between });
      const seen = idsOf(records);
      assert.equal(new Set(seen).size, seen.length, 'none is repeated');
      const old = seen.filter((id) => !id.startsWith('+'));
      assert.deepEqual(old, direction === 'forward' ? all : all.toReversed());
      assert.ok(
        seen.some((id) => added.includes(id)),
        'what is appended ahead is seen',
      );
    }
  });
}

function sessionPages(test: Case): void {
  test('listSessionsPaged: every filter, size and direction', async (storage) => {
    const all = await someSessions(storage);
    const newestFirst = all.toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byCodePoint(b.id, a.id),
    );
    assert.deepEqual(all, newestFirst);
    const filters = [
      {},
      { agentId: 'odd' },
      { status: 'open' },
      { agentId: 'even', status: 'done' },
      { agentId: '', status: '' },
    ];
    for (const filter of filters) {
      const wanted: readonly Session[] = all.filter(
        (one) =>
          (!filter.agentId || one.agentId === filter.agentId) &&
          (!filter.status || one.status === filter.status),
      );
      for (const direction of ['forward', 'backward'] as const) {
        for (const size of [1, 4, 5, 30, 31]) {
          const { records, sizes } = await walk(async (cursor) => {
            const page = await storage.listSessionsPaged(filter, size, cursor, { direction });
            return { records: page.sessions, nextCursor: page.nextCursor };
          });
          assert.deepEqual(records, direction === 'forward' ? wanted : wanted.toReversed());
          assert.equal(sizes.length, Math.max(1, Math.ceil(wanted.length / size)));
        }
      }
    }
    assert.equal((await storage.listSessionsPaged()).sessions.length, all.length);
  });

  test('listSessionsPaged: sessions created between pages disturb no others', async (storage) => {
    const all = idsOf(await someSessions(storage));
    let page = 0;
    const { records } = await walk(async (cursor) => {
      const found = await storage.listSessionsPaged({}, 4, cursor);
      for (const year of page++ < 3 ? [2000, 2030] : []) {
        await storage.createSession({
          id: `+${newId()}`,
          agentId: 'odd',
          status: 'open',
          createdAt: new Date(Date.UTC(year, 0)),
        });
      }
      return { records: found.sessions, nextCursor: found.nextCursor };
    });
    const seen = idsOf(records);
    assert.deepEqual(
      seen.filter((id) => !id.startsWith('+')),
      all,
    );
    assert.equal(new Set(seen).size, seen.length);
  });
}

function memoryPages(test: Case): void {
  test('listMemoryPaged: a kind or all, every size and direction', async (storage) => {
    const kinds = ['short_term', 'long_term', '', 'Short_Term'];
    for (let n = 0; n < 20; n += 1) {
      const createdAt = after(Math.floor(n / 6));
      await storage.putMemory(memoryRecord({ id: `m${n}`, kind: kinds[n % 4]!, createdAt }));
    }
    await storage.putMemory(memoryRecord({ agentId: 'other' }));
    for (const kind of [undefined, '', 'short_term', 'long_term', 'none']) {
      const wanted = await storage.listMemory('agent', kind);
      const filter = { agentId: 'agent', ...(kind === undefined ? {} : { kind }) };
      for (const direction of ['forward', 'backward'] as const) {
        for (const size of [1, 3, 5, 20, 21]) {
          const { records, sizes } = await walk((cursor) =>
            storage.listMemoryPaged(filter, size, cursor, { direction }),
          );
          assert.deepEqual(records, direction === 'forward' ? wanted : wanted.toReversed());
          assert.equal(sizes.length, Math.max(1, Math.ceil(wanted.length / size)));
        }
      }
    }
  });
}

function limits(test: Case, supports: Conformance['supports']): void {
  test('limit: absent or ≤ 0 is 100, at most 1000; an exact multiple has no empty page after it', async (storage) => {
    const batch = Array.from({ length: 1001 }, (_, seqNum) => event({ sessionId: 's', seqNum }));
    const append = async (part: readonly NewEvent[]): Promise<unknown> =>
      supports.batches === true
        ? storage.appendEvents(part)
        : Promise.all(part.map((one) => storage.appendEvent(one)));
    await append(batch.slice(0, 200));
    for (const limit of [undefined, 0, -1, 100]) {
      const first = await storage.listEventsPaged('s', undefined, limit);
      assert.equal(first.events.length, 100);
      const second = await storage.listEventsPaged('s', undefined, limit, first.nextCursor);
      assert.deepEqual([second.events.length, second.nextCursor], [100, '']);
    }
    await append(batch.slice(200));
    assert.equal((await storage.listEventsPaged('s', undefined, 5000)).events.length, 1000);
  });

  test('a session without events has one empty page', async (storage) => {
    assert.deepEqual(await storage.listEventsPaged('nobody'), { events: [], nextCursor: '' });
    assert.deepEqual(await storage.listSessionsPaged({}), { sessions: [], nextCursor: '' });
  });
}

export const pages: Topic = {
  needs: 'pages',
  cases: (test, supports) => {
    eventPages(test);
    sessionPages(test);
    memoryPages(test);
    limits(test, supports);
  },
};
