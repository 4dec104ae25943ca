// A ledger of a million events: walked, paged at depth, trimmed.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { ENGINES, openBoth } from './lib/engines.mjs';
import { median, row } from './lib/measure.mjs';

/** @typedef {Awaited<ReturnType<typeof openBoth>>} Both */

const EVENTS = Number(process.env.CHRONOS_BENCH_EVENTS ?? 1_000_000);
const ROUNDS = 7;
const SESSION = 'large';
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
  for (let round = -2; round < ROUNDS; round += 1) {
    const first = await timed(() => storage.listEventsPaged(SESSION, undefined, 100), 50);
    const last = await timed(() => storage.listEventsPaged(SESSION, undefined, 100, cursor), 50);
    if (round >= 0) ratios.push(last / first);
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

/**
 * Our trim of one half, a hand-written one of the other; the longest statement of ours.
 * @param {string} name
 * @param {Both} both
 */
async function trimmed(name, { storage, raw }) {
  const slices = 5;
  const speeds = [];
  const rates = [];
  for (let slice = 1; slice <= slices; slice += 1) {
    const ours = new Date(DAY + (EVENTS / slices) * (slice - 0.5));
    const hand = new Date(DAY + (EVENTS / slices) * slice);
    const own = await rate(() => storage.trimEvents(ours));
    const byHand = await rate(async () => {
      let removed = 0;
      for (;;) {
        const count = await raw.trim(hand, 5000);
        removed += count;
        if (count < 5000) return removed;
      }
    });
    rates.push(own);
    speeds.push(byHand / own);
  }
  if (name === 'postgres') {
    // The unit is rows; the target is a floor, so its inverse is told.
    return [row(`${name}: trim, µs a row (100 000 rows/s)`, 'µs', 10, [1e6 / median(rates)])];
  }
  return [row(`${name}: trim against a hand-written batched delete`, '×', 1.25, speeds)];
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
