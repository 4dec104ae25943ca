import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Direction, newId, openStorage, type Storage } from '../../src/index.ts';

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage('sqlite::memory:');
  await storage.migrate();
});
afterAll(() => storage.close());

interface Entry {
  readonly id: string;
  readonly seqNum: number;
}

const entry = fc.record({
  id: fc.string({ unit: fc.constantFrom('a', 'A', 'é', '\uffff', '😀'), minLength: 1, maxLength: 4 }),
  seqNum: fc.integer({ min: -2, max: 3 }),
});
const entries = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 40 });

function inOrder(a: Entry, b: Entry): number {
  return a.seqNum - b.seqNum || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}

/** A walk over pages, with more events stored after each page. */
async function walk(
  tenant: Storage,
  size: number,
  direction: Direction,
  afterSeq: number | undefined,
  later: Entry[],
) {
  const seen: Entry[] = [];
  let cursor = '';
  do {
    const page = await tenant.listEventsPaged('s', afterSeq, size, cursor, { direction });
    expect(page.events.length).toBeLessThanOrEqual(size);
    expect(page.events.length === 0 && seen.length > 0).toBe(false);
    seen.push(...page.events.map(({ id, seqNum }) => ({ id, seqNum })));
    cursor = page.nextCursor;
    const next = later.shift();
    if (next) await tenant.appendEvent({ ...next, sessionId: 's', type: 't', payload: 0 });
  } while (cursor !== '');
  return seen;
}

it('pages of events are what a sorted list says, whatever is appended meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.nat(20),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('forward', 'backward'),
      fc.option(fc.integer({ min: -4, max: 4 }), { nil: undefined }),
      async (all, split, size, direction, afterSeq) => {
        const tenant = storage.forTenant(newId());
        const [before, later] = [all.slice(split), all.slice(0, split)];
        await tenant.appendEvents(before.map((one) => ({ ...one, sessionId: 's', type: 't', payload: 0 })));
        const seen = await walk(tenant, size, direction, afterSeq, [...later]);
        const above = (one: Entry) => afterSeq === undefined || one.seqNum > afterSeq;
        const sorted = before.filter(above).toSorted(inOrder);
        const old = new Set(before.map(({ id }) => id));
        expect(seen.filter(({ id }) => old.has(id))).toEqual(
          direction === 'forward' ? sorted : sorted.toReversed(),
        );
        expect(seen).toEqual(
          direction === 'forward' ? seen.toSorted(inOrder) : seen.toSorted(inOrder).toReversed(),
        );
        expect(seen.every(above)).toBe(true);
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
        const stored = [...before, ...later.slice(0, Math.max(1, Math.ceil(seen.length / size)))];
        const ids = new Set(stored.map(({ id }) => id));
        expect(seen.every(({ id }) => ids.has(id))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

it('ids and JSON of any kind come back as they were', async () => {
  const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((one) => !one.includes('\0'));
  await fc.assert(
    fc.asyncProperty(id, fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), async (any, payload) => {
      const tenant = storage.forTenant(newId());
      await tenant.appendEvents([{ id: any, sessionId: any, seqNum: 1, type: 't', payload }]);
      const [found] = await tenant.listEvents(any);
      expect(found?.id).toBe(any);
      expect(JSON.stringify(found?.payload)).toBe(JSON.stringify(payload));
    }),
    { numRuns: 300 },
  );
});
