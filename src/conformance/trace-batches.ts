import assert from 'node:assert/strict';
import type { NewTrace } from '../index.ts';
import { idsOf, rejects } from './expect.ts';
import { AT, after, own, span } from './records.ts';
import type { Case, Topic } from './suite.ts';

/** Spans in the order of `listTraces`: every third is open and bare. */
function many(count: number, sessionId = 's'): NewTrace[] {
  return Array.from({ length: count }, (_, n) =>
    span({
      id: `${sessionId}-${String(n).padStart(6, '0')}`,
      sessionId,
      startedAt: after(Math.floor(n / 4)),
      ...(n % 3 ? { parentId: 'p', input: { n }, output: null, error: `\0${n}`, endedAt: after(n) } : {}),
    }),
  );
}

function shuffled<T>(list: readonly T[]): T[] {
  // A fixed stride that visits each place once: the same order in every run.
  return list.map((_, n) => list[(n * 7919) % list.length]!);
}

function storing(test: Case): void {
  test('insertTraces: all are stored, whole', async (storage) => {
    for (const count of [1, 2, 11, 999, 1000, 2003]) {
      assert.equal(await storage.insertTraces(shuffled(many(count, `s${count}`))), undefined);
      assert.deepEqual((await storage.listTraces(`s${count}`)).map(own), many(count, `s${count}`));
    }
  });

  test('insertTraces: none is a no-op', async (storage) => {
    assert.equal(await storage.insertTraces([]), undefined);
  });

  test('insertTraces: of several sessions at once; a missing startedAt is one moment for all', async (storage) => {
    const batch = [...many(40, 'a'), ...many(40, 'b')].map(({ startedAt, ...rest }) => rest);
    const before = Date.now();
    await storage.insertTraces(shuffled(batch));
    const found = [...(await storage.listTraces('a')), ...(await storage.listTraces('b'))];
    assert.deepEqual(idsOf(found), idsOf(batch));
    const moments = new Set(found.map(({ startedAt }) => startedAt.getTime()));
    assert.equal(moments.size, 1);
    assert.ok([...moments].every((at) => at >= before && at <= Date.now()));
  });

  test('insertTraces: megabytes in one batch', async (storage) => {
    const batch = many(12).map((one, n) => ({ ...one, input: String(n).repeat(200_000) }));
    await storage.insertTraces(batch);
    assert.deepEqual((await storage.listTraces('s')).map(own), batch);
  });
}

function replacing(test: Case): void {
  test('insertTraces: of an id repeated in a batch the last wins, whole', async (storage) => {
    const [first, last] = [
      span({ id: 'x', input: 1, parentId: 'p', endedAt: AT, startedAt: after(9) }),
      span({ id: 'x', output: 2, startedAt: AT }),
    ];
    await storage.insertTraces([first, span({ id: 'y', startedAt: after(1) }), last]);
    const [x, y, ...more] = await storage.listTraces('s');
    assert.deepEqual([own(x!), y!.id, more], [last, 'y', []]);
    const long = many(1100);
    await storage.insertTraces([...long.map((one) => ({ ...one, name: 'first', input: 1 })), ...long]);
    assert.deepEqual(
      (await storage.listTraces('s')).map(own).filter(({ id }) => id.startsWith('s-')),
      long,
    );
  });

  test('insertTraces: stored ids are replaced whole, others inserted', async (storage) => {
    for (const count of [3, 1200]) {
      const sessionId = `s${count}`;
      const batch = many(count, sessionId);
      const before = batch.filter((_, n) => n % 2 === 0).map(({ id }) => ({ ...span({ id }), input: 'old' }));
      for (const one of before.slice(0, 2)) await storage.insertTrace(one);
      await storage.insertTraces(before);
      await storage.insertTraces(shuffled(batch));
      assert.deepEqual((await storage.listTraces(sessionId)).map(own), batch);
    }
    assert.deepEqual(await storage.listTraces('s'), []);
  });

  test('insertTraces: batches at once that share ids leave each span whole', async (storage) => {
    const all = many(600);
    const named = (name: string, part: readonly NewTrace[]): NewTrace[] =>
      part.map((one) => ({ ...one, name, input: name }));
    await Promise.all([
      storage.insertTraces(named('a', all.slice(0, 400))),
      storage.insertTraces(named('b', all.slice(200).toReversed())),
      storage.insertTraces(named('c', shuffled(all))),
      ...named('d', all.slice(300, 310)).map((one) => storage.insertTrace(one)),
    ]);
    const found = await storage.listTraces('s');
    assert.deepEqual(idsOf(found), idsOf(all));
    for (const one of found) assert.equal(one.input, one.name);
  });
}

function refusing(test: Case): void {
  test('insertTraces: a refused span in the middle of a large batch leaves nothing', async (storage) => {
    const bads: readonly (readonly [string, Partial<Record<keyof NewTrace, unknown>>])[] = [
      ['id', { id: '' }],
      ['sessionId', { sessionId: undefined }],
      ['parentId', { parentId: null }],
      ['kind', { kind: 'x'.repeat(65) }],
      ['input.a[1]', { input: { a: [1, 2n] } }],
      ['output', { output: () => 1 }],
      ['error', { error: 7 }],
      ['startedAt', { startedAt: new Date(Number.NaN) }],
      ['endedAt', { endedAt: 'now' }],
    ];
    await storage.insertTrace(span({ id: 's-000000', name: 'before' }));
    const before = await storage.listTraces('s');
    const batch = many(1500);
    for (const [field, bad] of bads) {
      const spoilt = batch.with(1234, { ...batch[1234]!, ...bad } as NewTrace);
      await rejects(() => storage.insertTraces(spoilt), 'INVALID_ARGUMENT', `traces[1234].${field}`);
    }
    assert.deepEqual(await storage.listTraces('s'), before);
  });

  test('insertTraces: what is no list of spans is refused', async (storage) => {
    await rejects(() => storage.insertTraces('x' as never), 'INVALID_ARGUMENT', 'traces');
    await rejects(() => storage.insertTraces([undefined] as never), 'INVALID_ARGUMENT', 'traces[0]');
    await rejects(() => storage.insertTraces([span(), 7] as never), 'INVALID_ARGUMENT', 'traces[1]');
    assert.deepEqual(await storage.listTraces('s'), []);
  });

  test('insertTraces: spans are read when it is called, and left as they are', async (storage) => {
    const batch = many(1500).map((one) => ({ ...one, input: { text: 'as called' } }));
    const copy = structuredClone(batch);
    const done = storage.insertTraces(batch);
    assert.deepEqual(batch, copy);
    for (const one of batch) one.input.text = 'changed later';
    batch.length = 3;
    await done;
    assert.deepEqual((await storage.listTraces('s')).map(own), copy);
  });
}

export const traceBatches: Topic = {
  needs: 'batches',
  cases: (test) => {
    storing(test);
    replacing(test);
    refusing(test);
  },
};
