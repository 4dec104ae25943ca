import assert from 'node:assert/strict';
import { type CollectionOptions, newId, type VectorStore } from '../index.ts';
import { byCodePoint, idsOf, rejects, rejectsWith } from './expect.ts';
import { TELLING, wide } from './texts.ts';
import type { VectorCase, VectorTopic } from './vector-suite.ts';

const own = { own: true };
const ALL = { allTenants: true };

function making(test: VectorCase): void {
  test(
    'createCollection: makes, and finds what is made',
    async (vectors) => {
      const name = newId();
      const before = Date.now();
      const made = await vectors.createCollection(name, 3, ALL);
      const { createdAt, ...facts } = made;
      assert.deepEqual(facts, {
        name,
        dimension: 3,
        metric: 'cosine',
        index: 'hnsw',
        m: 16,
        efConstruction: 200,
        elementType: 'float32',
      });
      assert.ok(createdAt.getTime() >= before - 1000 && createdAt.getTime() <= Date.now() + 1000);
      assert.deepEqual(await vectors.createCollection(name, 3, ALL), made);
      assert.deepEqual(await vectors.createCollection(name, 3, { ...ALL, metric: 'cosine', m: 8 }), made);
      assert.deepEqual(await vectors.getCollection(name, ALL), made);
      const others: readonly (readonly [number, CollectionOptions])[] = [
        [4, {}],
        [3, { metric: 'l2' }],
        [3, { elementType: 'float16' }],
      ];
      for (const [dimension, options] of others) {
        await rejects(() => vectors.createCollection(name, dimension, { ...ALL, ...options }), 'CONFLICT');
      }
      await vectors.dropCollection(name, ALL);
    },
    own,
  );

  test(
    'createCollection: the elements of an index follow from the dimension',
    async (vectors) => {
      const expected = [1, 2000, 2001, 4000, 4001, 16_000].map(
        (dimension) =>
          [dimension, dimension <= 2000 ? 'float32' : dimension <= 4000 ? 'float16' : 'bit'] as const,
      );
      for (const [dimension, elementType] of expected) {
        const name = newId();
        assert.equal((await vectors.createCollection(name, dimension, ALL)).elementType, elementType);
        const vector = new Float32Array(dimension).fill(0.5);
        await vectors.upsert(name, [{ id: 'a', vector }]);
        assert.deepEqual(idsOf(await vectors.search(name, vector)), ['a']);
        await vectors.dropCollection(name, ALL);
      }
    },
    own,
  );

  test(
    'createCollection: what can never be is refused',
    async (vectors) => {
      const wrong: readonly (readonly [string, number, object?])[] = [
        ...[0, -1, 16_001, 1.5, Number.NaN].map((dimension) => ['dimension', dimension] as const),
        ['dimension', '3' as never],
        ['metric', 3, { metric: 'manhattan' }],
        ['index', 3, { index: 'ivfflat' }],
        ['m', 3, { m: 1 }],
        ['m', 3, { m: 101 }],
        ['efConstruction', 3, { m: 50, efConstruction: 99 }],
        ['efConstruction', 3, { efConstruction: 1001 }],
        ['elementType', 2001, { elementType: 'float32' }],
        ['elementType', 3, { elementType: 'int8' }],
        ['options', 3, [] as never],
      ];
      for (const [argument, dimension, options] of wrong) {
        const given = Array.isArray(options) ? options : { ...ALL, ...options };
        const call = () => vectors.createCollection('never', dimension, given as never);
        await rejects(call, 'INVALID_ARGUMENT', argument);
      }
      for (const name of ['', wide(256), 'a\0', 7 as never]) {
        await rejects(() => vectors.createCollection(name, 3, ALL), 'INVALID_ARGUMENT', 'name');
      }
      await rejects(() => vectors.getCollection('never', ALL), 'NOT_FOUND');
    },
    own,
  );
}

