import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type NewEvent, newId, openStorage } from '../../src/index.ts';
import { variants } from '../variants.ts';

describe.each(variants.filter(({ language }) => language === 'sqlite'))('pages of $name', (variant) => {
  it('stay where they are while another writes: what was trimmed is counted all the same', async () => {
    const { url } = await variant.createDatabase('reclaim');
    const storage = await openStorage(url);
    await storage.migrate();
    const events = Array.from({ length: 3000 }, (_, seqNum): NewEvent => {
      return { id: newId(), sessionId: 's', seqNum, type: 't', payload: 'x'.repeat(500) };
    });
    await storage.appendEvents(events);
    const other = new Database(url.replace('sqlite:', ''), { timeout: 5000 });
    const later = new Date(Date.now() + 60_000);
    const onProgress = () => {
      if (!other.inTransaction) other.exec('begin immediate');
    };
    expect(await storage.trimEvents(later, { onProgress })).toBe(3000);
    expect(other.pragma('freelist_count', { simple: true })).toBeGreaterThan(0);
    other.exec('rollback');
    await storage.appendEvents(events.map((event) => ({ ...event, id: newId() })));
    expect(await storage.trimEvents(later)).toBe(3000);
    expect(other.pragma('freelist_count', { simple: true })).toBe(0);
    other.close();
    await storage.close();
  });
});
