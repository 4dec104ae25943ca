import type { CollectionOptions, VectorStore } from '../index.ts';

/** How a case wants its store. */
export interface VectorRequest {
  /** The case makes and drops collections, or closes: outside a transaction, and bound to no tenant. Default false. */
  readonly own?: boolean;
}

/** A store for one case, and what ends it. */
export interface OpenedVectors {
  readonly vectors: VectorStore;
  close(): Promise<void>;
}

/** What the suite is given: a test runner's two words, and the backend. */
export interface VectorConformance {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  /**
   * A store on a migrated database in which `makeCollections` was called. It may hold rows and collections of earlier
   * cases: each case runs in a tenant of its own.
   */
  readonly open: (request?: VectorRequest) => Promise<OpenedVectors>;
}

/** Declares one case. */
export type VectorCase = (
  name: string,
  body: (vectors: VectorStore) => Promise<void>,
  request?: VectorRequest,
) => void;

/** One topic: declares its cases. */
export type VectorTopic = (test: VectorCase) => void;

/** Names of {@link COLLECTIONS}. */
export const L2 = 'conformance l2';
export const COSINE = 'conformance cosine';
export const IP = 'conformance ip';
export const WIDE = 'conformance wide';
export const ONE = 'conformance one';

/** The collections of the cases, which may be inside a transaction where none can be made. */
const COLLECTIONS: Readonly<Record<string, readonly [dimension: number, CollectionOptions]>> = {
  [L2]: [3, { metric: 'l2' }],
  [COSINE]: [3, {}],
  [IP]: [3, { metric: 'ip' }],
  [WIDE]: [3072, {}],
  [ONE]: [1, { metric: 'l2', index: 'none' }],
};

/** Makes what the cases need; to be called once in each database, by whoever owns the tables. */
export async function makeCollections(vectors: VectorStore): Promise<void> {
  for (const [name, [dimension, options]] of Object.entries(COLLECTIONS)) {
    await vectors.createCollection(name, dimension, options);
  }
}
