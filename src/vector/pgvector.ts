import type { Connection, Row as Raw, Value } from '../drivers/connection.ts';
import { perform, row, rows, run, transaction, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { statement } from '../sql/statement.ts';
import type { Row } from './check.ts';
import type { BuildOptions, Found, Nearest, Placed, Target, VectorEngine } from './engine.ts';
import type { Node } from './filter.ts';
import { partsOf } from './parts.ts';
import { buildIndex } from './pg-build.ts';
import { analyze, createInside, dropInside, isIndexed } from './pg-collections.ts';
import { type Features, mayBeMoved, missing, moved, readFeatures } from './pg-features.ts';
import { WAYS } from './pg-index.ts';
import { type Estimate, Samples } from './pg-sample.ts';
import { columns, draft, passing, searchStatement, tuned, type Writing, widthOf } from './pg-search.ts';
import { Registry, tableOf } from './registry.ts';
import type { Explained, Way } from './types.ts';
import type { Wanted } from './wanted.ts';
import { vectorArrayBytes, vectorFromBase64, vectorText } from './wire.ts';

/** Rows that one statement removes, and that, stored or removed at once, make a sample out of date. */
const BATCH = 1000;

/** PostgreSQL, or PGlite, with pgvector. */
export class PgVector implements VectorEngine {
  readonly #dialect: Dialect;
  readonly #registry: Registry;
  readonly #samples: Samples;
  #features: Features | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#registry = new Registry(dialect);
    this.#samples = new Samples(dialect);
  }

  *find(name: string): Work<Placed | undefined> {
    const found = yield* this.#registry.find(name);
    return found && { ...found, indexed: yield* isIndexed(this.#dialect, found) };
  }

  list(): Work<readonly Placed[]> {
    return this.#registry.list();
  }

  *create(wanted: Wanted): Work<void> {
    this.#features = yield* createInside(this.#dialect, this.#registry, wanted);
  }

  drop(collection: Placed): Work<void> {
    return dropInside(this.#dialect, this.#registry, collection);
  }

  *upsert(target: Target, given: readonly Row[]): Work<void> {
    const { schema, oid } = (yield* this.#writing()).features;
    const text = `insert into ${this.#table(target)} (tenant_id, id, embedding, metadata, content)
select $1::text, r.id, r.embedding, r.metadata::jsonb, r.content
from unnest($2::text[], $3::${schema}.vector[], $4::text[], $5::text[]) as r (id, embedding, metadata, content)
on conflict (tenant_id, id) do update
set embedding = excluded.embedding, metadata = excluded.metadata, content = excluded.content`;
    const upsert = statement('vectors.upsert', text, ['tenant_id', 'id', 'embedding', 'metadata', 'content']);
    const store = (part: readonly Row[]) =>
      run(upsert, {
        tenant_id: target.tenant,
        id: part.map(({ id }) => id),
        embedding: this.#array(part, oid),
        metadata: part.map(({ metadata }) => metadata),
        content: part.map(({ content }) => content),
      });
    const parts = partsOf(given);
    const [first] = parts;
    if (first && parts.length === 1) yield* store(first);
    else {
      yield* transaction(function* () {
        for (const part of parts) yield* store(part);
      });
    }
    if (given.length >= BATCH) this.#samples.forget(target);
  }

  settle(collection: Placed): Work<void> {
    return analyze(this.#dialect, collection);
  }

  *get(target: Target, ids: readonly string[]): Work<readonly Found[]> {
    const read = columns(yield* this.#writing(), true);
    const text = `select ${read} from ${this.#table(target)} as t
where t.tenant_id = $1::text and t.id = any($2::text[])`;
    const values = { tenant_id: target.tenant, ids };
    return (yield* rows(statement('vectors.get', text, ['tenant_id', 'ids']), values)).map((one) =>
      this.#found(one),
    );
  }

  *remove(target: Target, ids: readonly string[]): Work<number> {
    const text = `delete from ${this.#table(target)} where tenant_id = $1::text and id = any($2::text[])`;
    const values = { tenant_id: target.tenant, ids };
    const removed = yield* run(statement('vectors.delete', text, ['tenant_id', 'ids']), values);
    if (removed >= BATCH) this.#samples.forget(target);
    return removed;
  }

  *removeWhere(target: Target, filter: Node): Work<number> {
    const d = draft();
    const table = this.#table(target);
    const text = `with batch as materialized (
  select t.ctid as place from ${table} as t where ${passing(d, target, { filter })} limit ${d.put(BATCH)}::bigint
), gone as (
  delete from ${table} where ctid = any(array(select place from batch)) returning 1
)
select (select count(*) from batch) as seen, (select count(*) from gone) as removed`;
    const remove = d.end('vectors.deleteWhere', text);
    this.#samples.forget(target);
    let removed = 0;
    for (;;) {
      const batch = yield* row(remove, d.values);
      removed += Number(batch?.removed);
      // What others took of a batch makes its count fall short, and more may be left behind it.
      if (Number(batch?.seen) < BATCH) return removed;
    }
  }

  *count(target: Target): Work<number> {
    const text = `select count(*) as count from ${this.#table(target)} where tenant_id = $1::text`;
    const counted = yield* row(statement('vectors.count', text, ['tenant_id']), { tenant_id: target.tenant });
    return Number(counted?.count);
  }

  *search(target: Target, nearest: Nearest, inside: boolean): Work<readonly Found[]> {
    const writing = yield* this.#writing();
    const { way, asked } = yield* this.#way(target, nearest);
    const read = (by: Way) => {
      const [{ values }, search] = searchStatement(writing, target, asked, by);
      return rows(search, values);
    };
    if (way === 'exact') return (yield* read(way)).map((one) => this.#found(one));
    const found = yield* tuned(writing, { efSearch: widthOf(asked, way), inside }, () => read(way));
    // An index gives up where a filter leaves too few near the query: then all are compared.
    const whole = found.length < nearest.topK ? yield* read('exact') : found;
    return whole.map((one) => this.#found(one));
  }

  *explain(target: Target, nearest: Nearest): Work<Explained> {
    const writing = yield* this.#writing();
    this.#samples.forget(target);
    const { way, asked } = yield* this.#way(target, nearest);
    const estimate = yield* this.#samples.estimate(target, nearest);
    const [, { text }] = searchStatement(writing, target, asked, way);
    return { way, estimate: yield* this.#counted(target, nearest, estimate), statement: text };
  }

  *renewed(error: unknown): Work<boolean> {
    const before = this.#features;
    if (!before || !mayBeMoved(error)) return false;
    this.#features = undefined;
    const { schema, oid } = (yield* this.#writing()).features;
    return schema !== before.schema || oid !== before.oid;
  }

  insideError(error: unknown): Error | undefined {
    if (!mayBeMoved(error)) return undefined;
    this.#features = undefined;
    return moved(error);
  }

  async build(connection: Connection, collection: Placed, options: BuildOptions): Promise<void> {
    // A build is long, and rare: it does not rely on what is remembered.
    this.#features = undefined;
    const features = (await perform(connection, this.#writing())).features;
    const building = { dialect: this.#dialect, registry: this.#registry, features, collection, connection };
    await buildIndex(building, options);
  }

  /** Rows that pass, where the tenant has so few that the sample was not asked. */
  *#counted(target: Target, nearest: Nearest, { rows, few }: Estimate): Work<number> {
    if (!few || !nearest.filtered) return rows;
    const d = draft();
    const text = `select count(*) as count from ${this.#table(target)} as t where ${passing(d, target, nearest)}`;
    return Number((yield* row(d.end('vectors.estimate', text), d.values))?.count);
  }

  /** Which way, and what it is asked for. */
  *#way(target: Target, nearest: Nearest): Work<{ readonly way: Way; readonly asked: Nearest }> {
    const { collection } = target;
    if (nearest.exact || !collection.indexed) return { way: 'exact', asked: nearest };
    const { few, part } = yield* this.#samples.estimate(target, nearest);
    return { way: few ? 'exact' : WAYS[collection.elementType], asked: { ...nearest, filtered: part } };
  }

  /** There is a collection, so there was an extension; without it its tables have lost their vectors. */
  *#writing(): Work<Writing> {
    this.#features ??= yield* readFeatures();
    if (!this.#features) {
      throw missing('the extension vector is gone from this database, with the vectors of its collections', {
        hint: 'restore them from a backup, or drop the collections and make them anew',
      });
    }
    return { dialect: this.#dialect, features: this.#features };
  }

  #array(part: readonly Row[], oid: number): Value {
    const vectors = part.map(({ vector }) => vector);
    return this.#dialect.vectors?.binary ? vectorArrayBytes(vectors, oid) : vectors.map(vectorText);
  }

  #table({ collection }: Target): string {
    return this.#dialect.place(tableOf(collection));
  }

  #found({ id, metadata, content, vector, distance }: Raw): Found {
    return {
      id: this.#dialect.text(id ?? ''),
      metadata: metadata as string | null,
      content: content === null || content === undefined ? null : this.#dialect.text(content),
      ...(vector !== undefined && { vector: vectorFromBase64(String(vector)) }),
      ...(distance !== undefined && { distance: Number(distance) }),
    };
  }
}
