import { describe, expect, it } from 'vitest';
import {
  type NewEvent,
  newId,
  openStorage,
  type StatementSeen,
  type Storage,
  type StorageOptions,
} from '../../src/index.ts';
import { createMigrator } from '../../src/migrate/index.ts';
import { variants } from '../variants.ts';

function event(given: Partial<NewEvent> = {}): NewEvent {
  return { id: newId(), sessionId: 's', seqNum: 1, type: 't', payload: 1, ...given };
}

async function using<T>(
  url: string,
  options: StorageOptions,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(url, options);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

describe.each(variants)('storage on $name', (variant) => {
  it('says what to run while the tables are missing, works once they are there, and tells onStatement no values', async () => {
    const seen: StatementSeen[] = [];
    const { url } = await variant.createDatabase('storage');
    await using(url, { onStatement: (one) => seen.push(one) }, async (storage) => {
      const refused = expect(storage.getSession('a')).rejects;
      await refused.toMatchObject({
        code: 'SCHEMA_OUT_OF_DATE',
        message: expect.stringContaining('npx chronos-migrate up'),
      });
      await expect(storage.appendEvents([event(), event()])).rejects.toMatchObject({
        code: 'SCHEMA_OUT_OF_DATE',
      });
      const { applied } = await storage.migrate();
      expect(applied.length).toBeGreaterThan(1);
      await storage.createSession({ id: 'hunter2', agentId: 'hunter2', status: 'x', metadata: 'hunter2' });
      expect((await storage.getSession('hunter2')).metadata).toBe('hunter2');
    });
    expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining(['sessions.create', 'sessions.get']));
    expect(seen.map(({ name }) => name).join()).not.toContain('hunter2');
  });

  it('takes the options that are there, and says what it cannot do', async () => {
    const { url } = await variant.createDatabase('options');
    await using(url, { coalesce: true, rowLevelSecurity: false }, (storage) => storage.migrate());
    await expect(openStorage(url, { rowLevelSecurity: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    for (const name of ['coalesce', 'rowLevelSecurity', 'requireTenant']) {
      await expect(openStorage(url, { [name]: 'yes' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument: name,
      });
    }
  });

  it('keeps what several storages write at once, also when they repeat each other', async () => {
    const { url } = await variant.createDatabase('storage');
    await using(url, {}, (storage) => storage.migrate());
    const events = Array.from({ length: 1500 }, (_, seqNum) => event({ id: `e${seqNum}`, seqNum }));
    // A PGlite folder takes one opener at a time.
    const openers = variant.driver === 'pglite' ? 1 : 3;
    const storages = await Promise.all(Array.from({ length: openers }, () => openStorage(url)));
    const batches = [events, events.toReversed(), events.slice(700)];
    const answers = await Promise.all(batches.map((batch, n) => storages[n % openers]!.appendEvents(batch)));
    expect(answers.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(1500);
    expect((await storages[0]!.listEvents('s')).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    await Promise.all(storages.map((storage) => storage.close()));
  });

  it('refuses a value over the server’s packet before it is sent, and takes many that are together larger', async () => {
    const { url } = await variant.createDatabase('storage');
    await using(url, {}, async (storage) => {
      await storage.migrate();
      const megabyte = 'x'.repeat(2 ** 20);
      const batch = Array.from({ length: 24 }, (_, seqNum) => event({ seqNum, payload: megabyte }));
      expect((await storage.appendEvents(batch)).inserted).toBe(24);
      if (variant.language !== 'mysql') return;
      const payload = { text: 'x'.repeat(70 * 2 ** 20) };
      const refusal = {
        code: 'INVALID_ARGUMENT',
        argument: 'payload',
        message: expect.stringContaining('too large'),
      };
      await expect(storage.appendEvent(event({ payload }))).rejects.toMatchObject(refusal);
      await expect(storage.appendEvents([event(), event({ payload })])).rejects.toMatchObject({
        argument: 'events[1].payload',
      });
      expect((await storage.listEvents('s', 23)).length).toBe(0);
    });
  });

  if (variant.language !== 'postgres') return;
  it('keeps two schemas of one database apart', async () => {
    const { url } = await variant.createDatabase('storage');
    for (const schema of [
      'one',
      'one x',
      'one.two',
      'one as x',
      "o'brien; --",
      'Two "quoted" schema',
      '*',
      '$1',
    ]) {
      await using(url, { schema }, async (storage) => {
        await storage.migrate();
        expect(await storage.listSessions()).toEqual([]);
        await storage.createSession({ id: 's', agentId: 'a', status: schema });
        await storage.appendEvents([event({ id: 'e' })]);
      });
    }
    await using(url, { schema: 'one' }, async (storage) => {
      expect((await storage.getSession('s')).status).toBe('one');
    });
  });
});

it.each(['one ', ' one', 'a\tb', 'a?b', 'a\\b', '{{bin_collation}}', 'pg_x', 'é'.repeat(32), '\ud800'])(
  'refuses the schema %j alike in storage and migrator',
  async (schema) => {
    const refusal = { code: 'INVALID_ARGUMENT', argument: 'schema' };
    await expect(openStorage('sqlite::memory:', { schema })).rejects.toMatchObject(refusal);
    expect(() => createMigrator('sqlite::memory:', { schema })).toThrow(expect.objectContaining(refusal));
  },
);

it('refuses an option that it has not', async () => {
  for (const [options, argument] of [
    [{ tenat: 'a' }, 'tenat'],
    [{ pool: { size: 3 } }, 'pool.size'],
    [{ ssl: { servername: 'x' } }, 'ssl.servername'],
  ] as const) {
    const refusal = { code: 'INVALID_ARGUMENT', reason: 'USAGE', argument };
    await expect(openStorage('sqlite::memory:', options as never)).rejects.toMatchObject(refusal);
  }
});

it('refuses a schema that is no name, and closes what it opened', async () => {
  await expect(openStorage('sqlite::memory:', { schema: '' })).rejects.toMatchObject({ argument: 'schema' });
  await expect(openStorage('sqlite::memory:', { schema: 'a\0' })).rejects.toMatchObject({
    argument: 'schema',
  });
  await expect(openStorage('nothing://known')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('says what there is none of, by what was asked for', async () => {
  await using('sqlite::memory:', {}, async (storage) => {
    await storage.migrate();
    const asked: [() => Promise<unknown>, string][] = [
      [() => storage.getSession('a'), 'no session with this id in this tenant'],
      [() => storage.getMemory('a', 'k'), 'no memory record of this agent under this key in this tenant'],
      [() => storage.getLatestCheckpoint('s'), 'no checkpoint of this session in this tenant'],
      [() => storage.getCheckpoint('c'), 'no checkpoint with this id in this tenant'],
    ];
    for (const [call, message] of asked)
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', message });
  });
});
