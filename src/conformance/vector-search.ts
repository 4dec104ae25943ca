import assert from 'node:assert/strict';
import type { SearchResult, VectorStore } from '../index.ts';
import { idsOf } from './expect.ts';
import { COSINE, IP, L2, ONE, type VectorCase, type VectorTopic, WIDE } from './vector-suite.ts';

function close(actual: number, expected: number): void {
  const bound = 1e-5 * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= bound, `${actual} is not ${expected}`);
}

function scored(results: readonly SearchResult[], expected: readonly (readonly [string, number])[]): void {
  assert.deepEqual(
    idsOf(results),
    expected.map(([id]) => id),
  );
  for (const [i, [, score]] of expected.entries()) close(results[i]?.score ?? Number.NaN, score);
}

const THREE = [
  { id: 'same', vector: [1, 2, 2] },
  { id: 'far', vector: [-1, -2, -2] },
  { id: 'longer', vector: [2, 4, 4] },
];

function scores(test: VectorCase): void {
  test('cosine: 1 for the same direction, −1 for the opposite', async (vectors) => {
    await vectors.upsert(COSINE, [...THREE, { id: 'across', vector: [2, -1, 0] }]);
    const found = await vectors.search(COSINE, [1, 2, 2]);
    assert.deepEqual(new Set(idsOf(found.slice(0, 2))), new Set(['same', 'longer']));
    for (const one of found.slice(0, 2)) close(one.score, 1);
    scored(found.slice(2), [
      ['across', 0],
      ['far', -1],
    ]);
  });

  test('cosine: never above 1 or below −1, whatever is rounded', async (vectors) => {
    for (let i = 1; i <= 60; i += 1) {
      const vector = [Math.sin(i), Math.sin(2.7 * i), Math.cos(i)];
      const rows = [1, 7, 0.3, -1, -3].map((by, j) => ({
        id: `${j}`,
        vector: vector.map((one) => by * one),
      }));
      await vectors.upsert(COSINE, rows);
      const found = await vectors.search(COSINE, vector);
      assert.ok(
        found.every(({ score }) => score >= -1 && score <= 1),
        JSON.stringify(found),
      );
      const tied = found.filter(({ score }) => score === 1);
      assert.deepEqual(idsOf(tied), idsOf(tied).toSorted());
    }
  });

  test('l2: 1 / (1 + distance)', async (vectors) => {
    await vectors.upsert(L2, THREE);
    scored(await vectors.search(L2, [1, 2, 2]), [
      ['same', 1],
      ['longer', 1 / 4],
      ['far', 1 / 7],
    ]);
  });

  test('ip: the inner product', async (vectors) => {
    await vectors.upsert(IP, [...THREE, { id: 'zero', vector: [0, 0, 0] }]);
    const found = await vectors.search(IP, [1, 2, 2]);
    scored(found, [
      ['longer', 18],
      ['same', 9],
      ['zero', 0],
      ['far', -9],
    ]);
    assert.ok(Object.is(found[2]?.score, 0), 'no −0');
  });

  test('ip: finite for the longest vectors that are taken', async (vectors) => {
    const [long, back] = [
      [1e19, 1e19, 1e19],
      [1e19, -1e19, 1e19],
    ];
    await vectors.upsert(IP, [
      { id: 'back', vector: back },
      { id: 'long', vector: long },
    ]);
    scored(await vectors.search(IP, long), [
      ['long', 3e38],
      ['back', 1e38],
    ]);
  });

  test('l2: in order for the longest vectors that are taken', async (vectors) => {
    await vectors.upsert(L2, [
      { id: 'far', vector: [8.3e18, 0, 0] },
      { id: 'near', vector: [-8.2e18, 0, 0] },
    ]);
    const found = await vectors.search(L2, [-8.3e18, 0, 0]);
    assert.deepEqual(idsOf(found), ['near', 'far']);
    for (const { score } of found) assert.ok(score > 0);
  });

  test('cosine: elements that float16 rounds keep the order of what is found', async (vectors) => {
    const vector = (least: number) => [6.2e-5, ...Array(3071).fill(least)];
    const rows = [0, 1e-7, 2e-6, 3e-5].map((least, i) => ({ id: String(i), vector: vector(least) }));
    await vectors.upsert(WIDE, rows);
    assert.deepEqual(idsOf(await vectors.search(WIDE, vector(0))), ['0', '1', '2', '3']);
  });

  test('minScore leaves out what scores less, not what scores as much', async (vectors) => {
    await vectors.upsert(L2, THREE);
    const at = async (minScore: number) => idsOf(await vectors.search(L2, [1, 2, 2], 10, { minScore }));
    assert.deepEqual(await at(0.25), ['same', 'longer']);
    assert.deepEqual(await at(1.5), []);
    assert.deepEqual(await at(-1), ['same', 'longer', 'far']);
  });
}

