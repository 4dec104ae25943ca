// Vectors on Postgres: storing against a binary COPY, searching against the same SQL by hand, and what is missed.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { openStorage } from '../dist/index.js';
import { row } from './lib/measure.mjs';
import { clustered, seeded } from './lib/seeded.mjs';
import { newDatabase } from './lib/servers.mjs';
import { copyRows } from './raw/copy.mjs';

/** @typedef {import('../dist/index.js').VectorStore} VectorStore */
/** @typedef {{ id: string, vector: Float32Array, metadata: Record<string, unknown> }} Point */

const ROWS = Number(process.env.CHRONOS_BENCH_VECTORS ?? 100_000);
const LARGE = Number(process.env.CHRONOS_BENCH_LARGE_VECTORS ?? 20_000);
/** A file of float32, 100 a row (words of GloVe): left out where none is named. */
const WORDS = process.env.CHRONOS_BENCH_WORDS ?? '';
const ROUNDS = 9;
/** Of one batch each, which is short. */
const BATCHES = 25;
const TIMES = 200;
const QUERIES = 100;
const BATCH = 1000;
const TENANT = 'default';
/** A tenant beside it, with clusters of its own. */
const OTHER = { id: 'other', rows: Math.floor(0.12 * ROWS) };

/**
 * @param {number} count
 * @param {number} dimension
 * @param {number} clusters
 * @param {number} [seed]
 */
function points(count, dimension, clusters, seed = dimension) {
  const random = seeded(seed);
  const next = clustered(random, clusters, dimension);
  /** @type {Point[]} */
  const rows = [];
  for (let i = 0; i < count; i += 1) {
    const { vector, cluster } = next();
    const share = random();
    const metadata = { cluster, share, rare: random(), lang: share < 0.3 ? 'en' : 'de' };
    rows.push({ id: `p${i}`, vector, metadata });
  }
  return { rows, queries: Array.from({ length: QUERIES }, () => next().vector) };
}

/** @param {() => Promise<unknown>} work */
async function milliseconds(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/**
 * Stores batches both ways, in turns, into tables that are alike.
 * @param {VectorStore} vectors
 * @param {pg.Client} client
 * @param {readonly Point[]} rows
 */
async function storing(vectors, client, rows) {
  await client.query('create table copied (like chronos.chronos_vectors_1 including all)');
  const ratios = [];
  for (let round = -2; round < BATCHES; round += 1) {
    const from = ((round + 2) * BATCH) % rows.length;
    const batch = rows.slice(from, from + BATCH);
    const first = round % 2 === 0;
    const copy = () => milliseconds(() => copyRows(client, 'copied', TENANT, batch));
    const before = first ? await copy() : 0;
    const own = await milliseconds(() => vectors.upsert('clustered', batch));
    const hand = first ? before : await copy();
    if (round >= 0) ratios.push(own / hand);
  }
  return row(`upsert of ${BATCH} × 384 against binary COPY`, '×', 1.5, ratios);
}

/**
 * @param {VectorStore} vectors
 * @param {pg.Client} client
 * @param {readonly Float32Array[]} queries
 */
async function searching(vectors, client, queries) {
  const text = `with nearest as materialized (
    select t.id as key, t.embedding <=> $1::vector as distance from chronos.chronos_vectors_1 as t
    where t.tenant_id = $2 order by t.embedding <=> $1::vector, t.id limit $3)
  select t.id, t.metadata::text, t.content, n.distance from nearest as n
  join chronos.chronos_vectors_1 as t on t.tenant_id = $2 and t.id = n.key order by n.distance, n.key`;
  const byHand = async (/** @type {Float32Array} */ query) => {
    await client.query('begin');
    await client.query(
      'set local hnsw.ef_search = 100; set local hnsw.iterative_scan = relaxed_order; set local enable_seqscan = off; set local enable_sort = off',
    );
    await client.query({ text, values: [`[${query.join(',')}]`, TENANT, 10] });
    await client.query('commit');
  };
  const all = async (/** @type {(query: Float32Array) => Promise<unknown>} */ one) => {
    for (let n = 0; n < TIMES; n += 1) await one(/** @type {Float32Array} */ (queries[n % queries.length]));
  };
  const ours = () => milliseconds(() => all((query) => vectors.search('clustered', query, 10)));
  const hand = () => milliseconds(() => all(byHand));
  const ratios = [];
  const times = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const first = round % 2 === 0;
    const before = first ? await hand() : 0;
    const own = await ours();
    const other = first ? before : await hand();
    if (round < 0) continue;
    ratios.push(own / other);
    times.push(own / TIMES);
  }
  return [
    row(`search of ${ROWS} × 384 against the same SQL by hand`, '×', 1.15, ratios),
    row(`search of ${ROWS} × 384, ten nearest`, 'ms', 50, times),
  ];
}

/**
 * The share of the ten nearest that a search misses, in percent.
 * @param {VectorStore} vectors
 * @param {string} collection
 * @param {readonly Float32Array[]} queries
 * @param {import('../dist/index.js').Filter} [filter]
 */
async function missed(vectors, collection, queries, filter) {
  const options = filter === undefined ? {} : { filter };
  let hits = 0;
  let all = 0;
  for (const query of queries) {
    const found = await vectors.search(collection, query, 10, options);
    const truth = await vectors.search(collection, query, 10, { ...options, exact: true });
    const ids = new Set(truth.map(({ id }) => id));
    hits += found.filter(({ id }) => ids.has(id)).length;
    all += truth.length;
  }
  return 100 * (1 - hits / all);
}

