/** How near two vectors are: `cosine` by direction, `l2` by distance, `ip` by inner product. */
export type Metric = 'cosine' | 'l2' | 'ip';

/** What an index holds of each element of a vector. Rows always hold float32. */
export type ElementType = 'float32' | 'float16' | 'bit';

/** A vector with what belongs to it. */
export interface Embedding {
  /** 1 to 255 code points, unique in its collection and tenant. */
  readonly id: string;
  /** As many finite numbers as the collection's dimension; kept as float32, bit for bit. */
  readonly vector: Float32Array | readonly number[];
  /** A JSON object to filter by. Its values are kept, not the order of its keys; NUL and lone surrogates are refused. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The text that the vector stands for, any length. */
  readonly content?: string;
}

/** An {@link Embedding} as stored. */
export interface StoredEmbedding extends Embedding {
  readonly vector: Float32Array;
}

/** One row that `search` found. */
export interface SearchResult {
  readonly id: string;
  /** Higher is better: `cosine` 1 − distance (−1 to 1), `l2` 1 / (1 + distance), `ip` the inner product. */
  readonly score: number;
  /** Only with `includeVectors`. */
  readonly vector?: Float32Array;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly content?: string;
}

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** What one path of the metadata must be: a value to equal, or operators that must all hold. */
export type Condition =
  | Json
  | {
      readonly $eq?: Json;
      readonly $ne?: Json;
      readonly $gt?: string | number;
      readonly $gte?: string | number;
      readonly $lt?: string | number;
      readonly $lte?: string | number;
      readonly $in?: readonly Json[];
      readonly $nin?: readonly Json[];
      readonly $exists?: boolean;
      readonly $contains?: Json;
      readonly $not?: Condition;
    };

/**
 * Which rows a search may find, by their metadata: paths (`'a.b'`: member `b` of object `a`) and what they must be, and
 * `$and`, `$or`, `$not` around such filters. All must hold. Types never convert: 3 is not `'3'`. A missing path is
 * unequal to everything; an array equals an equal array, and `$contains` each of its elements.
 */
export type Filter = {
  readonly $and?: readonly Filter[];
  readonly $or?: readonly Filter[];
  readonly $not?: Filter;
} & { readonly [path: string]: Condition | readonly Filter[] | Filter | undefined };

/** What `search` may be told. */
export interface SearchOptions {
  /** Default: all rows of the tenant. */
  readonly filter?: Filter;
  /** Give the vectors back too. Default false. */
  readonly includeVectors?: boolean;
  /** Leave out what scores less. Default: nothing. */
  readonly minScore?: number;
  /** How many candidates an index keeps while it searches, 1 to 1000; more finds more and takes longer. Default 100, at least twice `topK`. */
  readonly efSearch?: number;
  /** Compare with every row, whatever the number. Default false: decided by how many rows tenant and filter leave. */
  readonly exact?: boolean;
}

/** How a search went through the rows: all of them, or an index on the full, halved or one-bit elements. */
export type Way = 'exact' | 'hnsw' | 'halfvec' | 'binary';

/** How a search would be done. */
export interface Explained {
  readonly way: Way;
  /** How many rows tenant and filter leave, about. Exact up to some thousand rows. */
  readonly estimate: number;
  /** The SQL, its values as placeholders. */
  readonly statement: string;
}

/** Who may do what belongs to the operator. */
export interface OperatorOptions {
  /** Do it although the call names a tenant (`forTenant`, `withTenant`). Default false. */
  readonly allTenants?: boolean;
}

/** What `createCollection` may be told. */
export interface CollectionOptions extends OperatorOptions {
  /** Default `cosine`. */
  readonly metric?: Metric;
  /** `none`: every search compares with every row. Default `hnsw`. Engines without an index keep it as a fact only. */
  readonly index?: 'hnsw' | 'none';
  /** Links of each row in the index, 2 to 100. Default 16. */
  readonly m?: number;
  /** Candidates while the index is built, 4 to 1000, at least 2 × m. Default 200. */
  readonly efConstruction?: number;
  /** What the index holds. Default by dimension: to 2000 `float32`, to 4000 `float16`, above `bit`. */
  readonly elementType?: ElementType;
}

