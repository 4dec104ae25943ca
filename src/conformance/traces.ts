import assert from 'node:assert/strict';
import { type NewTrace, type Storage, type Trace, type TraceEnd, TraceKind } from '../index.ts';
import { byCodePoint, idsOf, rejects } from './expect.ts';
import { AT, after, own, span } from './records.ts';
import type { Case, Topic } from './suite.ts';

const WHOLE: NewTrace = {
  id: 't',
  sessionId: 's',
  parentId: 'p',
  name: 'search',
  kind: TraceKind.modelCall,
  input: { q: 'tea' },
  output: [1, 2],
  error: 'none really',
  startedAt: AT,
  endedAt: after(250),
};

/** What tools print and no text column takes as it is. */
const FREE_TEXTS: readonly string[] = [
  ...['', ' ', 'null', '"', '{"a":1}', '\\u0000', "'); drop table chronos_traces; --"],
  ...['\0', 'a\0b', '\ud800', 'a\udc00b', '😀'.slice(0, 1), '\ufeff', '\ufeffa', '\uffff', 'e\u0301'],
  ...['\r\n\t\b\f\v', '\u001b[31mred\u001b[0m', '\u2028\u2029', 'x'.repeat(1_000_000), '\0'.repeat(5000)],
];

function inserting(test: Case): void {
  test('insertTrace, getTrace, listTraces: every field comes back', async (storage) => {
    assert.equal(await storage.insertTrace(WHOLE), undefined);
    const found = await storage.getTrace('t');
    assert.ok(found.tenantId.length > 0);
    assert.deepEqual(own(found), WHOLE);
    assert.deepEqual(await storage.listTraces('s'), [found]);
  });

  test('insertTrace: absent fields stay absent, a missing startedAt is now', async (storage) => {
    const before = Date.now();
    await storage.insertTrace(span({ id: 't', sessionId: 'never created', kind: 'a kind of my own' }));
    const { startedAt, ...rest } = own(await storage.getTrace('t'));
    assert.deepEqual(rest, span({ id: 't', sessionId: 'never created', kind: 'a kind of my own' }));
    assert.ok(startedAt.getTime() >= before && startedAt.getTime() <= Date.now());
  });

  test('insertTrace: of a stored id every field takes the new value', async (storage) => {
    await storage.insertTrace(WHOLE);
    const next: NewTrace = {
      id: 't',
      sessionId: 's2',
      parentId: 'p2',
      name: 'other',
      kind: TraceKind.node,
      input: null,
      output: {},
      error: '',
      startedAt: after(-9),
      endedAt: after(-8),
    };
    await storage.insertTrace(next);
    assert.deepEqual(own(await storage.getTrace('t')), next);
    assert.deepEqual(await storage.listTraces('s'), []);
    assert.deepEqual(idsOf(await storage.listTraces('s2')), ['t']);
  });

  test('insertTrace: a field that is absent clears what was stored, startedAt becomes now', async (storage) => {
    const bare = span({ id: 't' });
    const undefinedIsAbsent = Object.fromEntries(
      Object.keys(WHOLE).map((field) => [field, Reflect.get(bare, field)]),
    );
    for (const next of [bare, undefinedIsAbsent as unknown as NewTrace]) {
      await storage.insertTrace(WHOLE);
      const before = Date.now();
      await storage.insertTrace(next);
      const { startedAt, ...rest } = own(await storage.getTrace('t'));
      assert.deepEqual(rest, bare);
      assert.ok(startedAt.getTime() >= before);
    }
  });

  test('insertTrace: of many at once with one id, one span stays, whole', async (storage) => {
    const all = Array.from({ length: 12 }, (_, n) =>
      span({ id: 't', name: `n${n}`, parentId: `p${n}`, input: n, startedAt: after(n) }),
    );
    await Promise.all(all.map((one) => storage.insertTrace(one)));
    const found = await storage.listTraces('s');
    assert.equal(found.length, 1);
    assert.deepEqual(own(found[0]!), all[found[0]!.input as number]);
  });

  test('getTrace: none is NotFound', async (storage) => {
    await rejects(() => storage.getTrace('nobody'), 'NOT_FOUND');
  });
}

/** A span as it was stored, and as it is after its end. */
async function ended(storage: Storage, end?: TraceEnd): Promise<Trace> {
  await storage.insertTrace(WHOLE);
  assert.equal(await storage.endTrace('t', end), undefined);
  return storage.getTrace('t');
}