/** @type {readonly (readonly [string, import('../dist/index.js').Filter | undefined, number])[]} */
const FILTERS = [
  ['without a filter', undefined, 3],
  ['with a filter of 30 %', { lang: 'en' }, 5],
  ['with a filter of 10 %', { share: { $lt: 0.1 } }, 5],
  ['with a filter of 1 %', { share: { $lt: 0.01 } }, 5],
  ['with a filter of 0.1 %', { share: { $lt: 0.001 } }, 5],
  ['with a filter of 10 %, bound to clusters', { cluster: { $lt: 20 } }, 5],
  ['with a filter of 1 %, bound to clusters', { cluster: { $lt: 2 } }, 5],
  ['with a filter of 0.1 %, bound to clusters', { cluster: 0, rare: { $lt: 0.2 } }, 5],
];

/**
 * @param {VectorStore} vectors
 * @param {string} collection
 * @param {readonly Point[]} rows
 * @param {{ metric?: 'cosine' | 'l2', index?: 'hnsw' | 'none' }} [options]
 */
async function filled(vectors, collection, rows, options = {}) {
  const dimension = /** @type {Point} */ (rows[0]).vector.length;
  await vectors.createCollection(collection, dimension, { index: 'none', ...options });
  for (let from = 0; from < rows.length; from += 10_000) {
    await vectors.upsert(collection, rows.slice(from, from + 10_000));
  }
  const seconds = (await milliseconds(() => vectors.ensureIndex(collection))) / 1000;
  console.error(`  ${collection}: index of ${rows.length} × ${dimension} built in ${seconds.toFixed(1)} s`);
}

/**
 * @param {VectorStore} vectors
 * @param {number} dimension
 * @param {string} way
 */
async function large(vectors, dimension, way) {
  const { rows, queries } = points(LARGE, dimension, 100);
  const name = `wide ${dimension}`;
  await filled(vectors, name, rows);
  const some = queries.slice(0, 40);
  const explained = await vectors.explain(name, /** @type {Float32Array} */ (some[0]), 10);
  if (explained.way !== way) throw new Error(`${name} is searched by ${explained.way}, not ${way}`);
  const share = await missed(vectors, name, some);
  await vectors.dropCollection(name);
  return row(`${LARGE} × ${dimension} by ${way}: missed`, '%', 5, [share]);
}

/** @param {VectorStore} vectors */
async function words(vectors) {
  if (!existsSync(WORDS)) return [];
  const bytes = WORDS.endsWith('.gz') ? gunzipSync(readFileSync(WORDS)) : readFileSync(WORDS);
  const all = new Float32Array(new Uint8Array(bytes).buffer);
  const random = seeded(100);
  /** @type {Point[]} */
  const rows = [];
  for (let i = 0; i < all.length / 100; i += 1) {
    const metadata = { share: random(), rank: i };
    rows.push({ id: `w${i}`, vector: all.slice(100 * i, 100 * i + 100), metadata });
  }
  // The last thousand are what is asked for.
  const queries = rows.splice(-1000).flatMap(({ vector }, i) => (i % 10 === 0 ? [vector] : []));
  await filled(vectors, 'words', rows);
  const found = [];
  for (const [named, filter, target] of /** @type {const} */ ([
    ['without a filter', undefined, 3],
    ['with a filter of 60 %', { share: { $lt: 0.6 } }, 5],
    ['the frequent half', { rank: { $lt: rows.length / 2 } }, 5],
    ['with a filter of 1 %', { share: { $lt: 0.01 } }, 5],
  ])) {
    found.push(
      row(`${rows.length} words of GloVe ${named}: missed`, '%', target, [
        await missed(vectors, 'words', queries, filter),
      ]),
    );
  }
  return found;
}

/** @returns {Promise<import('./lib/measure.mjs').Row[]>} */
export async function rows() {
  const { url, drop } = await newDatabase('postgres');
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  // The graph is built in memory as long as it fits: with the server's default of 64 MB it takes several times as long.
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} set maintenance_work_mem = '512MB'`);
  await admin.end();
  const storage = await openStorage(url);
  await storage.migrate();
  const vectors = storage.vectors();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: given, queries } = points(ROWS, 384, 200);
    await vectors.createCollection('clustered', 384, { index: 'none' });
    const found = [await storing(vectors, client, given)];
    const other = storage.forTenant(OTHER.id).vectors();
    await other.upsert('clustered', points(OTHER.rows, 384, 40, 7).rows);
    await filled(vectors, 'clustered', given);
    found.push(...(await searching(vectors, client, queries)));
    for (const [named, filter, target] of FILTERS) {
      const share = await missed(vectors, 'clustered', queries, filter);
      found.push(row(`${ROWS} × 384 ${named}: missed`, '%', target, [share]));
    }
    const beside = `${OTHER.rows} of a tenant beside it, asked near the first's clusters: missed`;
    found.push(row(beside, '%', 5, [await missed(other, 'clustered', queries)]));
    await vectors.dropCollection('clustered');
    found.push(await large(vectors, 1536, 'hnsw'), await large(vectors, 3072, 'halfvec'));
    found.push(...(await words(vectors)));
    return found;
  } finally {
    await client.end();
    await storage.close();
    await drop();
  }
}
