import { ConflictError, InvalidArgumentError, SchemaOutOfDateError } from '../errors.ts';
import type { Work } from '../repositories/work.ts';
import { checkEmbeddings, checkFits, checkIds, checkName, checkVector } from './check.ts';
import type { Nearest, Placed, Target, VectorEngine } from './engine.ts';
import { ALL, equals } from './filter.ts';
import { noCollection } from './no-collection.ts';
import { embeddingOf, factsOf, resultOf } from './results.ts';
import { checkSearch, type Search } from './search.ts';
import type { Collection, Explained, SearchResult, StoredEmbedding } from './types.ts';
import { checkWanted } from './wanted.ts';

/** So many new rows change what the planner should know. */
const MANY = 10_000;
/** How long a collection is believed to be as it was, in ms: another process may build its index, or drop it. */
const LIFE = 30_000;
/** How many are kept: names come and go, also by other processes. */
const KEPT = 1000;

/** Vectors as work for any connection of one dialect. */
export class Vectors {
  readonly #engine: VectorEngine;
  /** Whether a transaction is open around all of it. */
  readonly #inside: boolean;
  readonly #known = new Map<string, { readonly collection: Placed; readonly until: number }>();

  constructor(engine: VectorEngine, inside: boolean) {
    this.#engine = engine;
    this.#inside = inside;
  }