function ending(test: Case): void {
  test('endTrace: endedAt, output and error as given; the rest stays', async (storage) => {
    const { output, error, endedAt, ...open } = WHOLE;
    await storage.insertTrace(open);
    assert.ok(!('endedAt' in (await storage.getTrace('t'))));
    const end = { endedAt: after(5), output: { hits: 3 }, error: 'a\0b' };
    await storage.endTrace('t', end);
    assert.deepEqual(own(await storage.getTrace('t')), { ...open, ...end });
  });

  test('endTrace: without a time it is now', async (storage) => {
    for (const end of [undefined, {}, { output: 1 }]) {
      const before = Date.now();
      const found = await ended(storage, end);
      const at = found.endedAt!.getTime();
      assert.ok(at >= before && at <= Date.now());
    }
  });

  test('endTrace: an absent output or error stays as stored, null replaces', async (storage) => {
    const endedAt = after(9);
    const gone = { output: undefined, error: undefined } as unknown as TraceEnd;
    assert.deepEqual(own(await ended(storage, { endedAt })), { ...WHOLE, endedAt });
    assert.deepEqual(own(await ended(storage, { endedAt, ...gone })), { ...WHOLE, endedAt });
    assert.deepEqual(own(await ended(storage, { endedAt, output: null })), {
      ...WHOLE,
      endedAt,
      output: null,
    });
    assert.deepEqual(own(await ended(storage, { endedAt, error: '' })), { ...WHOLE, endedAt, error: '' });
  });

  test('endTrace: the same end again changes nothing, another one wins', async (storage) => {
    const end = { endedAt: after(9), output: 'out', error: 'err' };
    const first = await ended(storage, end);
    await storage.endTrace('t', end);
    assert.deepEqual(await storage.getTrace('t'), first);
    await storage.endTrace('t', { ...end, output: 'later' });
    assert.deepEqual(await storage.getTrace('t'), { ...first, output: 'later' });
  });

  test('endTrace: none is NotFound, and none is made', async (storage) => {
    await storage.insertTrace({ ...WHOLE, id: 'T' });
    await rejects(() => storage.endTrace('t', { endedAt: AT }), 'NOT_FOUND');
    await rejects(() => storage.endTrace('t'), 'NOT_FOUND');
    assert.deepEqual((await storage.listTraces('s')).map(own), [{ ...WHOLE, id: 'T' }]);
  });

  test('endTrace: what is no end is refused and the span stays', async (storage) => {
    const before = await ended(storage, { endedAt: AT });
    const bads: readonly (readonly [string, unknown])[] = [
      ['end', 7],
      ['end', null],
      ['endedAt', { endedAt: new Date(Number.NaN) }],
      ['endedAt', { endedAt: 1 }],
      ['output.a', { output: { a: 1n } }],
      ['error', { error: 7 }],
      ['error', { error: null }],
    ];
    for (const [argument, bad] of bads) {
      await rejects(() => storage.endTrace('t', bad as TraceEnd), 'INVALID_ARGUMENT', argument);
    }
    assert.deepEqual(await storage.getTrace('t'), before);
  });
}

function failing(test: Case): void {
  test('error: any text of any length, as written', async (storage) => {
    for (const [n, error] of FREE_TEXTS.entries()) {
      await storage.insertTrace(span({ id: `t${n}`, error }));
      assert.equal((await storage.getTrace(`t${n}`)).error, error, `text ${n}`);
      await storage.endTrace(`t${n}`, { error: `${error}!` });
      assert.equal((await storage.getTrace(`t${n}`)).error, `${error}!`, `text ${n}`);
    }
  });

  test('error: what is no string is refused', async (storage) => {
    for (const bad of [null, 7, true, {}, ['e'], new Error('e'), 1n, Symbol('e')]) {
      await rejects(() => storage.insertTrace(span({ error: bad as string })), 'INVALID_ARGUMENT', 'error');
    }
    assert.deepEqual(await storage.listTraces('s'), []);
  });
}

function listing(test: Case): void {
  test('listTraces: by startedAt, then id by code point', async (storage) => {
    const ids = ['b', 'a', 'B', 'é', 'e', '😀', '￿'];
    for (const id of ids) await storage.insertTrace(span({ id, startedAt: AT }));
    await storage.insertTrace(span({ id: 'z', startedAt: after(-1) }));
    await storage.insertTrace(span({ id: 'A', startedAt: after(1) }));
    await storage.insertTrace(span({ id: 'c', sessionId: 'S', startedAt: AT }));
    assert.deepEqual(idsOf(await storage.listTraces('s')), ['z', ...ids.toSorted(byCodePoint), 'A']);
    assert.deepEqual(await storage.listTraces('nobody'), []);
  });
}

export const traces: Topic = {
  cases: (test) => {
    inserting(test);
    ending(test);
    failing(test);
    listing(test);
  },
};
