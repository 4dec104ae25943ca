import assert from 'node:assert/strict';
import type { Embedding, VectorStore } from '../index.ts';
import { byCodePoint, idsOf, rejects } from './expect.ts';
import { TEXTS } from './texts.ts';
import { L2, ONE, type VectorCase, type VectorTopic, WIDE } from './vector-suite.ts';

const A: Embedding = { id: 'a', vector: [1, 2, 3] };

async function stored(vectors: VectorStore, id: string, collection = L2) {
  const [found] = await vectors.get(collection, [id]);
  assert.ok(found, `${id} is not stored`);
  return found;
}

function upserts(test: VectorCase): void {
  test('upsert: stores, and replaces as a whole', async (vectors) => {
    await vectors.upsert(L2, [{ ...A, metadata: { k: 1 }, content: 'text' }]);
    assert.deepEqual(await stored(vectors, 'a'), {
      id: 'a',
      vector: new Float32Array([1, 2, 3]),
      metadata: { k: 1 },
      content: 'text',
    });
    await vectors.upsert(L2, [{ id: 'a', vector: [3, 2, 1] }]);
    assert.deepEqual(await stored(vectors, 'a'), { id: 'a', vector: new Float32Array([3, 2, 1]) });
    assert.equal(await vectors.count(L2), 1);
  });

  test('upsert: the last of a repeated id wins', async (vectors) => {
    await vectors.upsert(L2, [A, { id: 'b', vector: [0, 0, 0] }, { id: 'a', vector: [9, 9, 9] }]);
    assert.deepEqual([...(await stored(vectors, 'a')).vector], [9, 9, 9]);
    assert.equal(await vectors.count(L2), 2);
  });

  test('upsert: all or nothing, and what was wrong is named', async (vectors) => {
    const wrong = { id: 'wrong', vector: [1, Number.NaN, 3] };
    const argument = 'embeddings[1].vector[1]';
    await rejects(() => vectors.upsert(L2, [A, wrong]), 'INVALID_ARGUMENT', argument);
    await rejects(
      () => vectors.upsert(L2, [A, { id: 'b', vector: [1] }]),
      'INVALID_ARGUMENT',
      'embeddings[1].vector',
    );
    const error = await vectors.upsert(L2, [A, wrong]).catch((reason: unknown) => reason);
    assert.match(String(error), /id wrong/);
    assert.equal(await vectors.count(L2), 0);
  });

  test('upsert: nothing of nothing', async (vectors) => {
    await vectors.upsert(L2, []);
    assert.equal(await vectors.count(L2), 0);
  });

  test('upsert: reads the objects when it is called, and leaves them alone', async (vectors) => {
    const vector = new Float32Array([1, 2, 3]);
    const metadata = { k: { deep: 1 } };
    const given = Object.freeze({ id: 'a', vector, metadata });
    const done = vectors.upsert(L2, [given]);
    vector.fill(7);
    metadata.k.deep = 7;
    await done;
    const found = await stored(vectors, 'a');
    assert.deepEqual([[...found.vector], found.metadata], [[1, 2, 3], { k: { deep: 1 } }]);
  });
}

function values(test: VectorCase): void {
  test('vectors come back bit for bit', async (vectors) => {
    const edges = [0, -0, 1e-45, -1e-38, 1.1754944e-38, 8.3e18, 0.1, -1 / 3, 16777217, Math.PI];
    await vectors.upsert(
      ONE,
      edges.map((edge, i) => ({ id: String(i), vector: [edge] })),
    );
    for (const [i, edge] of edges.entries()) {
      const [found] = (await stored(vectors, String(i), ONE)).vector;
      assert.ok(Object.is(found, Math.fround(edge)), `${edge} came back as ${found}`);
    }
    const wide = Float32Array.from({ length: 3072 }, (_, i) => Math.sin(i * 12.9898) / 7);
    await vectors.upsert(WIDE, [{ id: 'a', vector: wide }]);
    assert.deepEqual((await stored(vectors, 'a', WIDE)).vector, wide);
  });

  test('metadata keeps its values, not the order of its keys', async (vectors) => {
    const metadata = {
      z: null,
      a: [1, 'two', { x: true }, []],
      'é.\u{1F600}': -0.1,
      big: 1e300,
      whole: 2 ** 60,
      '"\\': '\u2028\u001f',
      '': {},
    };
    await vectors.upsert(L2, [
      { ...A, metadata },
      { id: 'b', vector: [0, 0, 0], metadata: {} },
    ]);
    assert.deepEqual((await stored(vectors, 'a')).metadata, metadata);
    assert.deepEqual((await stored(vectors, 'b')).metadata, {});
    const dated = { at: new Date(0), gone: undefined };
    await vectors.upsert(L2, [{ ...A, metadata: dated }]);
    assert.deepEqual((await stored(vectors, 'a')).metadata, { at: '1970-01-01T00:00:00.000Z' });
  });

  test('content is kept as it is', async (vectors) => {
    for (const content of ['', '\uFEFFbom', ' ends ', 'é\u{1F600}\r\n', 'x'.repeat(200_000)]) {
      await vectors.upsert(L2, [{ ...A, content }]);
      assert.equal((await stored(vectors, 'a')).content, content);
    }
  });

  test('ids are exact, and sort by code point', async (vectors) => {
    await vectors.upsert(
      L2,
      TEXTS.map((id) => ({ id, vector: [1, 1, 1], content: id })),
    );
    assert.equal(await vectors.count(L2), TEXTS.length);
    const found = await vectors.get(L2, TEXTS);
    assert.deepEqual(
      found.map(({ id, content }) => [id, content]),
      TEXTS.map((id) => [id, id]),
    );
    const ordered = await vectors.search(L2, [1, 1, 1], 1000);
    assert.deepEqual(idsOf(ordered), TEXTS.toSorted(byCodePoint));
  });
}

function removals(test: VectorCase): void {
  test('get: in the order of the ids, without the unknown', async (vectors) => {
    await vectors.upsert(L2, [A, { id: 'b', vector: [0, 0, 0] }]);
    assert.deepEqual(idsOf(await vectors.get(L2, ['b', 'nobody', 'a', 'b'])), ['b', 'a']);
    assert.deepEqual(await vectors.get(L2, []), []);
  });

  test('delete: what is there, however often it is named', async (vectors) => {
    await vectors.upsert(L2, [A, { id: 'b', vector: [0, 0, 0] }]);
    assert.equal(await vectors.delete(L2, ['a', 'a', 'nobody']), 1);
    assert.equal(await vectors.delete(L2, ['a']), 0);
    assert.equal(await vectors.delete(L2, []), 0);
    assert.deepEqual(idsOf(await vectors.search(L2, [0, 0, 0])), ['b']);
  });

  test('deleteAll: all rows, in batches', async (vectors) => {
    const many = Array.from({ length: 2500 }, (_, i) => ({ id: `${i}`, vector: [i] }));
    await vectors.upsert(ONE, many);
    assert.equal(await vectors.count(ONE), 2500);
    assert.equal(await vectors.deleteAll(ONE), 2500);
    assert.equal(await vectors.deleteAll(ONE), 0);
    assert.deepEqual(await vectors.search(ONE, [1]), []);
  });
}

export const vectorRows: VectorTopic = (test) => {
  upserts(test);
  values(test);
  removals(test);
};
