import { row, rows, transaction, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { conditionOf } from './condition.ts';
import { Draft } from './draft.ts';
import type { Nearest, Target } from './engine.ts';
import type { Features } from './pg-features.ts';
import { PgFilter } from './pg-filter.ts';
import { indexed, indexedDistance, OPERATORS } from './pg-index.ts';
import { tableOf } from './registry.ts';
import type { Way } from './types.ts';
import { vectorBytes, vectorText } from './wire.ts';

/** Rows that an index of halves, or of bits, is asked for: the full vectors decide among them. */
const CANDIDATES: Readonly<Record<Way, (topK: number) => number>> = {
  exact: (topK) => topK,
  hnsw: (topK) => topK,
  halfvec: (topK) => 2 * topK + 10,
  binary: (topK) => Math.max(200, 10 * topK),
};
/** A part of the rows comes out of the index in no order to rely on: the first ten are not the nearest ten. */
const FILTERED = 10;

/** How many rows are ranked by what they are. */
function candidates({ topK, filtered }: Nearest, way: Way): number {
  const enough = CANDIDATES[way](topK);
  return way === 'exact' || !filtered ? enough : Math.max(enough, Math.min(1000, FILTERED * topK));
}

/** What all statements on rows need to be written. */
export interface Writing {
  readonly dialect: Dialect;
  readonly features: Features;
}

/** The condition of a tenant's rows that pass a filter. */
export function passing(draft: Draft, { tenant }: Target, { filter }: Pick<Nearest, 'filter'>): string {
  return `t.tenant_id = ${draft.put(tenant)}::text and ${conditionOf(filter, new PgFilter(draft))}`;
}

/** A row's values as they are read; vectors in pgvector's binary form. */
export function columns({ dialect, features }: Writing, includeVectors: boolean): string {
  const text = (column: string) => `${dialect.read.text.replace('??', `t.${column}`)} as ${column}`;
  const vector = `, encode(${features.schema}.vector_send(t.embedding), 'base64') as vector`;
  return `${text('id')}, t.metadata::text as metadata, ${text('content')}${includeVectors ? vector : ''}`;
}

/** A new text with the engine's places. */
export function draft(): Draft {
  return new Draft((place) => `$${place}`);
}

/**
 * The nearest rows. The index gives candidates in about their order, to a query of their own; outside they are sorted
 * by what they are. `+ 0` keeps the planner from the index where every row is to be compared. The values of the rows
 * are read once the nearest are known.
 */
export function searchStatement(
  writing: Writing,
  target: Target,
  nearest: Nearest,
  way: Way,
): [Draft, Statement] {
  const { dialect, features } = writing;
  const { collection } = target;
  const d = draft();
  const type = `${features.schema}.vector(${collection.dimension})`;
  const binary = dialect.vectors?.binary === true;
  const query = `${d.put(binary ? vectorBytes(nearest.query) : vectorText(nearest.query))}::${type}`;
  const exact = `(t.embedding operator(${features.schema}.${OPERATORS[collection.metric]}) ${query})`;
  const sides = ['t.embedding', query].map((side) => indexed(collection, features, side)) as [string, string];
  const order = way === 'exact' ? 'distance' : indexedDistance(collection, features, sides);
  const table = dialect.place(tableOf(collection));
  const text = `with nearest as materialized (
  select t.id as key, ${exact}${way === 'exact' ? ' + 0' : ''} as distance
  from ${table} as t where ${passing(d, target, nearest)}
  order by ${order}, t.id limit ${d.put(candidates(nearest, way))}::bigint
)
select ${columns(writing, nearest.includeVectors)}, n.distance
from nearest as n join ${table} as t on t.tenant_id = ${d.put(target.tenant)}::text and t.id = n.key
order by n.distance, n.key limit ${d.put(nearest.topK)}::bigint`;
  return [d, d.end('vectors.search', text, way)];
}

/**
 * The settings of an index search, and what they are put to. The planner counts neither the parts of a vector that lie
 * outside its row nor what a filter on jsonb leaves: where we have decided for the index, it is kept from the rest.
 */
const SETTINGS: Readonly<Record<string, (width: number, features: Features) => string>> = {
  'hnsw.ef_search': (width) => String(width),
  'hnsw.iterative_scan': (_, { iterativeScan }) => (iterativeScan ? 'relaxed_order' : 'off'),
  plan_cache_mode: () => 'force_custom_plan',
  enable_seqscan: () => 'off',
  enable_sort: () => 'off',
};
const NAMES = Object.keys(SETTINGS);
const SET = statement(
  'vectors.settings',
  `select ${NAMES.map((name, i) => `set_config('${name}', $${i + 1}::text, true)`).join(', ')}`,
  NAMES,
);
const BEFORE = statement(
  'vectors.settings.before',
  `select ${NAMES.map((name) => `current_setting('${name}', true) as "${name}"`).join(', ')}`,
);

/**
 * Runs an index search with its settings, which end with it: with the transaction, or inside one that is not ours by
 * putting back what was there, behind a savepoint so that no other search of the transaction comes between.
 */
export function tuned<T>(
  { features }: Writing,
  { efSearch, inside }: { readonly efSearch: number; readonly inside: boolean },
  work: () => Work<T>,
): Work<T> {
  const tune = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, value]) => [name, value(efSearch, features)]),
  );
  return transaction(function* () {
    const before = inside ? yield* row(BEFORE, {}) : undefined;
    yield* rows(SET, tune);
    const result = yield* work();
    // A setting that the session had not is null here, which is its default.
    if (before) yield* rows(SET, before);
    return result;
  });
}

/** How many candidates the index must keep to give enough. */
export function widthOf(nearest: Nearest, way: Way): number {
  const { efSearch } = nearest;
  return Math.min(1000, Math.max(efSearch, candidates(nearest, way)));
}
