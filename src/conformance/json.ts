import assert from 'node:assert/strict';
import type { Storage } from '../index.ts';
import { event, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

const TRICKY: readonly unknown[] = [
  ...[{}, [], '', ' ', 0, -0, 1, -1, 1.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2],
  ...[true, false, null, 'null', '"', '\\', '\\u0000', "'", '$1', '?', ':a', '/', '</script>'],
  ...['\0', 'a\0b', '\u0001\u001f\u007f\u0080', '\b\f\n\r\t\v', '\u2028\u2029', '\ufeff', '\ufeffa'],
  ...['\ud800', '\udc00', 'a\ud800b', '😀', '😀'.slice(0, 1), '\u{10ffff}', '\uffff', 'é', 'e\u0301', '日本'],
  ...[
    {
      z: 1,
      a: 2,
      10: 3,
      9: 4,
      '': 5,
      ' ': 6,
      é: 7,
      'e\u0301': 8,
      '\0': 9,
      '\ud800': 10,
      '😀': 11,
      'a.b': 12,
      "'": 13,
    },
  ],
  ...[
    [null, [null], [[]], [{}], {}],
    { a: null },
    { a: {}, b: [], c: '' },
    { a: { b: { c: [1, { d: 2 }] } } },
  ],
  ...[JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3,"hasOwnProperty":4}')],
  ...['{"a":1}', '[1]', 'true', '1e21', 'NaN', 'x'.repeat(70_000), ['\\"'.repeat(3000)], '[{'.repeat(2000)],
];

function nested(depth: number, leaf: unknown = 'deep'): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? { in: value } : [value];
  return value;
}

async function roundTrip(storage: Storage, value: unknown): Promise<void> {
  const one = event({ sessionId: 's', payload: value });
  await storage.appendEvent(one);
  const events = await storage.listEvents('s');
  const found = events.find(({ id }) => id === one.id);
  // Text against text: assert's own equality does not look at the order of keys.
  assert.equal(JSON.stringify(found?.payload), JSON.stringify(value));
}

function asWritten(test: Case): void {
  test('payload comes back as JSON.stringify wrote it', async (storage) => {
    const batch = TRICKY.map((payload, seqNum) => event({ sessionId: 's', seqNum, payload }));
    for (const one of batch) await storage.appendEvent(one);
    const found = await storage.listEvents('s');
    for (const [n, { payload }] of found.entries()) {
      assert.equal(JSON.stringify(payload), JSON.stringify(TRICKY[n]));
    }
    assert.equal(found.length, TRICKY.length);
  });

  test('payload of a batch, likewise', async (storage) => {
    await storage.appendEvents(TRICKY.map((payload, seqNum) => event({ sessionId: 's', seqNum, payload })));
    const found = await storage.listEvents('s');
    assert.deepEqual(
      found.map(({ payload }) => JSON.stringify(payload)),
      TRICKY.map((value) => JSON.stringify(value)),
    );
  });

  test('metadata, likewise; absent, null and {} differ', async (storage) => {
    for (const [n, metadata] of TRICKY.entries()) {
      await storage.createSession({ id: `s${n}`, agentId: 'a', status: 'x', metadata });
      assert.equal(JSON.stringify((await storage.getSession(`s${n}`)).metadata), JSON.stringify(metadata));
      const updated = await storage.updateSession({ id: `s${n}`, status: 'y', metadata: [metadata] });
      assert.equal(JSON.stringify(updated.metadata), JSON.stringify([metadata]));
      assert.deepEqual(await storage.getSession(`s${n}`), updated);
    }
    await storage.createSession({ id: 'absent', agentId: 'a', status: 'x' });
    assert.ok(!('metadata' in (await storage.getSession('absent'))));
    const sessions = await storage.listSessions('', 1000);
    assert.equal(sessions.filter((one) => one.metadata === null).length, 0);
  });

  test('1000 levels deep', async (storage) => {
    await roundTrip(storage, nested(1000));
    await roundTrip(storage, nested(999, 'x'.repeat(5000)));
    await storage.createSession({ id: 's', agentId: 'a', status: 'x', metadata: nested(1000) });
    assert.equal(JSON.stringify((await storage.getSession('s')).metadata), JSON.stringify(nested(1000)));
  });

  test('5 MB', async (storage) => {
    await roundTrip(storage, { text: '0123456789😀'.repeat(300_000), list: new Array(100_000).fill('item') });
  });
}

function rules(test: Case): void {
  test("JSON's own rules hold: NaN, toJSON, undefined members, holes", async (storage) => {
    const at = new Date('2024-01-01T00:00:00.000Z');
    const value = {
      nan: Number.NaN,
      infinite: Number.POSITIVE_INFINITY,
      gone: undefined,
      fn: () => 1,
      at,
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
      at: at.toISOString(),
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

  test('values are copied when the method is called, and never touched', async (storage) => {
    const payload = Object.freeze({ list: ['as called'] });
    const appended = storage.appendEvent(event({ sessionId: 's', payload }));
    payload.list[0] = 'changed later';
    await appended;
    assert.deepEqual((await storage.listEvents('s'))[0]!.payload, { list: ['as called'] });
    const metadata = { a: 1 };
    const created = storage.createSession(Object.freeze({ id: 's', agentId: 'a', status: 'x', metadata }));
    metadata.a = 2;
    await created;
    assert.deepEqual((await storage.getSession('s')).metadata, { a: 1 });
  });
}

function refused(test: Case): void {
  test('what has no JSON form is refused with the path of what is at fault', async (storage) => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = { again: [cycle] };
    const throws = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    const bads: readonly [string, unknown][] = [
      ['', undefined],
      ['', () => 1],
      ['', Symbol('x')],
      ['', 1n],
      ['.items[3]', { items: [0, 1, 2, 3n] }],
      ['.a["b c"].d', { a: { 'b c': { d: 1n } } }],
      ['.self.again[0]', cycle],
      ['[1]', [0, throws]],
    ];
    for (const [path, bad] of bads) {
      await rejects(
        () => storage.appendEvent(event({ sessionId: 's', payload: bad })),
        'INVALID_ARGUMENT',
        `payload${path}`,
      );
      if (bad === undefined) continue;
      const session = { id: 's', agentId: 'a', status: 'x', metadata: bad };
      await rejects(() => storage.createSession(session), 'INVALID_ARGUMENT', `metadata${path}`);
      await rejects(() => storage.updateSession(session), 'INVALID_ARGUMENT', `metadata${path}`);
    }
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('more than 1000 levels are refused', async (storage) => {
    for (const depth of [1001, 1500, 20_000, 200_000]) {
      const payload = nested(depth);
      await rejects(
        () => storage.appendEvent(event({ sessionId: 's', payload })),
        'INVALID_ARGUMENT',
        'payload',
      );
    }
  });
}

export const json: Topic = {
  cases: (test) => {
    asWritten(test);
    rules(test);
    refused(test);
  },
};
