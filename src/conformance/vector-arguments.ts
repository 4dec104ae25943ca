import assert from 'node:assert/strict';
import type { VectorStore } from '../index.ts';
import { oddLists } from './bad-calls.ts';
import { rejects, rejectsWith } from './expect.ts';
import { NO_TEXTS, wide } from './texts.ts';
import { COSINE, IP, L2, ONE, type VectorTopic, WIDE } from './vector-suite.ts';

type Call = (vectors: VectorStore) => Promise<unknown>;

const VECTOR = 'embeddings[0].vector';
const upsert = (fields: object, collection = L2): Call => {
  const embedding = { id: 'a', vector: [1, 2, 3], ...fields };
  return (vectors) => vectors.upsert(collection, [embedding]);
};

/** Calls that can never work, and what their errors name. */
const WRONG: readonly (readonly [string, Call])[] = [
  ['embeddings', (vectors) => vectors.upsert(L2, undefined as never)],
  ['embeddings', (vectors) => vectors.upsert(L2, { id: 'a' } as never)],
  ['embeddings[0]', (vectors) => vectors.upsert(L2, [null as never])],
  [VECTOR, upsert({ vector: undefined })],
  [VECTOR, upsert({ vector: '[1,2,3]' })],
  [VECTOR, upsert({ vector: new Float64Array(3) })],
  [VECTOR, upsert({ vector: [1, 2] })],
  [VECTOR, upsert({ vector: [] })],
  [VECTOR, upsert({ vector: [1, 2, 3, 4] })],
  [VECTOR, upsert({ vector: Array(16_001).fill(1) })],
  [VECTOR, upsert({ vector: Array(2 ** 32 - 1) })],
  [`${VECTOR}[2]`, upsert({ vector: [1, 2, Number.NaN] })],
  [`${VECTOR}[0]`, upsert({ vector: [Number.POSITIVE_INFINITY, 2, 3] })],
  [`${VECTOR}[1]`, upsert({ vector: [1, -3.5e38, 3] })],
  [`${VECTOR}[1]`, upsert({ vector: [1, '2', 3] })],
  [`${VECTOR}[1]`, upsert({ vector: [1, null, 3] })],
  // biome-ignore lint/suspicious/noSparseArray: this is what is tried.
  [`${VECTOR}[1]`, upsert({ vector: [1, , 3] })],
  [VECTOR, upsert({ vector: [0, 0, 0] }, COSINE)],
  [VECTOR, upsert({ vector: [1e-30, 0, 0] }, COSINE)],
  [VECTOR, upsert({ vector: [1e30, 0, 0] }, COSINE)],
  [VECTOR, upsert({ vector: [3e38, 3e38, 0] }, IP)],
  [VECTOR, upsert({ vector: [1.8e19, 0, 0] }, IP)],
  [`${VECTOR}[3071]`, upsert({ vector: [...Array(3071).fill(1), 70_000] }, WIDE)],
  [VECTOR, upsert({ vector: [8.4e18, 0, 0] })],
  [VECTOR, upsert({ vector: [3e38, 3e38, 0] })],
  [VECTOR, upsert({ vector: Array(3072).fill(6e-5) }, WIDE)],
  [VECTOR, upsert({ vector: Array(3072).fill(-1e-9) }, WIDE)],
  ['embeddings[0].metadata', upsert({ metadata: [] })],
  ['embeddings[0].metadata', upsert({ metadata: null })],
  ['embeddings[0].metadata', upsert({ metadata: 'x' })],
  ['embeddings[0].metadata', upsert({ metadata: { v: 'a\0' } })],
  ['embeddings[0].metadata', upsert({ metadata: { 'a\0': 1 } })],
  ['embeddings[0].metadata', upsert({ metadata: { v: ['\ud800'] } })],
  ['embeddings[0].metadata.v', upsert({ metadata: { v: 1n } })],
  ['embeddings[0].content', upsert({ content: 7 })],
  ['embeddings[0].content', upsert({ content: null })],
  ['embeddings[0].content', upsert({ content: 'a\0' })],
  ['embeddings[0].content', upsert({ content: '\udc00' })],
  ['query', (vectors) => vectors.search(L2, undefined as never)],
  ['query', (vectors) => vectors.search(L2, [1])],
  ['query', (vectors) => vectors.search(L2, Array(2 ** 32 - 1))],
  ['query', (vectors) => vectors.search(COSINE, [0, 0, 0])],
  ['query', (vectors) => vectors.search(IP, [3e38, -3e38, 0])],
  ['query', (vectors) => vectors.search(L2, [0, 0, 9e29])],
  ['query', (vectors) => vectors.search(WIDE, Array(3072).fill(6e-5))],
  ['query[1]', (vectors) => vectors.search(L2, [1, Number.NaN, 1])],
  ['topK', (vectors) => vectors.search(L2, [1, 2, 3], '5' as never)],
  ['topK', (vectors) => vectors.search(L2, [1, 2, 3], null as never)],
  ['options', (vectors) => vectors.search(L2, [1, 2, 3], 5, 'x' as never)],
  ['minScore', (vectors) => vectors.search(L2, [1, 2, 3], 5, { minScore: Number.NaN })],
  ['minScore', (vectors) => vectors.search(L2, [1, 2, 3], 5, { minScore: '1' as never })],
  ['efSearch', (vectors) => vectors.search(L2, [1, 2, 3], 5, { efSearch: 0 })],
  ['efSearch', (vectors) => vectors.search(L2, [1, 2, 3], 5, { efSearch: 1001 })],
  ['exact', (vectors) => vectors.search(L2, [1, 2, 3], 5, { exact: 1 as never })],
  ['includeVectors', (vectors) => vectors.explain(L2, [1, 2, 3], 5, { includeVectors: 'y' as never })],
  ['ids', (vectors) => vectors.get(L2, 'a' as never)],
  ['ids', (vectors) => vectors.delete(L2, undefined as never)],
  ['ids[1]', (vectors) => vectors.delete(L2, ['a', ''])],
  ['ids[0]', (vectors) => vectors.get(L2, Array(2))],
  ['ids[0]', (vectors) => vectors.delete(L2, Array(2))],
  ['filter.$and[0]', (vectors) => vectors.search(L2, [1, 2, 3], 5, { filter: { $and: Array(2) } })],
  ['filter.$or[0]', (vectors) => vectors.search(L2, [1, 2, 3], 5, { filter: { $or: Array(1) } })],
  ['filter.v.$in[0]', (vectors) => vectors.search(L2, [1, 2, 3], 5, { filter: { v: { $in: Array(1) } } })],
];

