import assert from 'node:assert/strict';
import type { VectorStore } from '../index.ts';
import { NO_MEMBERS, unreadable } from './bad-calls.ts';
import { rejects } from './expect.ts';
import { L2, type VectorTopic } from './vector-suite.ts';

/** Every method that takes options. */
const TAKING: Readonly<Record<string, (vectors: VectorStore, options: object) => Promise<unknown>>> = {
  search: (vectors, options) => vectors.search(L2, [1, 2, 3], 5, options),
  explain: (vectors, options) => vectors.explain(L2, [1, 2, 3], 5, options),
  createCollection: (vectors, options) => vectors.createCollection('never', 3, options),
  getCollection: (vectors, options) => vectors.getCollection(L2, options),
  listCollections: (vectors, options) => vectors.listCollections(options),
  dropCollection: (vectors, options) => vectors.dropCollection('never', options),
  ensureIndex: (vectors, options) => vectors.ensureIndex(L2, options),
};

/** Names that no method knows, some that every object has. */
const STRANGE = ['filtr', 'allTenant', 'topK', 'Exact', 'toString', 'constructor', '__proto__', ''];
/** Names that one method knows, and those that do. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  filter: ['search', 'explain'],
  signal: ['ensureIndex'],
  metric: ['createCollection'],
};

export const vectorOptions: VectorTopic = (test) => {
  test('an option that the method has not is refused by its name', async (vectors) => {
    for (const [method, call] of Object.entries(TAKING)) {
      const others = Object.keys(ELSEWHERE).filter((name) => !ELSEWHERE[name]?.includes(method));
      for (const name of [...STRANGE, ...others]) {
        const options = JSON.parse(`{${JSON.stringify(name)}: 1}`) as object;
        await rejects(() => call(vectors, options), 'INVALID_ARGUMENT', name);
        await rejects(() => call(vectors, { allTenants: true, ...options }), 'INVALID_ARGUMENT');
      }
    }
  });

  test('an object that has no members, or throws when it is read, is refused', async (vectors) => {
    for (const given of [...NO_MEMBERS, ...unreadable()]) {
      for (const call of Object.values(TAKING)) {
        await rejects(() => call(vectors, given), 'INVALID_ARGUMENT');
      }
      for (const filter of [given, { $not: given }, { $and: [given] }]) {
        await rejects(() => vectors.search(L2, [1, 2, 3], 5, { filter } as never), 'INVALID_ARGUMENT');
      }
    }
    for (const metadata of NO_MEMBERS) {
      const embedding = { id: 'a', vector: [1, 2, 3], metadata };
      await rejects(
        () => vectors.upsert(L2, [embedding as never]),
        'INVALID_ARGUMENT',
        'embeddings[0].metadata',
      );
    }
    for (const given of unreadable()) {
      await rejects(() => vectors.upsert(L2, [given as never]), 'INVALID_ARGUMENT', 'embeddings[0]');
    }
    assert.equal(await vectors.count(L2), 0);
  });

  test('an option that is undefined is absent', async (vectors) => {
    await vectors.search(L2, [1, 2, 3], 5, { filter: undefined, signal: undefined } as never);
    await vectors.explain(L2, [1, 2, 3], 5, { nothing: undefined } as never);
  });
};