function names(test: VectorCase): void {
  test(
    'names are exact: each its own collection',
    async (vectors) => {
      const prefix = newId();
      const all = [...TELLING, 'chronos_events', 'x"; drop table chronos_events; --'].map(
        (name) => `${prefix}${name}`,
      );
      for (const [i, name] of all.entries()) {
        await vectors.createCollection(name, 1, { ...ALL, index: 'none', metric: 'l2' });
        await vectors.upsert(name, [{ id: 'a', vector: [i] }]);
      }
      const listed = (await vectors.listCollections(ALL)).map(({ name }) => name);
      const ours = listed.filter((name) => name.startsWith(prefix));
      assert.deepEqual(ours, all.toSorted(byCodePoint));
      assert.deepEqual(listed, listed.toSorted(byCodePoint));
      for (const [i, name] of all.entries()) {
        assert.deepEqual((await vectors.get(name, ['a']))[0]?.vector, new Float32Array([i]), name);
        await vectors.dropCollection(name, ALL);
        await rejects(() => vectors.count(name), 'NOT_FOUND');
      }
    },
    own,
  );
}

async function one(vectors: VectorStore, name: string, dimension: number): Promise<void> {
  await vectors.createCollection(name, dimension, { ...ALL, metric: 'l2' });
  await vectors.upsert(name, [{ id: 'a', vector: new Float32Array(dimension).fill(1) }]);
}

function dropping(test: VectorCase): void {
  test(
    'dropCollection: its rows are gone, and its name is free for another',
    async (vectors) => {
      const name = newId();
      await one(vectors, name, 3);
      await vectors.dropCollection(name, ALL);
      await vectors.dropCollection(name, ALL);
      await rejects(() => vectors.count(name), 'NOT_FOUND');
      await rejects(() => vectors.getCollection(name, ALL), 'NOT_FOUND');
      await rejects(() => vectors.upsert(name, []), 'NOT_FOUND');
      await one(vectors, name, 2);
      assert.equal((await vectors.getCollection(name, ALL)).dimension, 2);
      assert.equal(await vectors.count(name), 1);
      await vectors.dropCollection(name, ALL);
    },
    own,
  );

  test(
    'ensureIndex: a signal that has come stops it before it begins',
    async (vectors) => {
      const name = newId();
      await vectors.createCollection(name, 2, { ...ALL, index: 'none' });
      for (let again = 0; again < 2; again += 1) {
        const stopped = () => vectors.ensureIndex(name, { ...ALL, signal: AbortSignal.abort('enough') });
        await rejectsWith(stopped, { code: 'UNAVAILABLE', reason: 'INTERRUPTED', cause: 'enough' });
        assert.equal((await vectors.getCollection(name, ALL)).index, again === 0 ? 'none' : 'hnsw');
        await vectors.ensureIndex(name, { ...ALL, signal: new AbortController().signal });
      }
      await vectors.dropCollection(name, ALL);
    },
    own,
  );

  test(
    'ensureIndex: an index for a collection that had none, and again',
    async (vectors) => {
      const name = newId();
      await vectors.createCollection(name, 2, { ...ALL, index: 'none', metric: 'l2' });
      await vectors.upsert(name, [{ id: 'a', vector: [1, 1] }]);
      for (let again = 0; again < 2; again += 1) {
        await vectors.ensureIndex(name, ALL);
        assert.equal((await vectors.getCollection(name, ALL)).index, 'hnsw');
        assert.deepEqual(idsOf(await vectors.search(name, [0, 0])), ['a']);
      }
      await vectors.dropCollection(name, ALL);
      await rejects(() => vectors.ensureIndex(name, ALL), 'NOT_FOUND');
      await rejects(
        () => vectors.ensureIndex(name, { ...ALL, signal: 1 as never }),
        'INVALID_ARGUMENT',
        'signal',
      );
    },
    own,
  );
}

export const vectorCollections: VectorTopic = (test) => {
  making(test);
  names(test);
  dropping(test);
};