/** A vector whose elements went to another thread. */
function gone(): Float32Array {
  const vector = new Float32Array([1, 2, 3]);
  structuredClone(vector.buffer, { transfer: [vector.buffer] });
  return vector;
}

/** One whose class says another length than it has. */
function boasting(length: number): Float32Array {
  return Object.defineProperty(new Float32Array([1, 2]), 'length', { value: length });
}

/** One that says another length each time that it is asked. */
function growing(): number[] {
  let asked = 0;
  return new Proxy([1, 2, 3], {
    get: (list, name) => (name === 'length' && ++asked > 1 ? 3e8 : Reflect.get(list, name)),
  });
}

/** Every call that names a collection of rows. */
const NAMED: readonly ((vectors: VectorStore, name: string) => Promise<unknown>)[] = [
  (vectors, name) => vectors.upsert(name, [{ id: 'a', vector: [1] }]),
  (vectors, name) => vectors.search(name, [1]),
  (vectors, name) => vectors.explain(name, [1]),
  (vectors, name) => vectors.get(name, ['a']),
  (vectors, name) => vectors.delete(name, ['a']),
  (vectors, name) => vectors.deleteAll(name),
  (vectors, name) => vectors.count(name),
];

/** The same with nothing to do. */
const EMPTY: typeof NAMED = [
  (vectors, name) => vectors.upsert(name, []),
  (vectors, name) => vectors.search(name, []),
  (vectors, name) => vectors.explain(name, [], 1, { filter: { $or: [] } }),
  (vectors, name) => vectors.get(name, []),
  (vectors, name) => vectors.delete(name, []),
];

export const vectorArguments: VectorTopic = (test) => {
  test('what can never work is refused with its path, and stores nothing', async (vectors) => {
    for (const [argument, call] of WRONG) {
      await rejects(() => call(vectors), 'INVALID_ARGUMENT', argument);
    }
    for (const collection of [L2, COSINE, IP, WIDE]) assert.equal(await vectors.count(collection), 0);
  });

  test('vectors and lists that cannot be read are refused; what a vector says of its length changes nothing', async (vectors) => {
    for (const odd of [gone(), boasting(3), boasting(-1), ...oddLists()] as number[][]) {
      await rejects(() => vectors.search(L2, odd), 'INVALID_ARGUMENT');
      await rejects(() => upsert({ vector: odd })(vectors), 'INVALID_ARGUMENT');
    }
    for (const odd of oddLists() as never[]) {
      await rejects(() => vectors.upsert(L2, odd), 'INVALID_ARGUMENT');
      await rejects(() => vectors.get(L2, odd), 'INVALID_ARGUMENT');
      await rejects(() => vectors.delete(L2, odd), 'INVALID_ARGUMENT');
    }
    await upsert({ vector: growing() })(vectors);
    assert.deepEqual(await vectors.search(L2, growing(), 1), [{ id: 'a', score: 1 }]);
    assert.deepEqual((await vectors.get(L2, ['a']))[0]?.vector, new Float32Array([1, 2, 3]));
  });

  test('a text that can be no id or name is refused', async (vectors) => {
    for (const bad of ['', wide(256), ...NO_TEXTS]) {
      const id = bad as string;
      const embedding = { id, vector: [1] };
      await rejects(() => vectors.upsert(ONE, [embedding]), 'INVALID_ARGUMENT', 'embeddings[0].id');
      for (const call of [...NAMED, ...EMPTY])
        await rejects(() => call(vectors, id), 'INVALID_ARGUMENT', 'collection');
    }
  });

  test('a collection that is not there is not found, and nothing breaks', async (vectors) => {
    for (const call of [...NAMED, ...EMPTY]) {
      for (const name of ['nobody', L2.toUpperCase(), `${L2} `, 'chronos_events', '1']) {
        const facts = { code: 'NOT_FOUND', record: 'collection', id: name } as const;
        const { message, hint } = await rejectsWith(() => call(vectors, name), facts);
        assert.ok(message.startsWith(`no collection ${JSON.stringify(name)}`), message);
        assert.match(hint ?? '', /createCollection/);
      }
      const long = '\u{1F600}"\n'.repeat(85);
      const error = await rejectsWith(() => call(vectors, long), { code: 'NOT_FOUND', id: long });
      assert.ok(error.message.length < 200 && !error.message.includes('\n'), error.message);
    }
    await vectors.upsert(L2, [{ id: 'a', vector: [1, 2, 3] }]);
    assert.equal(await vectors.count(L2), 1);
  });
};
