import assert from 'node:assert/strict';
import type { Storage } from '../index.ts';
import { event, rejects } from './expect.ts';
import { nested, TRICKY, WHOLES } from './json-values.ts';
import { type Fields, foundAlone, foundNowhere, RECORD_KINDS, type RecordKind } from './record-kinds.ts';
import { AT, after, own, span } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

const LONG = '0123456789'.repeat(500_000);

async function roundTrip(storage: Storage, value: unknown): Promise<void> {
  const one = event({ sessionId: 's', payload: value });
  await storage.appendEvent(one);
  const events = await storage.listEvents('s');
  const found = events.find(({ id }) => id === one.id);
  // Text against text: assert's own equality does not look at the order of keys.
  assert.equal(JSON.stringify(found?.payload), JSON.stringify(value));
}

/** A record with this in each of its JSON fields. */
function filledWith(kind: RecordKind, value: unknown): Fields {
  return kind.make(Object.fromEntries(Object.keys(kind.json).map((field) => [field, value])));
}

function events(test: Case, supports: Conformance['supports']): void {
  test('payload comes back as JSON.stringify wrote it', async (storage) => {
    const batch = TRICKY.map((payload, seqNum) => event({ sessionId: 's', seqNum, payload }));
    for (const one of batch) await storage.appendEvent(one);
    const found = await storage.listEvents('s');
    for (const [n, { payload }] of found.entries()) {
      assert.equal(JSON.stringify(payload), JSON.stringify(TRICKY[n]));
    }
    assert.equal(found.length, TRICKY.length);
  });

  if (supports.batches !== true) return;
  test('payload of a batch, likewise', async (storage) => {
    await storage.appendEvents(TRICKY.map((payload, seqNum) => event({ sessionId: 's', seqNum, payload })));
    const found = await storage.listEvents('s');
    assert.deepEqual(
      found.map(({ payload }) => JSON.stringify(payload)),
      TRICKY.map((value) => JSON.stringify(value)),
    );
  });
}

function asWritten(test: Case, kind: RecordKind, supports: Conformance['supports']): void {
  const fields = Object.keys(kind.json);

  test(`${kind.name}: ${fields.join(' and ')} as JSON.stringify wrote it`, async (storage) => {
    const records = WHOLES.map((value) => filledWith(kind, value));
    const many = supports.batches === true ? kind.storeMany : undefined;
    const alone = records.filter((_, n) => !many || n % 2 === 0);
    if (kind.replaces) {
      const before = alone.map((one) => ({ ...one, [fields[0]!]: 'before' }));
      await Promise.all(before.map((record) => kind.store(storage, record)));
    }
    await Promise.all(alone.map((record) => kind.store(storage, record)));
    await many?.call(
      storage,
      records.filter((_, n) => n % 2 === 1),
    );
    await Promise.all(records.map((record) => foundAlone(kind, storage, record)));
  });
}

function updated(test: Case): void {
  test('metadata of updateSession, output of endTrace, likewise; absent, null and {} differ', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'x' });
    await storage.insertTrace(span({ id: 't', startedAt: AT }));
    assert.ok(!('metadata' in (await storage.getSession('s'))));
    assert.ok(!('output' in (await storage.getTrace('t'))));
    for (const value of [...WHOLES, nested(1000)]) {
      const session = await storage.updateSession({ id: 's', status: 'y', metadata: value });
      assert.equal(JSON.stringify(session.metadata), JSON.stringify(value));
      assert.equal(
        JSON.stringify(own(await storage.getSession('s'))),
        JSON.stringify(own({ ...session, metadata: value })),
      );
      await storage.endTrace('t', { output: value, endedAt: after(1) });
      const { output } = await storage.getTrace('t');
      assert.equal(JSON.stringify(output), JSON.stringify(value));
    }
  });

  test('1000 levels deep, in every JSON field', async (storage) => {
    await roundTrip(storage, nested(999, 'x'.repeat(5000)));
    for (const kind of RECORD_KINDS) {
      const deep = filledWith(kind, nested(1000));
      await kind.store(storage, deep);
      await foundAlone(kind, storage, deep);
    }
  });

  test('5 MB, in every JSON field', async (storage) => {
    for (const kind of RECORD_KINDS) {
      for (const field of Object.keys(kind.json)) {
        const long = kind.make({ [field]: LONG });
        await kind.store(storage, long);
        const [found] = await kind.finds[0]!(storage, long);
        // Not assert.equal, which would print both.
        assert.ok(found?.[field] === LONG, `${kind.name}: ${field}`);
      }
    }
  });

  test('5 MB of many values', async (storage) => {
    await roundTrip(storage, { text: '0123456789😀'.repeat(300_000), list: new Array(100_000).fill('item') });
  });
}

