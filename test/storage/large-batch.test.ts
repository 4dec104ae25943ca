import { describe, expect, it } from 'vitest';
import { type NewEvent, openStorage } from '../../src/index.ts';
import { isSoak } from '../migrate/children.ts';
import { variants } from '../variants.ts';

const COUNT = isSoak ? 100_000 : 20_000;

function batch(sessionId: string, seqNum: (n: number) => number | undefined): NewEvent[] {
  return Array.from({ length: COUNT }, (_, n) => {
    const place = seqNum(n);
    const event = { id: `${sessionId}-${n}`, sessionId, type: 'message', payload: { n } };
    return place === undefined ? event : { ...event, seqNum: place };
  });
}

describe.each(variants)('a batch of many on $name', ({ createDatabase }) => {
  it(`${COUNT} events are all stored or, with one refused in the middle, none`, {
    timeout: 300_000,
  }, async () => {
    const { url } = await createDatabase('batch');
    const storage = await openStorage(url);
    await storage.migrate();

    const refused = batch('refused', (n) => n);
    refused[COUNT / 2] = { ...refused[COUNT / 2]!, payload: 1n };
    await expect(storage.appendEvents(refused)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: `events[${COUNT / 2}].payload`,
    });
    expect(await storage.countEvents('refused')).toBe(0);

    const given = await storage.appendEvents(batch('given', (n) => n));
    expect(given.inserted).toBe(COUNT);
    expect(await storage.countEvents('given')).toBe(COUNT);

    const placed = await storage.appendEvents(
      batch('placed', () => undefined),
      { expectedSeq: 0 },
    );
    expect(placed).toEqual({ inserted: COUNT, seqNums: Array.from({ length: COUNT }, (_, n) => n + 1) });
    expect(await storage.lastEvents('placed', 1)).toMatchObject([
      { seqNum: COUNT, payload: { n: COUNT - 1 } },
    ]);

    const late = batch('late', () => undefined);
    await expect(storage.appendEvents(late, { expectedSeq: 7 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await storage.countEvents('late')).toBe(0);
    await storage.close();
  });
});