/** A collection as it is. */
export interface Collection {
  readonly name: string;
  /** Length of its vectors, 1 to 16 000. */
  readonly dimension: number;
  readonly metric: Metric;
  readonly index: 'hnsw' | 'none';
  readonly m: number;
  readonly efConstruction: number;
  readonly elementType: ElementType;
  readonly createdAt: Date;
}

/** How far an index build is. */
export interface IndexProgress {
  /** What the server does now, in its own words, for example `building index: loading tuples`. */
  readonly phase: string;
  /** Of `total`; both 0 where the phase counts nothing. */
  readonly done: number;
  readonly total: number;
}

/** What `ensureIndex` may be told. */
export interface IndexOptions extends OperatorOptions {
  /** Stops the build; it rejects with reason INTERRUPTED and the next call begins anew. */
  readonly signal?: AbortSignal;
  /** Told about twice a second. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

/**
 * Similarity search in the ledger's database. Made by `storage.vectors()`, on a transaction by `tx.vectors()`, or by
 * `openVectorStore`. Collections belong to the operator, their rows to tenants: each call reads its tenant as those of
 * the storage do.
 *
 * Methods on rows reject with NotFoundError when there is no such collection, with InvalidArgumentError before anything
 * is sent when an argument can never work or an option is not known, and with UnavailableError, SchemaOutOfDateError or ClosedError like those of
 * the storage.
 */
export interface VectorStore {
  /**
   * Stores embeddings, all or none, any number; a stored id is replaced as a whole, and the last of a repeated id wins.
   */
  upsert(collection: string, embeddings: readonly Embedding[]): Promise<void>;

  /**
   * The nearest rows, best first, ties by id: always as many as match, up to `topK` (absent or ≤ 0 = 100, at most 1000).
   */
  search(
    collection: string,
    query: Float32Array | readonly number[],
    topK?: number,
    options?: SearchOptions,
  ): Promise<SearchResult[]>;

  /** How `search` would be done with these arguments; reads no vector. */
  explain(
    collection: string,
    query: Float32Array | readonly number[],
    topK?: number,
    options?: SearchOptions,
  ): Promise<Explained>;

  /** The stored embeddings with these ids, in their order; unknown ids are left out. */
  get(collection: string, ids: readonly string[]): Promise<StoredEmbedding[]>;

  /** Removes rows, any number; unknown ids are fine. Resolves to how many there were. */
  delete(collection: string, ids: readonly string[]): Promise<number>;

  /** Removes all rows of this tenant; resolves to their number. */
  deleteAll(collection: string): Promise<number>;

  /** How many rows this tenant has. */
  count(collection: string): Promise<number>;

  /**
   * Makes a collection, or finds it made; rejects with ConflictError when it has another dimension, metric or element
   * type. Outside a transaction, and outside a tenant unless `allTenants`, else UnsupportedError.
   */
  createCollection(name: string, dimension: number, options?: CollectionOptions): Promise<Collection>;

  /** The collection of this name; rejects with NotFoundError. Outside a tenant unless `allTenants`. */
  getCollection(name: string, options?: OperatorOptions): Promise<Collection>;

  /** All collections, by name in code-point order. Outside a tenant unless `allTenants`. */
  listCollections(options?: OperatorOptions): Promise<Collection[]>;

  /** Drops a collection with the rows of all tenants; an unknown one is fine. Outside a tenant unless `allTenants`. */
  dropCollection(name: string, options?: OperatorOptions): Promise<void>;

  /**
   * Builds the index of a collection without blocking its writers, also one that was made with `index: 'none'`; an index
   * that is there is left, an unfinished one built anew. Outside a transaction, and outside a tenant unless
   * `allTenants`. Nothing to do on engines without an index.
   */
  ensureIndex(name: string, options?: IndexOptions): Promise<void>;

  /** The same store, bound to a tenant. */
  forTenant(tenant: string): VectorStore;

  /** Ends what `openVectorStore` opened. A store that `storage.vectors()` made ends with its storage. */
  close(): Promise<void>;
}
