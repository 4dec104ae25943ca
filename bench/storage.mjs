// The calls of a running agent, against the same by hand on the raw driver, in one process, side by side.
import { randomUUID } from 'node:crypto';
import { openStorage } from '../dist/index.js';
import { ENGINES, openBoth } from './lib/engines.mjs';
import { median, row } from './lib/measure.mjs';

/** @typedef {import('./lib/engines.mjs').EngineName} EngineName */
/** @typedef {Awaited<ReturnType<typeof openBoth>>} Both */

/** Many and short, so that a machine that is slow for a second is slow for both sides. */
const ROUNDS = 61;
const WARM = 8;
/** Openings of each side in a round. */
const OPENINGS = 3;
const SESSION = 'bench-session';
const PAYLOAD = {
  role: 'assistant',
  content: 'I looked at the file and changed two lines of it. '.repeat(8),
  tokens: 118,
};

/** @param {string} sessionId */
const unplaced = (sessionId) => ({
  id: randomUUID(),
  sessionId,
  type: 'message',
  payload: PAYLOAD,
  createdAt: new Date(),
});

/** @param {number} seqNum */
const event = (seqNum) => ({ ...unplaced(SESSION), seqNum });

let place = 0;

/**
 * The paths: what is done once on each side, how often in a round, and the targets.
 * @type {readonly {
 *   path: string, times: number, targets: Partial<Record<EngineName, number>>,
 *   ours: (both: Both) => Promise<unknown>, raw: (both: Both) => Promise<unknown>,
 * }[]}
 */
const PATHS = [
  {
    path: 'get a session by id',
    times: 250,
    targets: { postgres: 1.15, mysql: 1.15, mariadb: 1.15, sqlite: 15 },
    ours: ({ storage }) => storage.getSession(SESSION),
    raw: ({ raw }) => raw.getSession(SESSION),
  },
  {
    path: 'latest checkpoint',
    times: 250,
    targets: { postgres: 1.15, mysql: 1.15, mariadb: 1.15, sqlite: 15 },
    ours: ({ storage }) => storage.getLatestCheckpoint(SESSION),
    raw: ({ raw }) => raw.latestCheckpoint(SESSION),
  },
  {
    path: 'append an event with its own place',
    times: 125,
    targets: { postgres: 1.15, mysql: 1.15, mariadb: 1.15, sqlite: 15 },
    ours: ({ storage }) => storage.appendEvent(event(++place)),
    raw: ({ raw }) => raw.append(event(++place)),
  },
  {
    path: 'append an event, place from the store',
    times: 125,
    targets: { postgres: 1.6, mysql: 3, mariadb: 3 },
    ours: ({ storage }) => storage.appendEvent(unplaced('assigned')),
    raw: ({ raw }) => raw.append(event(++place)),
  },
  {
    path: 'append a batch of 1000',
    times: 2,
    targets: { postgres: 1.15, mysql: 1.15, mariadb: 1.15, sqlite: 1.15 },
    ours: ({ storage }) => storage.appendEvents(Array.from({ length: 1000 }, () => event(++place))),
    raw: ({ raw }) => raw.appendMany(Array.from({ length: 1000 }, () => event(++place))),
  },
  {
    path: 'read a page of 100',
    times: 50,
    targets: { postgres: 1.15, mysql: 1.15, mariadb: 1.15, sqlite: 1.15 },
    ours: ({ storage }) => storage.listEventsPaged(SESSION, 50, 100),
    // One row more than the page tells whether there is a next one.
    raw: ({ raw }) => raw.page(SESSION, 50, 101),
  },
];

/**
 * @param {() => Promise<unknown>} work
 * @param {number} times
 * @returns {Promise<number>} µs for each
 */
async function timed(work, times) {
  const from = process.hrtime.bigint();
  for (let n = 0; n < times; n += 1) await work();
  return Number(process.hrtime.bigint() - from) / 1000 / times;
}

/** @returns {Promise<import('./lib/measure.mjs').Row[]>} */
export async function rows() {
  const found = [];
  for (const name of ENGINES) {
    const both = await openBoth(name);
    try {
      await fill(both);
      for (const { path, times: some, targets, ours, raw } of PATHS) {
        const target = targets[name];
        if (target === undefined) continue;
        const beyond = name === 'sqlite' && target > 2;
        // Less than a few ms would measure whose collection of garbage falls into them.
        const times = beyond ? some * 5 : some;
        /** @type {number[]} */
        const values = [];
        /** @type {number[]} */
        const floors = [];
        const { appendNext } = both.raw;
        const byHand = path.endsWith('from the store') ? appendNext : undefined;
        for (let round = -WARM; round < ROUNDS; round += 1) {
          // Who goes first changes: what the first leaves behind is then no one's advantage.
          const first = round % 2 === 0;
          const rawFirst = first ? await timed(() => raw(both), times) : 0;
          const own = await timed(() => ours(both), times);
          const hand = first ? rawFirst : await timed(() => raw(both), times);
          const floor = byHand ? await timed(() => byHand({ ...unplaced('by-hand'), seqNum: 0 }), times) : 0;
          if (round < 0) continue;
          values.push(beyond ? own - hand : own / hand);
          floors.push(floor / hand);
        }
        const measured = row(`${name}: ${path}`, beyond ? 'µs' : '×', target, values);
        found.push(byHand ? { ...measured, floor: median(floors) } : measured);
      }
      if (name !== 'sqlite') found.push(await opening(name, both));
    } finally {
      await both.close();
    }
  }
  return found;
}

/** @param {Both} both */
async function fill({ storage }) {
  await storage.createSession({
    id: SESSION,
    agentId: 'bench',
    status: 'running',
    metadata: { model: 'm', turn: 3 },
  });
  await storage.appendEvents(Array.from({ length: 5000 }, () => event(++place)));
  for (let seqNum = 1; seqNum <= 50; seqNum += 1) {
    const state = { step: seqNum, messages: [PAYLOAD, PAYLOAD] };
    await storage.saveCheckpoint({
      id: `c${seqNum}`,
      sessionId: SESSION,
      runId: 'r',
      nodeId: 'n',
      state,
      seqNum,
    });
  }
}

/**
 * Open and read one row. Closing is not timed: a pool by hand does not wait for the server's goodbye, ours does.
 * @param {EngineName} name
 * @param {Both} both
 */
async function opening(name, { url, rawUrl }) {
  const { RAW } = await import('./lib/engines.mjs');
  const values = [];
  for (let round = -WARM; round < ROUNDS; round += 1) {
    /** @type {number[]} */
    const own = [];
    /** @type {number[]} */
    const hand = [];
    for (let n = 0; n < OPENINGS; n += 1) {
      own.push(await opened(() => openStorage(url)));
      hand.push(await opened(() => RAW[name](rawUrl)));
    }
    if (round >= 0) values.push(median(own) / median(hand));
  }
  return row(`${name}: open, read one row`, '×', 1.3, values);
}

/**
 * @param {() => Promise<{ getSession(id: string): Promise<unknown>, close(): Promise<void> }>} open
 * @returns {Promise<number>} µs
 */
async function opened(open) {
  const from = process.hrtime.bigint();
  const one = await open();
  await one.getSession(SESSION);
  const took = Number(process.hrtime.bigint() - from) / 1000;
  await one.close();
  return took;
}
