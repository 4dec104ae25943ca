import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../src/index.ts';
import { type TestDatabase, type Variant, variants } from '../variants.ts';

/** Far more calls than there is time for until a timer of 30 ms fires. */
const CALLS = 10_000;

/** Calls one after the other, until a timer fires: how many there were. */
async function untilTimer(call: () => Promise<unknown>): Promise<number> {
  let fired = false;
  const timer = setTimeout(() => {
    fired = true;
  }, 30);
  let count = 0;
  for (; !fired && count < CALLS; count += 1) await call();
  clearTimeout(timer);
  return count;
}

describe.each(variants.filter(({ serverUrl }) => serverUrl === undefined))('$name', (variant: Variant) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await variant.createDatabase('event_loop');
    storage = await openStorage(database.url);
    await storage.migrate();
    await storage.createSession({ id: 's', agentId: 'a', status: 'running' });
  });
  afterAll(() => storage.close());

  it.each<[string, () => Promise<unknown>]>([
    ['reads', () => storage.getSession('s')],
    ['writes', () => storage.appendEvent({ id: `${Math.random()}`, sessionId: 's', type: 't', payload: 0 })],
    ['transactions', () => storage.transaction((tx) => tx.getSession('s'))],
  ])('a loop of %s does not keep the process from all else', async (_, call) => {
    await call();
    expect(await untilTimer(call)).toBeLessThan(CALLS);
  });
});
