import assert from 'node:assert/strict';
import { event, idsOf, rejects, walk } from './expect.ts';
import { foundAlone, foundNowhere, RECORD_KINDS, type RecordKind } from './record-kinds.ts';
import { AT, auditLog, checkpoint, memoryRecord, own, span } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { WALKERS } from './walkers.ts';

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
  test('dates come back equal, from year 1000 to 9999: events, checkpoints', async (storage) => {
    const said = MOMENTS.map((createdAt, seqNum) => event({ sessionId: 's', seqNum, createdAt }));
    const saved = MOMENTS.map((createdAt, seqNum) => checkpoint({ seqNum, createdAt }));
    await Promise.all(said.map((one) => storage.appendEvent(one)));
    await Promise.all(saved.map((one) => storage.saveCheckpoint(one)));
    assert.deepEqual((await storage.listEvents('s')).map(own), said);
    assert.deepEqual((await storage.listCheckpoints('s')).map(own), saved);
  });

  test('dates come back equal, and order memory, audit logs and spans', async (storage) => {
    const memory = MOMENTS.map((createdAt) => memoryRecord({ createdAt }));
    const logs = MOMENTS.map((createdAt) => auditLog({ createdAt }));
    const spans = MOMENTS.map((at) => span({ startedAt: at, endedAt: at }));
    // Newest first, so that ids do not order them by chance.
    await Promise.all(memory.toReversed().map((one) => storage.putMemory(one)));
    await Promise.all(logs.toReversed().map((one) => storage.appendAuditLog(one)));
    await Promise.all(spans.toReversed().map((one) => storage.insertTrace(one)));
    assert.deepEqual((await storage.listMemory('agent')).map(own), memory);
    assert.deepEqual((await storage.getMemory('agent', 'key')).id, memory.at(-1)!.id);
    assert.deepEqual((await storage.listAuditLogs('s')).map(own), logs.toReversed());
    assert.deepEqual((await storage.listTraces('s')).map(own), spans);
  });

  test('endedAt of endTrace comes back equal', async (storage) => {
    await storage.insertTrace(span({ id: 't' }));
    for (const endedAt of MOMENTS) {
      await storage.endTrace('t', { endedAt });
      assert.deepEqual((await storage.getTrace('t')).endedAt, endedAt);
    }
  });

  test('dates come back equal, and order sessions', async (storage) => {
    for (const [n, at] of MOMENTS.entries()) {
      await storage.createSession({ id: `s${n}`, agentId: 'a', status: 'x', createdAt: at, updatedAt: at });
      const found = await storage.getSession(`s${n}`);
      assert.deepEqual([found.createdAt, found.updatedAt], [at, at]);
    }
    assert.deepEqual(idsOf(await storage.listSessions()), MOMENTS.map((_, n) => `s${n}`).toReversed());
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

function exactBatches(test: Case): void {
  test('dates of a batch come back equal', async (storage) => {
    const said = MOMENTS.map((createdAt, seqNum) => event({ sessionId: 's', seqNum, createdAt }));
    const spans = MOMENTS.map((at, n) =>
      span({ startedAt: at, ...(n % 2 ? { endedAt: MOMENTS[n - 1]! } : {}) }),
    );
    await storage.appendEvents(said);
    await storage.insertTraces(spans.toReversed());
    assert.deepEqual((await storage.listEvents('s')).map(own), said);
    assert.deepEqual((await storage.listTraces('s')).map(own), spans);
  });
}

function paged(test: Case): void {
  for (const { method, ascending, add, page } of WALKERS) {
    test(`${method}: from the oldest to the newest date, to the millisecond`, async (storage) => {
      const ids = MOMENTS.map((_, n) => `${n % 3}-${n}`);
      const places = MOMENTS.map((at) => at.getTime() - AT.getTime());
      await Promise.all(ids.map((id, n) => add(storage, id, places[n]!)));
      const direction = ascending ? 'forward' : 'backward';
      const { records } = await walk((cursor) => page(storage, { size: 1, cursor, direction }));
      assert.deepEqual(idsOf(records), ids);
    });
  }
}

/** What no date field takes. */
const NO_DATES: readonly unknown[] = [
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

function refused(test: Case, kind: RecordKind, supports: Conformance['supports']): void {
  test(`${kind.name}: an invalid Date, one out of range and what is no Date are refused`, async (storage) => {
    const record = kind.make();
    const many = supports.batches === true ? kind.storeMany : undefined;
    for (const field of Object.keys(kind.times)) {
      for (const bad of NO_DATES) {
        const spoilt = { ...record, [field]: bad };
        await rejects(() => kind.store(storage, spoilt), 'INVALID_ARGUMENT', field);
        if (!many) continue;
        const path = `${many.argument}[1].${field}`;
        await rejects(() => many.call(storage, [record, spoilt]), 'INVALID_ARGUMENT', path);
      }
    }
    await foundNowhere(kind, storage, record);
  });
}

function refusedUpdates(test: Case): void {
  test('updateSession, endTrace: what is no Date is refused, and nothing changes', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'x' });
    await storage.insertTrace(span({ id: 't' }));
    const before = [await storage.getSession('s'), await storage.getTrace('t')];
    for (const bad of NO_DATES as readonly Date[]) {
      const update = { id: 's', status: 'y' };
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
      await rejects(() => storage.endTrace('t', { endedAt: bad }), 'INVALID_ARGUMENT', 'endedAt');
    }
    assert.deepEqual([await storage.getSession('s'), await storage.getTrace('t')], before);
  });
}

function read(test: Case): void {
  test('a Date is the moment that it holds, whatever its class says', async (storage) => {
    class Odd extends Date {
      override getTime(): number {
        return 0.5;
      }
    }
    await storage.appendEvent(event({ sessionId: 's', createdAt: new Odd(MOMENTS[9]!) }));
    assert.deepEqual((await storage.listEvents('s'))[0]!.createdAt, MOMENTS[9]);
  });

  test('a Date is copied when a method is called', async (storage) => {
    for (const kind of RECORD_KINDS) {
      const times = Object.keys(kind.times);
      const dates = times.map(() => new Date(MOMENTS[9]!));
      const record = kind.make(Object.fromEntries(times.map((field, n) => [field, dates[n]])));
      const as = { ...record, ...Object.fromEntries(times.map((field) => [field, MOMENTS[9]])) };
      const done = kind.store(storage, record);
      for (const date of dates) date.setTime(0);
      await done;
      await foundAlone(kind, storage, as);
    }
  });
}

export const dates: Topic = {
  cases: (test, supports) => {
    exact(test);
    if (supports.batches === true) exactBatches(test);
    if (supports.pages === true) paged(test);
    for (const kind of RECORD_KINDS) refused(test, kind, supports);
    refusedUpdates(test);
    read(test);
  },
};
