import assert from 'node:assert/strict';
import { newId, type VectorStore, withTenant } from '../index.ts';
import { idsOf, rejects } from './expect.ts';
import { L2, type VectorTopic } from './vector-suite.ts';

async function fill(vectors: VectorStore, whose: string): Promise<void> {
  const metadata = { whose };
  const rows = ['a', 'b'].map((id, i) => ({ id, vector: [i, 0, 0], metadata, content: whose }));
  await vectors.upsert(L2, rows);
}

export const vectorTenants: VectorTopic = (test) => {
  test('the same ids in two tenants never mix', async (vectors) => {
    const other = vectors.forTenant(`other-${newId()}`);
    await fill(vectors, 'mine');
    await fill(other, 'theirs');
    for (const [store, whose] of [
      [vectors, 'mine'],
      [other, 'theirs'],
    ] as const) {
      assert.deepEqual(
        (await store.search(L2, [0, 0, 0])).map(({ id, content }) => [id, content]),
        [
          ['a', whose],
          ['b', whose],
        ],
      );
      assert.equal((await store.search(L2, [0, 0, 0], 9, { filter: { whose } })).length, 2);
      assert.deepEqual((await store.get(L2, ['b']))[0]?.content, whose);
      assert.equal(await store.count(L2), 2);
      assert.equal((await store.explain(L2, [0, 0, 0])).estimate, 2);
    }
    assert.deepEqual(await vectors.search(L2, [0, 0, 0], 9, { filter: { whose: 'theirs' } }), []);
    assert.equal(await vectors.delete(L2, ['a']), 1);
    assert.deepEqual(idsOf(await other.get(L2, ['a', 'b'])), ['a', 'b']);
    assert.equal(await vectors.deleteAll(L2), 1);
    assert.equal(await other.count(L2), 2);
    assert.equal(await other.deleteAll(L2), 2);
  });

  test('the tenant is read when the call is made, and a bound one wins', async (vectors) => {
    const [a, b] = [`a-${newId()}`, `b-${newId()}`];
    await withTenant(a, () => fill(vectors.forTenant(b), 'b'));
    assert.equal(await withTenant(a, () => vectors.forTenant(b).count(L2)), 2);
    assert.equal(await vectors.forTenant(a).count(L2), 0);
  });

  test('what belongs to the operator is not for a tenant', async (vectors) => {
    const bound = vectors.forTenant(`bound-${newId()}`);
    const calls = (store: VectorStore): readonly (() => Promise<unknown>)[] => [
      () => store.createCollection('never', 3),
      () => store.getCollection(L2),
      () => store.listCollections(),
      () => store.dropCollection(L2),
      () => store.ensureIndex(L2),
    ];
    for (const call of calls(bound)) await rejects(call, 'UNSUPPORTED');
    for (const call of calls(vectors)) await rejects(() => withTenant('t', call), 'UNSUPPORTED');
    assert.equal((await bound.getCollection(L2, { allTenants: true })).name, L2);
    assert.ok((await bound.listCollections({ allTenants: true })).length > 0);
    await rejects(() => bound.listCollections({ allTenants: 1 as never }), 'INVALID_ARGUMENT', 'allTenants');
  });
};
