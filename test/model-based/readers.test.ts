import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import { variants } from '../variants.ts';

const COUNT = 2500;

/** Batches of more rows than one statement takes, and how many of them a reader finds. */
const BATCHES: Readonly<
  Record<string, { write(to: Storage): Promise<unknown>; read(from: Storage): Promise<number> }>
> = {
  appendEvents: {
    write: (to) =>
      to.appendEvents(rows((id, n) => ({ id, sessionId: 's', seqNum: n, type: 't', payload: n }))),
    read: (from) => from.countEvents('s'),
  },
  'appendEvents without seqNum': {
    write: (to) => to.appendEvents(rows((id) => ({ id, sessionId: 's', type: 't', payload: 0 }))),
    read: (from) => from.countEvents('s'),
  },
  insertTraces: {
    write: (to) => to.insertTraces(rows((id) => ({ id, sessionId: 's', name: 'n', kind: 'k' }))),
    read: async (from) => (await from.listTraces('s')).length,
  },
};

function rows<T>(make: (id: string, n: number) => T): T[] {
  return Array.from({ length: COUNT }, (_, n) => make(newId(), n));
}

describe.each(variants)('$name', (variant) => {
  let storage: Storage;
  beforeAll(async () => {
    const { url } = await variant.createDatabase('readers');
    storage = await openStorage(url);
    await storage.migrate();
  });
  afterAll(() => storage.close());

  // What calls one after the other cannot tell.
  it.each(Object.entries(BATCHES))(
    '%s: who reads meanwhile sees all or nothing',
    async (_, { write, read }) => {
      const tenant = storage.forTenant(newId());
      let isOpen = true;
      const written = write(tenant).finally(() => {
        isOpen = false;
      });
      const seen = new Set<number>();
      while (isOpen) seen.add(await read(tenant));
      await written;
      seen.add(await read(tenant));
      seen.delete(0);
      expect([...seen]).toEqual([COUNT]);
    },
  );
});