const row = (i: number) => ({ id: String(i).padStart(4, '0'), vector: [i % 5], metadata: { half: i % 2 } });

async function many(vectors: VectorStore): Promise<void> {
  // Stored in another order than that of the ids: 7 and 1100 share no factor.
  await vectors.upsert(
    ONE,
    Array.from({ length: 1100 }, (_, i) => row((7 * i) % 1100)),
  );
}

function counts(test: VectorCase): void {
  test('topK is clamped as the limit of a page is', async (vectors) => {
    await many(vectors);
    const length = async (topK?: number) => (await vectors.search(ONE, [0], topK)).length;
    for (const topK of [undefined, 0, -1, Number.NaN, Number.NEGATIVE_INFINITY]) {
      assert.equal(await length(topK), 100, String(topK));
    }
    assert.equal(await length(7.9), 7);
    assert.equal(await length(1000), 1000);
    for (const topK of [1001, 5000, Number.POSITIVE_INFINITY]) assert.equal(await length(topK), 1000);
  });

  test('as many as match, best first, ties by id', async (vectors) => {
    await many(vectors);
    const all = Array.from({ length: 1100 }, (_, i) => i);
    const expected = (passes: (i: number) => boolean, topK: number) =>
      all
        .filter(passes)
        .sort((a, b) => (a % 5) - (b % 5) || a - b)
        .slice(0, topK)
        .map((i) => row(i).id);
    for (const topK of [1, 219, 220, 221, 1000]) {
      assert.deepEqual(
        idsOf(await vectors.search(ONE, [0], topK)),
        expected(() => true, topK),
      );
    }
    const found = await vectors.search(ONE, [0], 1000, { filter: { half: 1 } });
    assert.deepEqual(
      idsOf(found),
      expected((i) => i % 2 === 1, 1000),
    );
  });

  test('gives back what is stored, and vectors when they are asked for', async (vectors) => {
    await vectors.upsert(L2, [
      { id: 'full', vector: [1, 0, 0], metadata: { k: [1] }, content: 'text' },
      { id: 'bare', vector: [2, 0, 0] },
    ]);
    const [full, bare] = await vectors.search(L2, [0, 0, 0]);
    assert.deepEqual(full, { id: 'full', score: 0.5, metadata: { k: [1] }, content: 'text' });
    assert.deepEqual(Object.keys(bare ?? {}), ['id', 'score']);
    const [, with2] = await vectors.search(L2, [0, 0, 0], 2, { includeVectors: true });
    assert.deepEqual(with2?.vector, new Float32Array([2, 0, 0]));
  });

  test('explain tells the way and how many rows are left', async (vectors) => {
    await vectors.upsert(L2, THREE);
    const { way, estimate, statement } = await vectors.explain(L2, [1, 2, 2], 10, { filter: { nothing: 1 } });
    assert.deepEqual([way, estimate], ['exact', 0]);
    assert.match(statement, /^with /);
    assert.equal((await vectors.explain(L2, [1, 2, 2])).estimate, 3);
  });
}

export const vectorSearch: VectorTopic = (test) => {
  scores(test);
  counts(test);
};
