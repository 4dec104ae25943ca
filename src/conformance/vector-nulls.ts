import assert from 'node:assert/strict';
import type { Filter } from '../index.ts';
import { idsOf, rejectsWith } from './expect.ts';
import { ONE, type VectorTopic } from './vector-suite.ts';

/** Where a filter takes a value. */
const VALUES: Readonly<Record<string, (value: unknown) => object>> = {
  'filter.v': (v) => ({ v }),
  'filter.v.$eq': (value) => ({ v: { $eq: value } }),
  'filter.v.$ne': (value) => ({ v: { $ne: value } }),
  'filter.v.$gt': (value) => ({ v: { $gt: value } }),
  'filter.v.$gte': (value) => ({ v: { $gte: value } }),
  'filter.v.$lt': (value) => ({ v: { $lt: value } }),
  'filter.v.$lte': (value) => ({ v: { $lte: value } }),
  'filter.v.$in[1]': (value) => ({ v: { $in: [1, value] } }),
  'filter.v.$nin[0]': (value) => ({ v: { $nin: [value] } }),
  'filter.v.$contains': (value) => ({ v: { $contains: value } }),
  'filter.v.$not': (value) => ({ v: { $not: value } }),
  'filter.$or[0].v': (v) => ({ $or: [{ v }] }),
};

/** Values that JSON writes as null or without what they hold, and what is said of them. */
const NO_JSON: readonly (readonly [unknown, RegExp])[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].flatMap((value) =>
    [value, [value], { deep: [1, { x: value }] }].map((one) => [one, /NaN or an infinity/] as const),
  ),
  [new Date(Number.NaN), /invalid Date/],
  [[new Date(Number.NaN)], /invalid Date/],
  ...[new Map([[1, 2]]), new Set([1]), /x/].flatMap((value) =>
    [value, [value], { deep: [1, { x: value }] }].map((one) => [one, /a Map, a Set or the like/] as const),
  ),
];

export const vectorNulls: VectorTopic = (test) => {
  test('what JSON would write as null, or as nothing, is refused wherever a value stands', async (vectors) => {
    await vectors.upsert(ONE, [{ id: 'a', vector: [1], metadata: { v: null } }]);
    for (const [argument, filterOf] of Object.entries(VALUES)) {
      for (const [value, said] of NO_JSON) {
        const filter = filterOf(value) as Filter;
        const call = () => vectors.search(ONE, [1], 1, { filter });
        const { message } = await rejectsWith(call, { code: 'INVALID_ARGUMENT', argument });
        assert.match(message, said);
      }
    }
  });

  test('null is a value to equal, and nothing to be greater or less than', async (vectors) => {
    await vectors.upsert(ONE, [
      { id: 'null', vector: [1], metadata: { v: null } },
      { id: 'in list', vector: [1], metadata: { v: [null] } },
      { id: 'none', vector: [1], metadata: {} },
    ]);
    const found: Readonly<Record<string, readonly string[]>> = {
      'filter.v': ['null'],
      'filter.v.$eq': ['null'],
      'filter.v.$ne': ['in list', 'none'],
      'filter.v.$in[1]': ['null'],
      'filter.v.$nin[0]': ['in list', 'none'],
      'filter.v.$contains': ['in list'],
      'filter.v.$not': ['in list', 'none'],
      'filter.$or[0].v': ['null'],
    };
    for (const [argument, filterOf] of Object.entries(VALUES)) {
      const call = () => vectors.search(ONE, [1], 9, { filter: filterOf(null) as Filter });
      const expected = found[argument];
      if (expected) assert.deepEqual(idsOf(await call()), expected, argument);
      else {
        const { message } = await rejectsWith(call, { code: 'INVALID_ARGUMENT', argument });
        assert.match(message, /must be a string or a number$/);
      }
    }
  });
};
