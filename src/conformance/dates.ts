import assert from 'node:assert/strict';
import { type NewEvent, newId } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

/** Oldest first: edges of years, of daylight saving in several zones, of the epoch, of 32 bits, of milliseconds. */
const MOMENTS: readonly Date[] = [
  '1000-01-01T00:00:00.000Z',
  '1582-10-10T12:00:00.001Z',
  '1883-11-18T17:00:00.000Z',
  '1899-12-31T23:59:59.999Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.001Z',
  '2000-02-29T23:59:59.500Z',
  '2001-09-09T01:46:40.123Z',
  '2024-03-10T06:59:59.999Z',
  '2024-03-10T07:00:00.000Z',
  '2024-03-31T01:30:00.250Z',
  '2024-11-03T05:30:00.000Z',
  '2024-11-03T06:30:00.000Z',
  '2038-01-19T03:14:07.999Z',
  '2038-01-19T03:14:08.000Z',
  '2106-02-07T06:28:16.001Z',
  '9999-12-31T23:59:59.998Z',
  '9999-12-31T23:59:59.999Z',
].map((text) => new Date(text));

function exact(test: Case): void {
  test('dates come back equal, from year 1000 to 9999: events', async (storage) => {
    const batch = MOMENTS.map((createdAt, seqNum) => event({ sessionId: 's', seqNum, createdAt }));
    for (const one of batch) await storage.appendEvent(one);
    const twins = batch.map((one) => ({ ...one, id: newId(), sessionId: 'batch' }));
    await storage.appendEvents(twins);
    for (const sessionId of ['s', 'batch']) {
      const found = await storage.listEvents(sessionId);
      assert.deepEqual(
        found.map(({ createdAt }) => createdAt.toISOString()),
        MOMENTS.map((at) => at.toISOString()),
      );
    }
  });

  test('dates come back equal, and order sessions; pages go by them to the millisecond', async (storage) => {
    for (const [n, at] of MOMENTS.entries()) {
      await storage.createSession({ id: `s${n}`, agentId: 'a', status: 'x', createdAt: at, updatedAt: at });
      const found = await storage.getSession(`s${n}`);
      assert.deepEqual([found.createdAt, found.updatedAt], [at, at]);
    }
    const oldestFirst = MOMENTS.map((_, n) => `s${n}`);
    assert.deepEqual(idsOf(await storage.listSessions()), oldestFirst.toReversed());
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await storage.listSessionsPaged({}, 1, cursor, { direction: 'backward' });
      seen.push(...idsOf(page.sessions));
      cursor = page.nextCursor;
    } while (cursor !== '');
    assert.deepEqual(seen, oldestFirst);
  });

  test('ifUpdatedAt and updatedAt are exact to the millisecond', async (storage) => {
    for (const [n, at] of MOMENTS.slice(0, -1).entries()) {
      await storage.createSession({ id: `s${n}`, agentId: 'a', status: 'x', updatedAt: at });
      const off = new Date(at.getTime() + 1);
      const update = { id: `s${n}`, status: 'y', updatedAt: at };
      await rejects(() => storage.updateSession(update, { ifUpdatedAt: off }), 'CONFLICT');
      const now = await storage.updateSession(update, { ifUpdatedAt: at });
      assert.ok(now.updatedAt > at);
      assert.deepEqual(await storage.getSession(`s${n}`), now);
    }
  });

  test('updatedAt stays within year 9999', async (storage) => {
    const last = MOMENTS.at(-1)!;
    await storage.createSession({ id: 's', agentId: 'a', status: 'x', updatedAt: last });
    assert.deepEqual((await storage.updateSession({ id: 's', status: 'y' })).updatedAt, last);
    assert.deepEqual((await storage.updateSessionStatus('s', 'z')).updatedAt, last);
    await rejects(() => storage.updateSession({ id: 's', status: 'w' }, { ifUpdatedAt: last }), 'CONFLICT');
    assert.equal((await storage.getSession('s')).status, 'z');
  });
}

function refused(test: Case): void {
  test('an invalid Date, one out of range and what is no Date are refused', async (storage) => {
    const bads = [
      new Date(Number.NaN),
      new Date('0999-12-31T23:59:59.999Z'),
      new Date('+010000-01-01T00:00:00.000Z'),
      new Date(8.64e15),
      new Date(-8.64e15),
      '2024-01-01T00:00:00.000Z',
      1_700_000_000_000,
      Object.create(Date.prototype),
      new Proxy(new Date(0), {}),
      null,
    ];
    await storage.createSession({ id: 's', agentId: 'a', status: 'x' });
    for (const bad of bads as Date[]) {
      const session = { id: 't', agentId: 'a', status: 'x' };
      const one: NewEvent = event({ sessionId: 's', createdAt: bad });
      await rejects(() => storage.appendEvent(one), 'INVALID_ARGUMENT', 'createdAt');
      await rejects(
        () => storage.createSession({ ...session, createdAt: bad }),
        'INVALID_ARGUMENT',
        'createdAt',
      );
      await rejects(
        () => storage.createSession({ ...session, updatedAt: bad }),
        'INVALID_ARGUMENT',
        'updatedAt',
      );
      const update = { id: 's', status: 'x' };
      await rejects(
        () => storage.updateSession({ ...update, updatedAt: bad }),
        'INVALID_ARGUMENT',
        'updatedAt',
      );
      await rejects(
        () => storage.updateSession(update, { ifUpdatedAt: bad }),
        'INVALID_ARGUMENT',
        'ifUpdatedAt',
      );
    }
    assert.deepEqual(await storage.listEvents('s'), []);
    assert.equal((await storage.listSessions()).length, 1);
  });

  test('a Date is the moment that it holds, whatever its class says', async (storage) => {
    class Odd extends Date {
      override getTime(): number {
        return 0.5;
      }
    }
    await storage.appendEvent(event({ sessionId: 's', createdAt: new Odd(MOMENTS[9]!) }));
    assert.deepEqual((await storage.listEvents('s'))[0]!.createdAt, MOMENTS[9]);
  });

  test('a Date is copied when the method is called', async (storage) => {
    const createdAt = new Date(MOMENTS[9]!);
    const done = storage.appendEvent(event({ sessionId: 's', createdAt }));
    createdAt.setTime(0);
    await done;
    const [found] = await storage.listEvents('s');
    assert.deepEqual(found!.createdAt, MOMENTS[9]);
  });
}

export const dates: Topic = {
  cases: (test) => {
    exact(test);
    refused(test);
  },
};
