// A ledger of a million events: walked, paged at depth, trimmed.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { openStorage } from '../dist/index.js';
import { ENGINES, openBoth } from './lib/engines.mjs';
import { median, row } from './lib/measure.mjs';

/** @typedef {Awaited<ReturnType<typeof openBoth>>} Both */

const EVENTS = Number(process.env.CHRONOS_BENCH_EVENTS ?? 1_000_000);
/** Many and short, so that a machine that is slow for a second is slow for both sides. */
const ROUNDS = 31;
const SESSION = 'large';
/** A trim that leaves the server to others most of the time: rows a statement (on SQLite 25 ms of the process), ms between two. */
const PACE = { batchSize: 1000, pause: 100 };
const DAY = Date.UTC(2024, 0, 1);

/** @returns {Promise<import('./lib/measure.mjs').Row[]>} */
export async function rows() {
  const found = [];
  for (const name of ENGINES) {
    const both = await openBoth(name);
    try {
      await fill(both, SESSION);
      found.push(...(await depth(name, both)));
      found.push(row(`${name}: a walk of ${EVENTS} events, RSS`, 'MB', 150, [await walked(both.url)]));
      found.push(...(await trimmed(name, both)));
    } finally {
      await both.close();
    }
  }
  return found;
}

/**
 * @param {Both} both
 * @param {string} sessionId
 */
async function fill({ storage }, sessionId) {
  for (let from = 0; from < EVENTS; from += 10_000) {
    const batch = Array.from({ length: Math.min(10_000, EVENTS - from) }, (_, n) => ({
      id: randomUUID(),
      sessionId,
      seqNum: from + n + 1,
      type: 'message',
      payload: { role: 'user', content: `turn ${from + n}` },
      createdAt: new Date(DAY + from + n),
    }));
    await storage.appendEvents(batch);
  }
}

/**
 * @param {string} name
 * @param {Both} both
 */
async function depth(name, { storage }) {
  const deep = EVENTS - 1000;
  const cursor = (await storage.listEventsPaged(SESSION, deep - 100, 100)).nextCursor;
  const ratios = [];
  const first = () => timed(() => storage.listEventsPaged(SESSION, undefined, 100), 50);
  const last = () => timed(() => storage.listEventsPaged(SESSION, undefined, 100, cursor), 50);
  for (let round = -4; round < ROUNDS; round += 1) {
    // Who goes first changes: what the first leaves behind is then no one's advantage.
    const before = round % 2 === 0 ? await last() : undefined;
    const shallow = await first();
    const beyond = before ?? (await last());
    if (round >= 0) ratios.push(beyond / shallow);
  }
  return [row(`${name}: page at row ${deep} against the first`, '×', 1.2, ratios)];
}

/**
 * @param {string} url
 * @returns {Promise<number>} greatest RSS in MB
 */
function walked(url) {
  return new Promise((done, failed) => {
    const child = fork(resolve(import.meta.dirname, 'lib/walk.mjs'), [url, SESSION, String(EVENTS)]);
    child.once('message', (rss) => done(Number(rss)));
    child.once('exit', (code) => code !== 0 && failed(new Error(`the walk ended with ${code}`)));
  });
}

/** Of five slices of the ledger four are trimmed for speed, each half by us and half by hand; the last one is paced. */
const SLICES = 5;

/** @param {number} slice */
const end = (slice) => new Date(DAY + (EVENTS / SLICES) * slice);

/**
 * Our trim against a hand-written one, the longest statement of ours, and appends beside a paced one.
 * @param {string} name
 * @param {Both} both
 */
async function trimmed(name, { storage, raw, url }) {
  const speeds = [];
  const rates = [];
  let longest = 0;
  const watched = await openStorage(url, {
    onStatement: ({ ms }) => {
      longest = Math.max(longest, ms);
    },
  });
  for (let slice = 1; slice < SLICES; slice += 1) {
    const own = await rate(() => watched.trimEvents(end(slice - 0.5)));
    const byHand = await rate(async () => {
      let removed = 0;
      for (;;) {
        const count = await raw.trim(end(slice), 5000);
        removed += count;
        if (count < 5000) return removed;
      }
    });
    rates.push(own);
    speeds.push(byHand / own);
  }
  await watched.close();
  const speed =
    name === 'postgres'
      ? // The unit is rows; the target is a floor, so its inverse is told.
        row(`${name}: trim, µs a row (100 000 rows/s)`, 'µs', 10, [1e6 / median(rates)])
      : row(`${name}: trim against a hand-written batched delete`, '×', 1.25, speeds);
  return [
    speed,
    row(`${name}: longest statement of a trim`, 'ms', 1000, [longest]),
    row(`${name}: appends alone against beside a paced trim`, '×', 1 / 0.7, await paced(storage)),
  ];
}

/** Rounds of appends alone and beside a paced trim. */
const PACED = 15;

/**
 * A loss of 30 % is a ratio of 1 / 0.7.
 * @param {Both['storage']} storage
 */
async function paced(storage) {
  const ratios = [];
  for (let round = -1; round < PACED; round += 1) {
    const alone = await appends(storage);
    const controller = new AbortController();
    const trim = storage.trimEvents(end(SLICES), { ...PACE, signal: controller.signal });
    const beside = await appends(storage);
    controller.abort();
    const { removed } = await trim.then(
      (count) => ({ removed: count }),
      (error) => ({ removed: Number(error.partial) }),
    );
    if (!(removed > 0)) throw new Error('the paced trim had nothing to remove');
    if (round >= 0) ratios.push(alone / beside);
  }
  return ratios;
}

/**
 * @param {Both['storage']} storage
 * @returns {Promise<number>} events a second, one after the other for a second
 */
async function appends(storage) {
  const from = performance.now();
  let count = 0;
  while (performance.now() - from < 1000) {
    const event = { id: randomUUID(), sessionId: 'beside', type: 'message', payload: { n: count } };
    await storage.appendEvent({ ...event, createdAt: new Date() });
    count += 1;
  }
  return count / ((performance.now() - from) / 1000);
}

/**
 * @param {() => Promise<number>} work
 * @returns {Promise<number>} rows a second
 */
async function rate(work) {
  const from = process.hrtime.bigint();
  const removed = await work();
  return removed / (Number(process.hrtime.bigint() - from) / 1e9);
}

/**
 * @param {() => Promise<unknown>} work
 * @param {number} times
 */
async function timed(work, times) {
  const from = process.hrtime.bigint();
  for (let n = 0; n < times; n += 1) await work();
  return Number(process.hrtime.bigint() - from) / 1000 / times;
}
