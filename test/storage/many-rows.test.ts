import { expect, it } from 'vitest';
import { idsOf } from '../../src/conformance/expect.ts';
import { WALKERS } from '../../src/conformance/walkers.ts';
import { openStorage } from '../../src/index.ts';

/** More than any page holds. */
const COUNT = 1203;

async function ids(records: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id } of records) found.push(id);
  return found;
}

async function fill(add: (id: string, n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < COUNT; n += 1) await add(`id${String(n).padStart(5, '0')}`, n);
}

// What goes beyond a page of an iterator is the same on every engine; the conformance suite has it for the records
// that a batch stores quickly.
it.each(WALKERS)('$method and its iterator go over more than a thousand rows', async (walker) => {
  const storage = await openStorage('sqlite::memory:');
  try {
    await storage.migrate();
    await fill((id, n) => walker.add(storage, id, n));
    const found = await ids(walker.iterate(storage));
    expect(new Set(found).size).toBe(COUNT);
    const upward = found[0] === 'id00000' ? found : found.toReversed();
    expect(upward).toEqual(upward.toSorted());
    const { records, nextCursor } = await walker.page(storage, { size: 5000 });
    expect(idsOf(records)).toEqual(found.slice(0, 1000));
    const rest = await walker.page(storage, { size: 5000, cursor: nextCursor });
    expect([idsOf(rest.records), rest.nextCursor]).toEqual([found.slice(1000), '']);
  } finally {
    await storage.close();
  }
});

it('listSessions and listAuditLogs give a thousand at most', async () => {
  const storage = await openStorage('sqlite::memory:');
  try {
    await storage.migrate();
    for (const { method, add, list } of WALKERS) {
      if (!['listSessionsPaged', 'listAuditLogsPaged'].includes(method)) continue;
      await fill((id, n) => add(storage, id, n));
      expect(await list(storage)).toHaveLength(1000);
    }
    expect(await storage.listSessions('', 5000)).toHaveLength(1000);
    expect(await storage.listSessions('', 5000, 1000)).toHaveLength(COUNT - 1000);
    expect(await storage.listAuditLogs('s', 1001)).toHaveLength(1000);
    expect(await storage.listAuditLogs('s', 1001, 1000)).toHaveLength(COUNT - 1000);
  } finally {
    await storage.close();
  }
});
