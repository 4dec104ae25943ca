import { newId, withTenant } from '../index.ts';
import { vectorArguments } from './vector-arguments.ts';
import { vectorCollections } from './vector-collections.ts';
import { vectorFilters } from './vector-filters.ts';
import { vectorNulls } from './vector-nulls.ts';
import { vectorOptions } from './vector-options.ts';
import { vectorRows } from './vector-rows.ts';
import { vectorSearch } from './vector-search.ts';
import type { VectorCase, VectorConformance, VectorTopic } from './vector-suite.ts';
import { vectorTenants } from './vector-tenants.ts';

const TOPICS: Readonly<Record<string, VectorTopic>> = {
  rows: vectorRows,
  search: vectorSearch,
  filters: vectorFilters,
  nulls: vectorNulls,
  arguments: vectorArguments,
  options: vectorOptions,
  tenants: vectorTenants,
  collections: vectorCollections,
};

/**
 * The contract of a vector store as tests, for any backend and any test runner that has `describe` and `it`.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { openStorage } from 'chronos-storage';
 * import { makeCollections, vectorConformance } from 'chronos-storage/conformance';
 *
 * const storage = await openStorage('sqlite::memory:');
 * await storage.migrate();
 * await makeCollections(storage.vectors());
 * vectorConformance({ describe, it, open: async () => ({ vectors: storage.vectors(), close: async () => {} }) });
 * ```
 */
export function vectorConformance({ describe, it, open }: VectorConformance): void {
  const test: VectorCase = (name, body, request) => {
    it(name, async () => {
      const { vectors, close } = await open(request);
      try {
        await withTenant(`case-${newId()}`, () => body(vectors));
      } finally {
        await close();
      }
    });
  };
  for (const [name, cases] of Object.entries(TOPICS)) describe(`vectors: ${name}`, () => cases(test));
}
