import assert from 'node:assert/strict';
import { newId, type Storage } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { crowd } from './ledgers.ts';
import type { Case, Topic } from './suite.ts';
import { WALKERS, type Walker } from './walkers.ts';

const DIRECTIONS = ['forward', 'backward'] as const;

/** Three rows, `prefix`1 to 3, at the places 1 to 3. */
async function fill(storage: Storage, { add }: Walker, prefix: string): Promise<void> {
  for (const n of [1, 2, 3]) await add(storage, `${prefix}${n}`, n);
}

async function cursorOf(storage: Storage, { page }: Walker, direction: 'forward' | 'backward') {
  const { nextCursor } = await page(storage, { size: 1, direction });
  assert.match(nextCursor, /^[A-Za-z0-9_-]+$/);
  return nextCursor;
}

function damaged(test: Case): void {
  test('a cursor is base64url without padding; damaged, cut or foreign ones are refused', async (storage) => {
    await crowd(storage);
    const { nextCursor } = await storage.listEventsPaged('s', undefined, 5);
    assert.match(nextCursor, /^[A-Za-z0-9_-]+$/);
    const flipped = [...nextCursor].map(
      (letter, n) => nextCursor.slice(0, n) + (letter === 'A' ? 'B' : 'A') + nextCursor.slice(n + 1),
    );
    const cut = [
      nextCursor.slice(1),
      nextCursor.slice(0, -1),
      `${nextCursor}A`,
      `${nextCursor}=`,
      ` ${nextCursor}`,
    ];
    for (const cursor of [...flipped, ...cut]) {
      await rejects(() => storage.listEventsPaged('s', undefined, 5, cursor), 'INVALID_CURSOR');
    }
  });

  for (const walker of WALKERS) {
    test(`${walker.method}: what is no cursor of ours is refused`, async (storage) => {
      await fill(storage, walker, 'id');
      const forged = Buffer.from('{"a":1}').toString('base64url');
      for (const direction of DIRECTIONS) {
        const cursor = await cursorOf(storage, walker, direction);
        const middle = cursor.length >> 1;
        const spoilt = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A');
        const bads = [spoilt + cursor.slice(middle + 1), cursor.slice(0, -4), `${cursor}=`, ` ${cursor}`];
        const foreign = ['x', '!', '0', '50', 'null', ' ', '\0', '\ud800', 'id1', forged, 5, null, {}, []];
        for (const bad of [...bads, ...foreign]) {
          const asked = { size: 1, direction, cursor: bad as string };
          await rejects(() => walker.page(storage, asked), 'INVALID_CURSOR');
        }
      }
    });
  }
}

function foreign(test: Case): void {
  test('a cursor of another method or direction is refused', async (storage) => {
    for (const walker of WALKERS) await fill(storage, walker, 'id');
    const ends = WALKERS.flatMap((walker) => DIRECTIONS.map((direction) => ({ walker, direction })));
    const cursors: string[] = [];
    for (const { walker, direction } of ends) cursors.push(await cursorOf(storage, walker, direction));
    for (const [of, cursor] of cursors.entries()) {
      for (const [to, { walker, direction }] of ends.entries()) {
        const read = (): Promise<unknown> => walker.page(storage, { size: 5, direction, cursor });
        if (of !== to) await rejects(read, 'INVALID_CURSOR');
      }
    }
  });

  for (const walker of WALKERS) {
    test(`${walker.method}: a cursor of another tenant reaches nothing of it`, async (storage) => {
      const other = storage.forTenant(`other-${newId()}`);
      await fill(storage, walker, 'mine');
      await fill(other, walker, 'theirs');
      for (const direction of DIRECTIONS) {
        const cursor = await cursorOf(storage, walker, direction);
        const theirs = idsOf((await walker.page(other, { cursor, direction })).records);
        const all = idsOf((await walker.page(other, { direction })).records);
        // The ids differ, so its own first row may lie on either side of a cursor at the same place.
        assert.deepEqual(theirs.slice(-2), all.slice(1));
        assert.ok(theirs.every((id) => id.startsWith('theirs')));
        const mine = idsOf((await walker.page(storage, { cursor, direction })).records);
        assert.equal(mine.length, 2);
        assert.ok(mine.every((id) => id.startsWith('mine')));
      }
    });
  }

  test('a cursor of another session, agent or filter reaches nothing of it', async (storage) => {
    await crowd(storage);
    const { nextCursor } = await storage.listEventsPaged('s', undefined, 5);
    const elsewhere = await storage.listEventsPaged('elsewhere', undefined, 100, nextCursor);
    assert.equal(elsewhere.events.length, 1);
    assert.ok(elsewhere.events.every(({ sessionId }) => sessionId === 'elsewhere'));
    for (const agentId of ['a', 'b']) {
      for (const n of [1, 2]) await storage.createSession({ id: `${agentId}${n}`, agentId, status: 'x' });
    }
    const ofA = (await storage.listSessionsPaged({ agentId: 'a' }, 1)).nextCursor;
    const ofB = await storage.listSessionsPaged({ agentId: 'b' }, 5, ofA);
    assert.ok(ofB.sessions.every(({ agentId }) => agentId === 'b'));
    assert.deepEqual((await storage.listSessionsPaged({ status: 'y' }, 5, ofA)).sessions, []);
  });

  test('a cursor outlives its row', async (storage) => {
    for (const seqNum of [1, 2, 3]) {
      await storage.appendEvent(event({ id: `e${seqNum}`, sessionId: 's', seqNum }));
    }
    const { nextCursor } = await storage.listEventsPaged('s', undefined, 1);
    await storage.deleteSession('s');
    assert.deepEqual(await storage.listEventsPaged('s', undefined, 1, nextCursor), {
      events: [],
      nextCursor: '',
    });
  });
}

export const cursors: Topic = {
  needs: 'pages',
  cases: (test) => {
    damaged(test);
    foreign(test);
  },
};
