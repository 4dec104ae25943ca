import assert from 'node:assert/strict';
import { newId } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { crowd, someSessions } from './ledgers.ts';
import type { Topic } from './suite.ts';

export const cursors: Topic = {
  needs: 'pages',
  cases: (test) => {
    test('a cursor is base64url without padding; damaged, cut or foreign ones are refused', async (storage) => {
      await crowd(storage);
      const { nextCursor } = await storage.listEventsPaged('s', undefined, 5);
      assert.match(nextCursor, /^[A-Za-z0-9_-]+$/);
      const damaged = [...nextCursor].map(
        (letter, n) => nextCursor.slice(0, n) + (letter === 'A' ? 'B' : 'A') + nextCursor.slice(n + 1),
      );
      const cut = [
        nextCursor.slice(1),
        nextCursor.slice(0, -1),
        `${nextCursor}A`,
        `${nextCursor}=`,
        ` ${nextCursor}`,
      ];
      const foreign = [
        'x',
        '!',
        '0',
        'null',
        Buffer.from('{"a":1}').toString('base64url'),
        '50',
        5,
        null,
        {},
      ];
      for (const cursor of [...damaged, ...cut, ...foreign]) {
        await rejects(() => storage.listEventsPaged('s', undefined, 5, cursor as string), 'INVALID_CURSOR');
      }
    });

    test('a cursor of another method or direction is refused', async (storage) => {
      await crowd(storage);
      await someSessions(storage);
      const ofEvents = (await storage.listEventsPaged('s', undefined, 5)).nextCursor;
      const ofSessions = (await storage.listSessionsPaged({}, 5)).nextCursor;
      const backward = { direction: 'backward' } as const;
      await rejects(() => storage.listSessionsPaged({}, 5, ofEvents), 'INVALID_CURSOR');
      await rejects(() => storage.listEventsPaged('s', undefined, 5, ofSessions), 'INVALID_CURSOR');
      await rejects(() => storage.listEventsPaged('s', undefined, 5, ofEvents, backward), 'INVALID_CURSOR');
      await rejects(() => storage.listSessionsPaged({}, 5, ofSessions, backward), 'INVALID_CURSOR');
    });

    test('a cursor of another session or tenant reaches nothing of it', async (storage) => {
      await crowd(storage);
      const other = storage.forTenant(`other-${newId()}`);
      await other.appendEvent(event({ id: 'theirs', sessionId: 's', seqNum: 60 }));
      const { nextCursor } = await storage.listEventsPaged('s', undefined, 5);
      const elsewhere = await storage.listEventsPaged('elsewhere', undefined, 100, nextCursor);
      assert.ok(elsewhere.events.every(({ sessionId }) => sessionId === 'elsewhere'));
      const theirs = await other.listEventsPaged('s', undefined, 100, nextCursor);
      assert.deepEqual(idsOf(theirs.events), ['theirs']);
    });
  },
};