function rules(test: Case): void {
  test("JSON's own rules hold: NaN, toJSON, undefined members, holes", async (storage) => {
    const value = {
      nan: Number.NaN,
      infinite: Number.POSITIVE_INFINITY,
      gone: undefined,
      fn: () => 1,
      at: AT,
      own: { toJSON: () => ['mine'] },
      holes: [1, undefined, Symbol('x')],
      map: new Map([[1, 2]]),
      boxed: new String('boxed'),
    };
    await storage.appendEvent(event({ sessionId: 's', payload: value }));
    const [found] = await storage.listEvents('s');
    assert.deepEqual(found!.payload, {
      nan: null,
      infinite: null,
      at: AT.toISOString(),
      own: ['mine'],
      holes: [1, null, null],
      map: {},
      boxed: 'boxed',
    });
  });

  test('the same object twice is no cycle', async (storage) => {
    const shared = { a: 1 };
    await roundTrip(storage, [shared, shared, { shared }]);
  });

  test('values are copied when a method is called, and never touched', async (storage) => {
    for (const kind of RECORD_KINDS) {
      const value = { list: ['as called'] };
      const record = Object.freeze(filledWith(kind, Object.freeze(value)));
      const done = kind.store(storage, record);
      value.list[0] = 'changed later';
      await done;
      await foundAlone(kind, storage, { ...record, ...filledFrom(kind, { list: ['as called'] }) });
    }
  });
}

function filledFrom({ json }: RecordKind, value: unknown): Fields {
  return Object.fromEntries(Object.keys(json).map((field) => [field, value]));
}

/** Values that have no JSON form, and where in them the fault lies. */
function faulty(): readonly (readonly [path: string, value: unknown])[] {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = { again: [cycle] };
  const throws = {
    toJSON: () => {
      throw new Error('no');
    },
  };
  return [
    ['', () => 1],
    ['', Symbol('x')],
    ['', 1n],
    ['', { toJSON: () => undefined }],
    ['.items[3]', { items: [0, 1, 2, 3n] }],
    ['.a["b c"].d', { a: { 'b c': { d: 1n } } }],
    ['.self.again[0]', cycle],
    ['[1]', [0, throws]],
    ['', nested(1001)],
    ['', nested(1000, [])],
    ['', nested(20_000)],
  ];
}

function refused(test: Case, kind: RecordKind, supports: Conformance['supports']): void {
  test(`${kind.name}: what has no JSON form is refused with the path of what is at fault`, async (storage) => {
    const record = kind.make();
    const many = supports.batches === true ? kind.storeMany : undefined;
    for (const [field, need] of Object.entries(kind.json)) {
      const missing = need === 'required' ? [['', undefined] as const] : [];
      for (const [path, bad] of [...faulty(), ...missing]) {
        const spoilt = { ...record, [field]: bad };
        await rejects(() => kind.store(storage, spoilt), 'INVALID_ARGUMENT', field + path);
        if (!many) continue;
        const inBatch = `${many.argument}[1].${field}${path}`;
        await rejects(() => many.call(storage, [record, spoilt]), 'INVALID_ARGUMENT', inBatch);
      }
    }
    await foundNowhere(kind, storage, record);
  });
}

function refusedUpdates(test: Case): void {
  test('updateSession, endTrace: what has no JSON form is refused, and nothing changes', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'x', metadata: 1 });
    await storage.insertTrace(span({ id: 't', output: 1 }));
    const before = [await storage.getSession('s'), await storage.getTrace('t')];
    for (const [path, bad] of faulty()) {
      const update = { id: 's', status: 'y', metadata: bad };
      await rejects(() => storage.updateSession(update), 'INVALID_ARGUMENT', `metadata${path}`);
      await rejects(() => storage.endTrace('t', { output: bad }), 'INVALID_ARGUMENT', `output${path}`);
    }
    assert.deepEqual([await storage.getSession('s'), await storage.getTrace('t')], before);
  });
}

export const json: Topic = {
  cases: (test, supports) => {
    events(test, supports);
    for (const kind of RECORD_KINDS) asWritten(test, kind, supports);
    updated(test);
    rules(test);
    for (const kind of RECORD_KINDS) refused(test, kind, supports);
    refusedUpdates(test);
  },
};