  /** The same inside a transaction: what is known elsewhere may not be what is seen there. */
  within(): Vectors {
    return new Vectors(this.#engine, true);
  }

  *upsert(tenant: string, name: unknown, embeddings: unknown): Work<void> {
    const rows = checkEmbeddings(embeddings);
    const known = checkName('collection', name);
    if (rows.length === 0) return yield* this.#seen(known);
    const engine = this.#engine;
    const inside = this.#inside;
    const fits = (collection: Placed): void => {
      for (const { id, vector, at } of rows) {
        checkFits({ path: `embeddings[${at}].vector`, id }, vector, collection);
      }
    };
    const store = function* (target: Target): Work<void> {
      yield* engine.upsert(target, rows);
      if (rows.length >= MANY && !inside) yield* settled(engine, target.collection);
    };
    yield* this.#on(known, tenant, store, fits);
  }

  *search(tenant: string, name: unknown, query: unknown, asked: Asked): Work<SearchResult[]> {
    const engine = this.#engine;
    const inside = this.#inside;
    return yield* this.#nearest(tenant, name, query, asked, function* (target, nearest) {
      const { metric } = target.collection;
      const found = (yield* engine.search(target, nearest, inside)).map((one) => resultOf(one, metric));
      const { minScore } = nearest;
      return minScore === undefined ? found : found.filter((one) => one.score >= minScore);
    });
  }

  explain(tenant: string, name: unknown, query: unknown, asked: Asked): Work<Explained> {
    const engine = this.#engine;
    return this.#nearest(tenant, name, query, asked, (target, nearest) => engine.explain(target, nearest));
  }

  *get(tenant: string, name: unknown, ids: unknown): Work<StoredEmbedding[]> {
    const wanted = checkIds(ids);
    const known = checkName('collection', name);
    if (wanted.length === 0) {
      yield* this.#seen(known);
      return [];
    }
    const found = yield* this.#on(known, tenant, (target) => this.#engine.get(target, wanted));
    const byId = new Map(found.map((one) => [one.id, one]));
    return wanted.flatMap((id) => byId.get(id) ?? []).map(embeddingOf);
  }

  *delete(tenant: string, name: unknown, ids: unknown): Work<number> {
    const wanted = checkIds(ids);
    const known = checkName('collection', name);
    if (wanted.length === 0) {
      yield* this.#seen(known);
      return 0;
    }
    return yield* this.#on(known, tenant, (target) => this.#engine.remove(target, wanted));
  }

  *deleteAll(tenant: string, name: unknown): Work<number> {
    const known = checkName('collection', name);
    return yield* this.#on(known, tenant, (target) => this.#engine.removeWhere(target, ALL));
  }

  *count(tenant: string, name: unknown): Work<number> {
    const known = checkName('collection', name);
    return yield* this.#on(known, tenant, (target) => this.#engine.count(target));
  }

  /** Removes all rows of a tenant, of every collection. */
  *deleteTenant(tenant: string): Work<number> {
    let removed = 0;
    for (const collection of yield* this.#engine.list()) {
      removed += yield* this.#removeAll({ collection, tenant });
    }
    return removed;
  }

  /** Of a collection that may be dropped meanwhile, and its rows with it. */
  *#removeAll(target: Target): Work<number> {
    try {
      return yield* this.#engine.removeWhere(target, ALL);
    } catch (error) {
      if (!(error instanceof SchemaOutOfDateError) || this.#inside) throw error;
      const now = yield* this.#engine.find(target.collection.name);
      if (now?.number === target.collection.number) throw error;
      return 0;
    }
  }

  /** Removes the rows of some collections whose metadata holds an id at a path. */
  *deleteSession(tenant: string, id: string, { collections, path }: SessionVectors): Work<number> {
    const filter = equals(path, id);
    let removed = 0;
    for (const name of collections) {
      removed += yield* this.#on(name, tenant, (target) => this.#engine.removeWhere(target, filter));
    }
    return removed;
  }

  *create(name: unknown, dimension: unknown, options: unknown): Work<Collection> {
    const wanted = checkWanted(name, dimension, options);
    let found = yield* this.#engine.find(wanted.name);
    if (!found) {
      yield* this.#engine.create(wanted);
      found = yield* this.#engine.find(wanted.name);
    }
    if (!found) throw noCollection(wanted.name);
    for (const fact of ['dimension', 'metric', 'elementType'] as const) {
      if (found[fact] === wanted[fact]) continue;
      throw new ConflictError(`the collection exists with ${fact} ${found[fact]}, not ${wanted[fact]}`);
    }
    this.#known.delete(wanted.name);
    return factsOf(found);
  }

  *collection(name: unknown): Work<Collection> {
    return factsOf(yield* this.placed(name));
  }

  /** A collection and where it is, read anew. */
  *placed(name: unknown): Work<Placed> {
    return yield* this.#findAnew(checkName('name', name));
  }

  /** Another call reads it anew. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  *list(): Work<Collection[]> {
    return (yield* this.#engine.list()).map(factsOf);
  }

  *drop(name: unknown): Work<void> {
    const known = checkName('name', name);
    const found = yield* this.#engine.find(known);
    this.#known.delete(known);
    if (found) yield* this.#engine.drop(found);
  }

  *#nearest<T>(
    tenant: string,
    name: unknown,
    query: unknown,
    { topK, options }: Asked,
    work: (target: Target, nearest: Nearest) => Work<T>,
  ): Work<T> {
    const search: Search = checkSearch(topK, options);
    const vector = checkVector({ path: 'query' }, query);
    const known = checkName('collection', name);
    return yield* this.#on(
      known,
      tenant,
      (target) => work(target, { ...search, query: vector }),
      (collection) => checkFits({ path: 'query' }, vector, collection),
    );
  }

  /**
   * Works on a collection as it was known; once again, outside a transaction, when its table is no longer there, or what
   * the engine knew of its server. `fits` refuses what a collection cannot take.
   */
  *#on<T>(
    name: string,
    tenant: string,
    work: (target: Target) => Work<T>,
    fits: (collection: Placed) => void = () => {},
  ): Work<T> {
    const collection = yield* this.#fitting(name, fits);
    try {
      return yield* work({ collection, tenant });
    } catch (error) {
      if (this.#inside) throw this.#engine.insideError?.(error) ?? lostInside(error, name);
      if (yield* this.#engine.renewed?.(error) ?? no()) return yield* work({ collection, tenant });
      if (!(error instanceof SchemaOutOfDateError)) throw error;
      const now = yield* this.#findAnew(name);
      if (now.number === collection.number) throw error;
      fits(now);
      return yield* work({ collection: now, tenant });
    }
  }

  /** A collection that takes what is given. What is only remembered refuses nothing: another may have its name now. */
  *#fitting(name: string, fits: (collection: Placed) => void): Work<Placed> {
    const found = yield* this.#find(name);
    try {
      fits(found);
      return found;
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
    }
    const now = yield* this.#findAnew(name);
    fits(now);
    return now;
  }

  /** Nothing to do, on a collection that must be there all the same. */
  *#seen(name: string): Work<void> {
    yield* this.#findAnew(name);
  }

  #findAnew(name: string): Work<Placed> {
    this.#known.delete(name);
    return this.#find(name);
  }

  *#find(name: string): Work<Placed> {
    const known = this.#known.get(name);
    if (known && known.until > Date.now()) return known.collection;
    const collection = yield* this.#engine.find(name);
    if (!collection) throw noCollection(name);
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(name, { collection, until: Date.now() + LIFE });
    return collection;
  }
}

/** In a transaction that an error ended nothing can be looked up: its table was there, and its collection was dropped. */
function lostInside(error: unknown, name: string): unknown {
  return error instanceof SchemaOutOfDateError ? noCollection(name, error) : error;
}

// biome-ignore lint/correctness/useYield: there is nothing to do.
function* no(): Work<boolean> {
  return false;
}

/** How many results, and which. */
export interface Asked {
  readonly topK: unknown;
  readonly options: unknown;
}

/** Which vectors go with a session. */
export interface SessionVectors {
  readonly collections: readonly string[];
  readonly path: string;
}

/** The rows are stored: what the planner knows of them must not make a failure of it. */
function* settled(engine: VectorEngine, collection: Placed): Work<void> {
  try {
    yield* engine.settle(collection);
  } catch {
    // The server gathers statistics by itself too, later.
  }
}
