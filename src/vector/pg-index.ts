import type { Dialect } from '../sql/dialect.ts';
import type { Placed } from './engine.ts';
import type { Features } from './pg-features.ts';
import { tableOf } from './registry.ts';
import type { ElementType, Metric, Way } from './types.ts';

/** pgvector's operator of each metric: the less, the nearer. */
export const OPERATORS: Readonly<Record<Metric, string>> = { cosine: '<=>', l2: '<->', ip: '<#>' };

const CLASSES: Readonly<Record<Metric, string>> = { cosine: 'cosine_ops', l2: 'l2_ops', ip: 'ip_ops' };

/** What an index on each form of the elements is called. */
export const WAYS: Readonly<Record<ElementType, Exclude<Way, 'exact'>>> = {
  float32: 'hnsw',
  float16: 'halfvec',
  bit: 'binary',
};

/** What the index of a collection is built on, as an expression over `vector`. */
export function indexed({ elementType, dimension }: Placed, { schema }: Features, vector: string): string {
  if (elementType === 'float32') return vector;
  if (elementType === 'float16') return `(${vector})::${schema}.halfvec(${dimension})`;
  return `${schema}.binary_quantize(${vector})::bit(${dimension})`;
}

/** How near the index says that something is. */
export function indexedDistance(
  { elementType, metric }: Placed,
  { schema }: Features,
  sides: readonly [string, string],
): string {
  const operator = elementType === 'bit' ? '<~>' : OPERATORS[metric];
  return `(${sides[0]}) operator(${schema}.${operator}) (${sides[1]})`;
}

/** The name of a collection's index. */
export function indexOf(collection: Pick<Placed, 'number'>): string {
  return `${tableOf(collection)}_hnsw`;
}

/**
 * Where an index of a table (`$1`) is by its name (`$2`). Not by `to_regclass` of its name: a transaction that once
 * found nothing there keeps finding nothing.
 */
export const INDEX = `from pg_catalog.pg_index as i join pg_catalog.pg_class as c on c.oid = i.indexrelid
where i.indrelid = pg_catalog.to_regclass($1::text) and c.relname = $2::text`;

/** The statement that builds it. */
export function indexText(
  dialect: Dialect,
  features: Features,
  collection: Placed,
  concurrently: boolean,
): string {
  const { elementType, metric, m, efConstruction } = collection;
  const { schema } = features;
  const type = { float32: 'vector_', float16: 'halfvec_', bit: 'bit_' }[elementType];
  const kind = elementType === 'bit' ? 'hamming_ops' : CLASSES[metric];
  const expression = indexed(collection, features, 'embedding');
  return `create index ${concurrently ? 'concurrently ' : ''}"${indexOf(collection)}" on ${dialect.place(tableOf(collection))}
using hnsw ((${expression}) ${schema}.${type}${kind}) with (m = ${m}, ef_construction = ${efConstruction})`;
}
