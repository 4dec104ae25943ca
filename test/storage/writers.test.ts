import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import { isSoak } from '../migrate/children.ts';
import { type Variant, variants } from '../variants.ts';
import { runWriters, type Written } from './writers.ts';

const MILLISECONDS = isSoak ? 60_000 : 10_000;
const TIMEOUT = MILLISECONDS * 3 + 60_000;

async function migrated(variant: Variant): Promise<string> {
  const { url } = await variant.createDatabase('writers');
  const storage = await openStorage(url);
  await storage.migrate();
  await storage.close();
  return url;
}

/** Places 1 to n without gap or repeat; all but what was `removed` is stored as it was acknowledged. */
async function expectWhole(
  storage: Storage,
  session: string,
  written: readonly Written[],
  removed = 0,
): Promise<void> {
  const acknowledged = written.flatMap((each) => each.acknowledged);
  const places = acknowledged.map(([, place]) => place).sort((a, b) => a - b);
  expect(places.length).toBeGreaterThan(0);
  expect(places).toEqual(Array.from({ length: places.length }, (_, n) => n + 1));
  const placeOf = new Map(acknowledged);
  for await (const { id, seqNum } of storage.iterateEvents(session)) {
    expect(placeOf.get(id)).toBe(seqNum);
  }
  expect(removed + (await storage.countEvents(session))).toBe(places.length);
}

/** Removes what is there, all the while. */
async function trimming(storage: Storage, ended: Promise<unknown>): Promise<number> {
  let removed = 0;
  let over = false;
  const end = ended.finally(() => (over = true)).catch(() => {});
  while (!over) {
    removed += await storage.trimEvents(new Date(Date.now() + 60_000), { batchSize: 100 });
    await Promise.race([sleep(50), end]);
  }
  return removed;
}

const many = variants.filter(({ name }) => name !== 'pglite');

describe.each(many)('32 writers in 4 processes on $name', (variant) => {
  it('take the places 1 to n of one session, while it is trimmed', { timeout: TIMEOUT }, async () => {
    const url = await migrated(variant);
    const storage = await openStorage(url);
    const task = { session: 's', writers: 8, milliseconds: MILLISECONDS };
    let removed = 0;
    const written = await runWriters(url, 4, task, async (ended) => {
      removed = await trimming(storage, ended);
    });
    await expectWhole(storage, 's', written, removed);
    await storage.close();
  });

  it('with expectedSeq: one winner a place, and every loser is told', { timeout: TIMEOUT }, async () => {
    const url = await migrated(variant);
    const task = { session: 's', writers: 2, milliseconds: MILLISECONDS / 5, expecting: true };
    const written = await runWriters(url, 4, task, async () => {});
    const storage = await openStorage(url);
    await expectWhole(storage, 's', written);
    expect(written.reduce((sum, { told }) => sum + told, 0)).toBeGreaterThan(0);
    await storage.close();
  });
});

describe.each(variants.filter(({ name }) => name === 'pglite'))('32 writers on $name', (variant) => {
  it('take the places 1 to n of one session, while it is trimmed', { timeout: TIMEOUT }, async () => {
    const storage = await openStorage(await migrated(variant));
    const until = Date.now() + MILLISECONDS;
    const acknowledged: [string, number][] = [];
    const write = async () => {
      while (Date.now() < until) {
        const id = newId();
        const { seqNum } = await storage.appendEvent({ id, sessionId: 's', type: 'message', payload: null });
        acknowledged.push([id, seqNum]);
      }
    };
    const writing = Promise.all(Array.from({ length: 32 }, write));
    const removed = await trimming(storage, writing);
    await writing;
    await expectWhole(storage, 's', [{ acknowledged, told: 0 }], removed);
    await storage.close();
  });
});

describe.each(variants.filter(({ name }) => name === 'sqlite'))(
  '2 processes on one file of $name',
  (variant) => {
    it('8 writers each: every acknowledged row is there, once', { timeout: TIMEOUT }, async () => {
      const url = await migrated(variant);
      const task = { session: 's', writers: 8, milliseconds: MILLISECONDS };
      const written = await runWriters(url, 2, task, async () => {});
      const storage = await openStorage(url);
      const acknowledged = written.flatMap((each) => each.acknowledged);
      expect(await storage.countEvents('s')).toBe(acknowledged.length);
      await expectWhole(storage, 's', written);
      await storage.close();
    });
  },
);
