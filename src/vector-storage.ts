import type { Connection } from './drivers/connection.ts';
import { UnsupportedError } from './errors.ts';
import { checkOptions, checkSwitch, type Names } from './model/check.ts';
import { checkTenant, namedTenant, resolveTenant } from './model/tenant.ts';
import { perform, performNow, type Work } from './repositories/work.ts';
import { type Tracked, track } from './track.ts';
import type { VectorEngine } from './vector/engine.ts';
import { COLLECTION, checkBuild, INDEX, OPERATOR, stopIfTold } from './vector/options.ts';
import type {
  Collection,
  CollectionOptions,
  Embedding,
  Explained,
  IndexOptions,
  OperatorOptions,
  SearchOptions,
  SearchResult,
  StoredEmbedding,
  VectorStore,
} from './vector/types.ts';
import type { Vectors } from './vector/vectors.ts';
import { beforeWrite, type WriteGuard } from './write-guard.ts';

/** What a store of vectors shares with the storage that it stands on. */
export interface VectorShared extends Tracked {
  readonly requireTenant: boolean;
  readonly vectors: Vectors;
  readonly engine: VectorEngine;
  readonly connection: Connection;
  readonly plain: Connection;
  readonly inside: boolean;
  readonly guard: WriteGuard;
  /** Ends what was opened for these vectors alone. */
  readonly end?: () => Promise<void>;
}

/** Options of the operator, and what they may be. */
interface Told {
  readonly options: unknown;
  readonly names: Names<OperatorOptions>;
}

/** {@link VectorStore} on a connection: each method is work, performed there. */
export class LedgerVectors implements VectorStore {
  readonly #shared: VectorShared;
  readonly #tenant: string | undefined;

  /** @internal */
  constructor(shared: VectorShared, tenant?: string) {
    this.#shared = shared;
    this.#tenant = tenant;
  }

  forTenant(tenant: string): LedgerVectors {
    return new LedgerVectors(this.#shared, checkTenant(tenant));
  }

  upsert(collection: string, embeddings: readonly Embedding[]): Promise<void> {
    return this.#write((vectors, tenant) => vectors.upsert(tenant, collection, embeddings));
  }

  search(
    collection: string,
    query: Float32Array | readonly number[],
    topK?: number,
    options?: SearchOptions,
  ): Promise<SearchResult[]> {
    return this.#call((vectors, tenant) => vectors.search(tenant, collection, query, { topK, options }));
  }

  explain(
    collection: string,
    query: Float32Array | readonly number[],
    topK?: number,
    options?: SearchOptions,
  ): Promise<Explained> {
    return this.#call((vectors, tenant) => vectors.explain(tenant, collection, query, { topK, options }));
  }

  get(collection: string, ids: readonly string[]): Promise<StoredEmbedding[]> {
    return this.#call((vectors, tenant) => vectors.get(tenant, collection, ids));
  }

  delete(collection: string, ids: readonly string[]): Promise<number> {
    return this.#write((vectors, tenant) => vectors.delete(tenant, collection, ids));
  }

  deleteAll(collection: string): Promise<number> {
    return this.#write((vectors, tenant) => vectors.deleteAll(tenant, collection));
  }

  count(collection: string): Promise<number> {
    return this.#call((vectors, tenant) => vectors.count(tenant, collection));
  }

  createCollection(name: string, dimension: number, options?: CollectionOptions): Promise<Collection> {
    return this.#operate(
      { options, names: COLLECTION },
      (vectors) => {
        this.#outside('createCollection');
        return vectors.create(name, dimension, options);
      },
      beforeWrite(this.#shared),
    );
  }

  getCollection(name: string, options?: OperatorOptions): Promise<Collection> {
    return this.#operate({ options, names: OPERATOR }, (vectors) => vectors.collection(name));
  }

  listCollections(options?: OperatorOptions): Promise<Collection[]> {
    return this.#operate({ options, names: OPERATOR }, (vectors) => vectors.list());
  }

  dropCollection(name: string, options?: OperatorOptions): Promise<void> {
    const told = { options, names: OPERATOR };
    return this.#operate(told, (vectors) => vectors.drop(name), beforeWrite(this.#shared));
  }

  ensureIndex(name: string, options?: IndexOptions): Promise<void> {
    return track(this.#shared, async () => {
      this.#checkOperator({ options, names: INDEX });
      this.#outside('ensureIndex');
      const told = checkBuild(options);
      await beforeWrite(this.#shared)?.();
      const { vectors, engine, connection, plain } = this.#shared;
      const collection = await perform(connection, vectors.placed(name));
      stopIfTold(told);
      try {
        await engine.build(plain, collection, told);
      } catch (error) {
        stopIfTold(told);
        // Dropped meanwhile: this says that there is none.
        await perform(connection, vectors.placed(name));
        throw error;
      }
      vectors.forget(name);
    });
  }

  async close(): Promise<void> {
    await this.#shared.end?.();
  }

  /** Runs a method with its tenant, which is read here and now. */
  #call<T>(make: (vectors: Vectors, tenant: string) => Work<T>): Promise<T> {
    return this.#work((vectors) => make(vectors, resolveTenant(this.#tenant, this.#shared.requireTenant)));
  }

  /** A call that writes. */
  #write<T>(make: (vectors: Vectors, tenant: string) => Work<T>): Promise<T> {
    return this.#work(
      (vectors) => make(vectors, resolveTenant(this.#tenant, this.#shared.requireTenant)),
      beforeWrite(this.#shared),
    );
  }

  #operate<T>(told: Told, make: (vectors: Vectors) => Work<T>, before?: () => Promise<void>): Promise<T> {
    return this.#work((vectors) => {
      this.#checkOperator(told);
      return make(vectors);
    }, before);
  }

  #work<T>(make: (vectors: Vectors) => Work<T>, before?: () => Promise<void>): Promise<T> {
    return track(this.#shared, () => {
      const { vectors, connection } = this.#shared;
      const work = make(vectors);
      const { now } = connection;
      return now ? performNow(now, work) : perform(connection, work, before);
    });
  }

  /** Collections belong to the operator: a tenant's code must not meet those of others by mistake. */
  #checkOperator({ options, names }: Told): void {
    if (checkSwitch('allTenants', checkOptions(options, names).allTenants)) return;
    if (namedTenant(this.#tenant) === undefined) return;
    throw new UnsupportedError('collections belong to the operator, and this call names a tenant', {
      hint: 'call it outside withTenant and forTenant, or with { allTenants: true }',
    });
  }

  #outside(method: string): void {
    if (this.#shared.inside) throw new UnsupportedError(`${method} is not for the inside of a transaction`);
  }
}
