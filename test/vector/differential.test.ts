import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filter, newId, openStorage, type Storage, type VectorStore } from '../../src/index.ts';
import { oneOfEachDriver } from '../variants.ts';
import { type Kept, nearest } from './oracle.ts';
import { withVectors } from './variants.ts';

/** 2 000 in a soak. */
const RUNS = process.env.CHRONOS_SOAK === '1' ? 2000 : 150;
const ROWS = 60;
const DIMENSION = 4;
const SEED = 20_260;

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    -1,
    0.5,
    2 ** 53,
    '',
    '1',
    'a',
    'B',
    'é',
    '😀',
    '\uffff',
    'true',
  ),
  fc.integer({ min: -3, max: 3 }),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }) },
);
const key = fc.constantFrom('a', 'b', 'c', 'd.x');
const metadata = fc.option(
  fc.record(
    { a: value, b: value, c: value, d: fc.record({ x: value, y: scalar }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const comparable = fc.constantFrom(0, 1, 2, -1, 0.5, '', '1', 'a', 'B', 'é', '😀');

const condition = fc.oneof(
  value,
  fc.record({ $eq: value }),
  fc.record({ $ne: value }),
  fc.record({ $in: fc.array(value, { maxLength: 4 }) }),
  fc.record({ $nin: fc.array(value, { maxLength: 4 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $contains: value }),
  fc.dictionary(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), comparable, { minKeys: 1, maxKeys: 2 }),
  fc.record({ $not: fc.record({ $gt: comparable }) }),
);
const leaf = fc.dictionary(key, condition, { minKeys: 1, maxKeys: 2 });
const filter = fc.letrec<{ node: Filter }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ $and: fc.array(tie('node'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ $or: fc.array(tie('node'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ $not: tie('node') }) },
  ) as fc.Arbitrary<Filter>,
})).node;

/** Whole numbers: what any engine reckons with them is exact. */
const vector = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: DIMENSION, maxLength: DIMENSION });
const ask = fc.record({
  filter: fc.option(filter, { nil: undefined }),
  query: vector,
  topK: fc.constantFrom(1, 3, 10, 100),
  metric: fc.constantFrom('l2', 'ip'),
});

describe.each(oneOfEachDriver.filter(withVectors))(
  'random filters and queries on $name',
  ({ createDatabase }) => {
    let storage: Storage;
    let vectors: VectorStore;
    let kept: readonly Kept[];

    beforeAll(async () => {
      storage = await openStorage((await createDatabase('differential')).url);
      await storage.migrate();
      vectors = storage.vectors();
      const row = fc.record({ vector, metadata });
      const rows = fc.sample(row, { numRuns: ROWS, seed: SEED });
      kept = rows.map((one, i) => ({ id: `${i % 7}-${i}`, ...one }));
      for (const metric of ['l2', 'ip'] as const) {
        await vectors.createCollection(metric, DIMENSION, { metric });
        const given = kept.map(({ id, vector: numbers, metadata: data }) => ({
          id,
          vector: numbers,
          ...(data !== undefined && { metadata: data as Readonly<Record<string, unknown>> }),
        }));
        await vectors.upsert(metric, given);
        // Of another tenant, all of them nearer: none may be found.
        await vectors.forTenant(newId()).upsert(metric, given);
      }
    });
    afterAll(() => storage.close());

    it('answer as an oracle in memory does', async () => {
      await fc.assert(
        fc.asyncProperty(ask, async ({ filter: asked, query, topK, metric }) => {
          const found = await vectors.search(
            metric,
            query,
            topK,
            asked === undefined ? {} : { filter: asked },
          );
          const expected = nearest(kept, { filter: asked, query, topK, metric });
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]!.score, 5);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    }, 600_000);
  },
);
