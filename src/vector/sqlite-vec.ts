import type { Connection, Row as Raw } from '../drivers/connection.ts';
import { UnsupportedError } from '../errors.ts';
import { each, perform, row, rows, run, script, transaction, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { type Statement, statement } from '../sql/statement.ts';
import type { Row } from './check.ts';
import { conditionOf } from './condition.ts';
import { Draft } from './draft.ts';
import type { Found, Nearest, Placed, Target, VectorEngine } from './engine.ts';
import type { Node } from './filter.ts';
import { canonicalText } from './metadata.ts';
import { Registry, tableOf } from './registry.ts';
import { SqliteFilter } from './sqlite-filter.ts';
import type { Explained, Metric } from './types.ts';
import type { Wanted } from './wanted.ts';
import { vectorBlob, vectorFromHex } from './wire.ts';

const DISTANCES: Readonly<Record<Metric, (sides: string) => string>> = {
  // Rounding takes what has one direction beyond 0, and opposites beyond 2: no score, and a tie broken by noise.
  cosine: (sides) => `max(0, min(2, vec_distance_cosine(${sides})))`,
  l2: (sides) => `vec_distance_L2(${sides})`,
  // Its negative: the less, the nearer.
  ip: (sides) => `-chronos_inner_product(${sides})`,
};

const READY: Statement = Object.freeze({
  ...statement('vectors.ready', 'select vec_version() as version'),
  needs: 'vectors',
});

/** Rows that one statement removes. */
const BATCH = 1000;
const KEY = ['tenant_id', 'id'];

/** SQLite with sqlite-vec's functions: plain tables, every search compares with every row. */
export class SqliteVec implements VectorEngine {
  readonly #registry: Registry;
  #ready = false;

  constructor(dialect: Dialect) {
    this.#registry = new Registry(dialect);
  }

  find(name: string): Work<Placed | undefined> {
    return this.#registry.find(name);
  }

  list(): Work<readonly Placed[]> {
    return this.#registry.list();
  }

  *create(wanted: Wanted): Work<void> {
    yield* this.#check();
    const registry = this.#registry;
    yield* transaction(function* () {
      const number = yield* registry.insert(wanted);
      if (number === undefined) return;
      yield* script(`create table "${tableOf({ number })}" (
  tenant_id text not null,
  id text not null,
  embedding blob not null,
  metadata text,
  content text,
  primary key (tenant_id, id)
) strict`);
    });
  }

  *drop(collection: Placed): Work<void> {
    const registry = this.#registry;
    yield* transaction(function* () {
      yield* script(`drop table if exists "${tableOf(collection)}"`);
      yield* registry.remove(collection.number);
    });
  }

  *upsert({ collection, tenant }: Target, list: readonly Row[]): Work<void> {
    const columns = ['embedding', 'metadata', 'content'];
    const text = `insert into "${tableOf(collection)}" (tenant_id, id, ${columns.join(', ')}) values (?, ?, ?, ?, ?)
on conflict (tenant_id, id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;
    const upsert = statement('vectors.upsert', text, [...KEY, ...columns]);
    const values = list.map(({ id, vector, metadata, content }) => ({
      tenant_id: tenant,
      id,
      embedding: vectorBlob(vector),
      // Text is compared with text where a filter names an object or an array.
      metadata: metadata === null ? null : canonicalText(metadata),
      content,
    }));
    if (values.length === 1) yield* each(upsert, values);
    else yield* transaction(() => each(upsert, values));
  }

  /** There are no statistics that a search reads. */
  *settle(): Work<void> {}

  *get({ collection, tenant }: Target, ids: readonly string[]): Work<readonly Found[]> {
    const text = `select t.id, t.metadata, t.content, hex(t.embedding) as vector from "${tableOf(collection)}" as t
where t.tenant_id = ? and t.id in (select value from json_each(?))`;
    const get = statement('vectors.get', text, ['tenant_id', 'ids']);
    return (yield* rows(get, { tenant_id: tenant, ids: JSON.stringify(ids) })).map(foundOf);
  }

  *remove({ collection, tenant }: Target, ids: readonly string[]): Work<number> {
    const text = `delete from "${tableOf(collection)}" where tenant_id = ? and id in (select value from json_each(?))`;
    const values = { tenant_id: tenant, ids: JSON.stringify(ids) };
    return yield* run(statement('vectors.delete', text, ['tenant_id', 'ids']), values);
  }

  *removeWhere({ collection, tenant }: Target, filter: Node): Work<number> {
    const draft = new Draft(() => '?');
    const table = `"${tableOf(collection)}"`;
    const passing = `t.tenant_id = ${draft.put(tenant)} and ${conditionOf(filter, new SqliteFilter(draft))}`;
    const text = `delete from ${table} where rowid in (select t.rowid from ${table} as t where ${passing} limit ${draft.put(BATCH)})`;
    const remove = draft.end('vectors.deleteWhere', text);
    let removed = 0;
    for (;;) {
      const count = yield* run(remove, draft.values);
      removed += count;
      if (count < BATCH) return removed;
    }
  }

  *count({ collection, tenant }: Target): Work<number> {
    const text = `select count(*) as count from "${tableOf(collection)}" where tenant_id = ?`;
    const found = yield* row(statement('vectors.count', text, ['tenant_id']), { tenant_id: tenant });
    return Number(found?.count);
  }

  *search(target: Target, nearest: Nearest): Work<readonly Found[]> {
    yield* this.#check();
    const draft = new Draft(() => '?');
    const search = nearestStatement(draft, target, nearest);
    return (yield* rows(search, draft.values)).map(foundOf);
  }

  *explain(target: Target, nearest: Nearest): Work<Explained> {
    const counting = new Draft(() => '?');
    const { tenant, collection } = target;
    const passing = `t.tenant_id = ${counting.put(tenant)} and ${conditionOf(nearest.filter, new SqliteFilter(counting))}`;
    const text = `select count(*) as count from "${tableOf(collection)}" as t where ${passing}`;
    const found = yield* row(counting.end('vectors.estimate', text), counting.values);
    const { text: search } = nearestStatement(new Draft(() => '?'), target, nearest);
    return { way: 'exact', estimate: Number(found?.count), statement: search };
  }

  /** There are none; the fact is kept. */
  async build(connection: Connection, { number }: Placed): Promise<void> {
    await perform(connection, this.#registry.setIndexed(number));
  }

  /** Whether the connection has the functions: that of a host's own driver may not. */
  *#check(): Work<void> {
    if (this.#ready) return;
    try {
      yield* rows(READY, {});
    } catch (cause) {
      if (cause instanceof UnsupportedError) throw cause;
      throw new UnsupportedError('this connection has no functions of sqlite-vec', {
        cause,
        hint: 'open the vectors by a path, or on a Database of better-sqlite3',
      });
    }
    this.#ready = true;
  }
}

/** The values of the rows are read once the nearest are known. */
function nearestStatement(draft: Draft, { collection, tenant }: Target, nearest: Nearest): Statement {
  const table = `"${tableOf(collection)}"`;
  const distance = DISTANCES[collection.metric](`t.embedding, ${draft.put(vectorBlob(nearest.query))}`);
  const passing = `t.tenant_id = ${draft.put(tenant)} and ${conditionOf(nearest.filter, new SqliteFilter(draft))}`;
  const text = `with nearest as materialized (
  select t.rowid as place, t.id, ${distance} as distance from ${table} as t
  where ${passing} order by distance, t.id limit ${draft.put(nearest.topK)}
) select t.id, t.metadata, t.content, n.distance${nearest.includeVectors ? ', hex(t.embedding) as vector' : ''}
from nearest as n join ${table} as t on t.rowid = n.place order by n.distance, n.id`;
  return Object.freeze({ ...draft.end('vectors.search', text, 'exact'), needs: 'vectors' });
}

function foundOf({ id, metadata, content, vector, distance }: Raw): Found {
  return {
    id: String(id),
    metadata: metadata as string | null,
    content: content as string | null,
    ...(vector !== undefined && { vector: vectorFromHex(String(vector)) }),
    ...(distance !== undefined && { distance: Number(distance) }),
  };
}
