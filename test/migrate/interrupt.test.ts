import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMigrator } from '../../src/migrate/index.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { columnOf, connected, execute, query } from './raw.ts';

const servers = variants.filter(({ serverUrl }) => serverUrl !== undefined);
const FIRST = {
  '0001_naps.up.sql': 'create table naps (n int);\n',
  '0002_one.up.sql': 'insert into naps values (1);\n',
};
const SLOW: PerLanguage<Record<string, string>> = {
  postgres: {
    DML: 'insert into naps select n from naps, pg_sleep(60);',
    DDL: 'create table slow as select n from naps, pg_sleep(60);',
  },
  mysql: {
    DML: 'insert into naps select n + 1 from naps where sleep(60);',
    DDL: 'create table slow as select n from naps where sleep(60);',
  },
  sqlite: {},
};
/** MySQL's sleep() without a table swallows its cancel: the statement ends well. */
const KEPT: PerLanguage<string> = {
  postgres: 'create table kept as select n from naps, pg_sleep(60);',
  mysql: 'create table kept as select sleep(60) as n;',
  sqlite: '',
};
const KEPT_THERE: PerLanguage<string> = {
  postgres: "select 1 as one from pg_class where relname = 'kept'",
  mysql:
    "select 1 as one from information_schema.tables where table_schema = database() and table_name = 'kept'",
  sqlite: '',
};
const RUNNING: PerLanguage<string> = {
  postgres: `select count(*) as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
  mysql: `select count(*) as n from information_schema.processlist
    where db = database() and info like '%sleep(60)%' and id <> connection_id()`,
  sqlite: '',
};

describe.each(servers)('$name', (variant) => {
  it.each(['DML', 'DDL'])(
    'stops a long %s at the signal, gives the lock back, and can go on',
    async (kind) => {
      const { url } = await variant.createDatabase('abort');
      const dir = await hostFolder({ ...FIRST, '0003_slow.up.sql': SLOW[variant.language][kind] ?? '' });
      const running = new AbortController();
      const migrator = createMigrator(url, { dir, signal: running.signal });
      const up = migrator.up().catch((error: unknown) => error);
      await expect
        .poll(async () => Number(await columnOf(url, RUNNING[variant.language])), { timeout: 30_000 })
        .toBe(1);

      const other = createMigrator(url, { dir, lockTimeout: 300 });
      await expect(other.up()).rejects.toMatchObject({
        reason: 'LOCK_TIMEOUT',
        message: expect.stringMatching(/(pid|connection) \d+.*(into naps|table slow)/),
      });
      expect((await other.status()).pending).toEqual(['app:0003_slow']);

      running.abort();
      expect(await up).toMatchObject({
        code: 'MIGRATION',
        reason: 'INTERRUPTED',
        migration: 'app:0003_slow',
      });
      await migrator.close();
      const last = (await other.history()).at(-1);
      expect(last).toMatchObject({ event: 'failed', migration: '0003_slow' });
      await writeFile(join(dir, '0003_slow.up.sql'), 'insert into naps values (3);\n');
      expect(await other.up()).toMatchObject({ applied: [{ id: 'app:0003_slow' }], partial: null });
      await other.close();
      expect(Number(await columnOf(url, 'select count(*) as n from naps'))).toBe(2);
    },
  );

  it('logs a statement that ended in spite of the signal as what it was', async () => {
    const { url } = await variant.createDatabase('swallow');
    const dir = await hostFolder({ ...FIRST, '0003_kept.up.sql': KEPT[variant.language] });
    const running = new AbortController();
    const migrator = createMigrator(url, { dir, signal: running.signal });
    const up = migrator.up().catch((error: unknown) => error);
    await expect
      .poll(async () => Number(await columnOf(url, RUNNING[variant.language])), { timeout: 30_000 })
      .toBe(1);
    running.abort();
    await up;
    await migrator.close();
    const after = createMigrator(url, { dir });
    const { current } = await after.status();
    const made = await query(url, KEPT_THERE[variant.language]);
    expect(current.includes('app:0003_kept')).toBe(made.length === 1);
    expect((await after.status()).partial).toBe(null);
    await after.close();
  });

  it('stops waiting for the lock at the signal', async () => {
    const { url } = await variant.createDatabase('abort');
    const dir = await hostFolder({ ...FIRST, '0003_slow.up.sql': SLOW[variant.language].DML ?? '' });
    const running = new AbortController();
    const holder = createMigrator(url, { dir, signal: running.signal });
    const up = holder.up().catch((error: unknown) => error);
    await expect
      .poll(async () => Number(await columnOf(url, RUNNING[variant.language])), { timeout: 30_000 })
      .toBe(1);
    const waiting = new AbortController();
    const waiter = createMigrator(url, {
      dir,
      signal: waiting.signal,
      onProgress: ({ kind }) => kind === 'waiting' && waiting.abort(),
    });
    await expect(waiter.up()).rejects.toMatchObject({ reason: 'INTERRUPTED' });
    running.abort();
    expect(await up).toMatchObject({ reason: 'INTERRUPTED' });
    await Promise.all([holder.close(), waiter.close()]);
  });
});

describe.each(variants)('$name', (variant) => {
  it('rolls back what was begun when the signal came', async () => {
    const { url } = await variant.createDatabase('abort');
    const dir = await hostFolder(FIRST);
    const controller = new AbortController();
    const migrator = createMigrator(url, {
      dir,
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.kind === 'started' && progress.id === 'app:0002_one') controller.abort();
      },
    });
    await expect(migrator.up()).rejects.toMatchObject({ reason: 'INTERRUPTED' });
    await migrator.close();
    const after = createMigrator(url, { dir });
    expect(await after.status()).toMatchObject({ pending: ['app:0002_one'], partial: null });
    expect(await after.up()).toMatchObject({ applied: [{ id: 'app:0002_one' }] });
    await after.close();
    expect(Number(await columnOf(url, 'select count(*) as n from naps'))).toBe(1);
  });
});

describe.each(variants.filter(({ name }) => name === 'sqlite'))('$name', (variant) => {
  it('waits for another writer, says so, and gives up after the lock timeout', async () => {
    const { url } = await variant.createDatabase('busy');
    await execute(url, 'create table mine (n integer)');
    await connected(url, (connection) =>
      connection.transaction(async () => {
        const waits: string[] = [];
        const migrator = createMigrator(url, {
          lockTimeout: 300,
          onProgress: (progress) => progress.kind === 'waiting' && waits.push(progress.holder),
        });
        await expect(migrator.up()).rejects.toMatchObject({ reason: 'LOCK_TIMEOUT' });
        expect(waits[0]).toContain(url.replace('sqlite:', ''));
        expect((await migrator.status()).pending.length).toBe(3);
        await migrator.close();
      }),
    );
  });
});
