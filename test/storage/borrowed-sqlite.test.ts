import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../src/index.ts';
import { variants } from '../variants.ts';

const event = { id: 'dup', sessionId: 's', type: 't', payload: 1 };

describe.each(variants.filter(({ language }) => language === 'sqlite'))('a Database of a host', (variant) => {
  let db: Database.Database;
  let storage: Storage;

  beforeEach(async () => {
    const { url } = await variant.createDatabase('borrowed');
    db = new Database(url.replace('sqlite:', ''));
    db.exec('create table orders (id integer primary key)');
    storage = await openStorage(db);
    await storage.migrate();
    await storage.appendEvent(event);
  });
  afterEach(async () => {
    await storage.close();
    db.close();
  });

  const orders = () => db.prepare('select count(*) as n from orders').get() as { n: number };

  it.each<[string, (round: number) => Promise<unknown>]>([
    ['a repeat', () => storage.appendEvent(event)],
    ['a conflict', () => storage.appendEvents([{ ...event, id: 'other' }], { expectedSeq: 99 })],
    ['a repeat beside new rows', (n) => storage.appendEvents([event, { ...event, id: `new${n}` }])],
    ['a whole batch', () => storage.appendEvents([1, 2, 3].map((n) => ({ ...event, id: `${n}` })))],
  ])('keeps what the host stores between the steps of %s', async (_, call) => {
    const order = db.transaction((id: number) => db.prepare('insert into orders values (?)').run(id));
    for (let steps = 0; steps < 40; steps += 1) {
      const later = async () => {
        for (let n = 0; n < steps; n += 1) await null;
        order(steps);
      };
      await Promise.all([call(steps).catch(() => undefined), later()]);
    }
    expect(orders()).toEqual({ n: 40 });
  });

  it.each(['commit', 'rollback'])("waits for the host's transaction, and outlives its %s", async (end) => {
    db.exec('begin');
    db.exec('insert into orders values (1)');
    const calls = Promise.all([
      storage.putMemory({ id: 'm', agentId: 'a', kind: 'k', key: 'k', value: 1 }),
      storage.appendEvent({ ...event, id: 'e2' }),
      storage.transaction((tx) => tx.appendEvent({ ...event, id: 'e3' })),
    ]);
    await storage.using(db).appendEvent({ ...event, id: 'lent' });
    // Long enough for whoever does not wait.
    await new Promise((resolve) => setTimeout(resolve, 50));
    db.exec(end);
    await calls;
    expect((await storage.listMemory('a')).length).toBe(1);
    const ids = (await storage.listEvents('s')).map(({ id }) => id).sort();
    expect(ids).toEqual(['dup', 'e2', 'e3', ...(end === 'commit' ? ['lent'] : [])]);
    expect(orders()).toEqual({ n: end === 'commit' ? 1 : 0 });
  });

  it('is one session for all storages on it', async () => {
    const other = await openStorage(db);
    let begun: () => void;
    const open = new Promise<void>((resolve) => (begun = resolve));
    const undone = storage.transaction(async (tx) => {
      await tx.appendEvent({ ...event, id: 'undone' });
      begun();
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('undo');
    });
    await open;
    const stored = other.createSession({ id: 'kept', agentId: 'a', status: 'r' });
    await expect(undone).rejects.toThrow('undo');
    await stored;
    expect((await storage.getSession('kept')).id).toBe('kept');
    await other.close();
  });
});
