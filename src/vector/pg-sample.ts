import { row, rows, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { statement } from '../sql/statement.ts';
import type { Nearest, Placed, Target } from './engine.ts';
import type { Node } from './filter.ts';
import { passes } from './passes.ts';
import { tableOf } from './registry.ts';

import type { Json } from './types.ts';

/** Up to so many rows every search compares with all: an index would save little, and lose some. */
const FEW = 10_000;
/** The same of what a filter leaves, which is estimated. */
const FEW_FILTERED = 12_500;
/** What is less than this share of a collection, by tenant or by filter, is a part of it: an index is of all tenants' rows. */
const PART = 0.7;
/**
 * Where rows lie in clusters of their own, and a query near others', the index may find none of the nearest of a part: it
 * is compared with whole as long as that is no great work. Elements of its vectors, and rows at most.
 */
const WORK = 10_000_000;
const MOST_OF_PART = 100_000;
/** Up to this share of a collection an index would pass over too much to find them. */
const SHARE = 0.05;
/** Rows that a sample has, about. */
const SAMPLE = 2000;
/** How long a sample is good, in ms, and how many are kept. */
const LIFE = 60_000;
const KEPT = 1000;
/** How many shares a sample keeps, and of filters how long at most. */
const KEPT_SHARES = 100;
const LONGEST_KEY = 1000;

/** What is known of a tenant's rows in a collection. */
interface Sample {
  /** Rows of the tenant; exact up to as many as are compared with whole. */
  readonly rows: number;
  /** Rows of all tenants. */
  readonly all: number;
  /** Metadata of some of the tenant's rows, when they are many. */
  readonly metadata: readonly (Json | undefined)[];
  /** Which part of it passes a filter, by the filter's text: the same few are asked again and again. */
  readonly shares: Map<string, number>;
  readonly until: number;
}

/** How many rows are left, and whether they are few enough to compare with each. */
export interface Estimate {
  readonly rows: number;
  readonly few: boolean;
  /** Whether they are a part of the collection: an index gives them in no order to rely on. */
  readonly part: boolean;
}

/** Estimates what tenant and filter leave: the planner has no statistics of paths into jsonb. */
export class Samples {
  readonly #dialect: Dialect;
  readonly #samples = new Map<string, Sample>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  *estimate(target: Target, { filter, filtered }: Pick<Nearest, 'filter' | 'filtered'>): Work<Estimate> {
    const sample = yield* this.#sampleOf(target);
    const { rows: total, all, metadata } = sample;
    if (total <= FEW) return { rows: total, few: true, part: true };
    // Among so many pages none of them: they are a small part.
    if (metadata.length === 0) return { rows: total, few: true, part: true };
    const left = Math.round(total * shareOf(sample, filter));
    const part = left < PART * all;
    const whole = filtered ? FEW_FILTERED : FEW;
    const few = left <= (part ? mostOf(target.collection) : whole) || left <= SHARE * all;
    return { rows: left, few, part: part || filtered };
  }

  /** Another time it is drawn anew. */
  forget({ collection, tenant }: Target): void {
    this.#samples.delete(keyOf(collection, tenant));
  }

  *#sampleOf(target: Target): Work<Sample> {
    const key = keyOf(target.collection, target.tenant);
    const known = this.#samples.get(key);
    if (known && known.until > Date.now()) return known;
    const drawn = yield* this.#draw(target);
    if (this.#samples.size >= KEPT) this.#samples.clear();
    this.#samples.set(key, drawn);
    return drawn;
  }

  *#draw({ collection, tenant }: Target): Work<Sample> {
    const table = this.#dialect.place(tableOf(collection));
    const most = mostOf(collection);
    const counting = `select count(*) as count from (
  select 1 from ${table} where tenant_id = $1::text limit ${most + 1}) as bounded`;
    const counted = yield* row(statement('vectors.few', counting, ['tenant_id']), { tenant_id: tenant });
    const until = Date.now() + LIFE;
    const count = Number(counted?.count);
    if (count <= FEW) return { rows: count, all: count, metadata: [], shares: new Map(), until };
    const measuring = `select pg_relation_size(c.oid) / current_setting('block_size')::bigint as pages, c.reltuples::bigint as rows
from pg_catalog.pg_class as c where c.oid = $1::text::regclass`;
    const size = yield* row(statement('vectors.size', measuring, ['table']), { table });
    const percent = Math.min(100, (100 * pagesFor(collection)) / Math.max(1, Number(size?.pages)));
    // Whole pages, drawn at random: the rest of the table is not touched.
    const sampling = `select t.metadata::text as metadata from ${table} as t tablesample system ($1::text::real)
where t.tenant_id = $2::text limit ${10 * SAMPLE}`;
    const found = yield* rows(statement('vectors.sample', sampling, ['percent', 'tenant_id']), {
      percent: String(percent),
      tenant_id: tenant,
    });
    const metadata = found.map((one) =>
      one.metadata === null ? undefined : (JSON.parse(String(one.metadata)) as Json),
    );
    const total = count <= most ? count : Math.max(count, Math.round((100 * metadata.length) / percent));
    return { rows: total, all: Math.max(total, Number(size?.rows)), metadata, shares: new Map(), until };
  }
}

function shareOf({ metadata, shares }: Sample, filter: Node): number {
  const key = JSON.stringify(filter);
  const known = shares.get(key);
  if (known !== undefined) return known;
  const share = metadata.filter((one) => passes(filter, one)).length / metadata.length;
  if (shares.size >= KEPT_SHARES) shares.clear();
  if (key.length <= LONGEST_KEY) shares.set(key, share);
  return share;
}

/** Above 2 kB a vector lies outside its row, and is read by itself. */
function isInRow({ dimension }: Placed): boolean {
  return 4 * dimension <= 2000;
}

/** Rows of a part that are compared with whole at most. */
function mostOf(collection: Placed): number {
  const cheap = isInRow(collection) ? Math.floor(WORK / collection.dimension) : 0;
  return Math.min(MOST_OF_PART, Math.max(FEW_FILTERED, cheap));
}

/** Pages that hold about as many rows as a sample has. */
function pagesFor(collection: Placed): number {
  const bytes = isInRow(collection) ? 300 + 4 * collection.dimension : 300;
  return Math.max(100, Math.ceil((SAMPLE * bytes) / 8192));
}

function keyOf({ number }: Placed, tenant: string): string {
  return `${number} ${tenant}`;
}
