import { expect, it } from 'vitest';
import { dialectFor } from '../../src/sql/dialect.ts';
import type { Placed } from '../../src/vector/engine.ts';
import { searchStatement, widthOf } from '../../src/vector/pg-search.ts';
import { checkSearch } from '../../src/vector/search.ts';
import type { Filter, Way } from '../../src/vector/types.ts';

const collection: Placed = {
  number: 1,
  name: 'c',
  dimension: 2,
  metric: 'cosine',
  elementType: 'float32',
  index: 'hnsw',
  indexed: true,
  m: 16,
  efConstruction: 64,
  createdAt: new Date(),
};
const features = { version: '0.8.0', schema: 'public', oid: 1, halfvec: true, iterativeScan: true };

it.each<[Way, number, Filter | undefined, number]>([
  ['hnsw', 10, undefined, 10],
  ['hnsw', 10, { a: 1 }, 100],
  ['hnsw', 500, { a: 1 }, 1000],
  ['halfvec', 10, undefined, 30],
  ['halfvec', 10, { a: 1 }, 100],
  ['binary', 10, undefined, 200],
  ['binary', 50, { a: 1 }, 500],
  ['exact', 10, { a: 1 }, 10],
])('%s for the best %i, by the filter %j, ranks %i rows', async (way, topK, filter, ranked) => {
  const options = { efSearch: 1, ...(filter && { filter }) };
  const nearest = { ...checkSearch(topK, options), query: new Float32Array([1, 0]) };
  const writing = { dialect: await dialectFor('postgres'), features };
  const [{ values }, { order, text }] = searchStatement(writing, { collection, tenant: 't' }, nearest, way);
  const [, place] = /t\.id limit \$(\d+)::bigint\n\)/.exec(text) ?? [];
  expect(values[order[Number(place) - 1] ?? '']).toBe(ranked);
  expect(widthOf(nearest, way)).toBe(ranked);
});
