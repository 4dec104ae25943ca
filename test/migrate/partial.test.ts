import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMigrator, type Migrator, type MigratorOptions } from '../../src/migrate/index.ts';
import { variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { execute, query } from './raw.ts';

/** Where DDL commits by itself, a process that is killed leaves a start without an end. */
describe.each(variants.filter(({ language }) => language === 'mysql'))('$name', (variant) => {
  const once = async <T>(url: string, options: MigratorOptions, work: (migrator: Migrator) => Promise<T>) => {
    const migrator = createMigrator(url, options);
    try {
      return await work(migrator);
    } finally {
      await migrator.close();
    }
  };

  const log = (url: string, migration: string, direction: string, event: string): Promise<void> =>
    execute(
      url,
      `insert into chronos_migration_log (namespace, migration, direction, event)
       values ('${migration.split(':')[0]}', '${migration.split(':')[1]}', '${direction}', '${event}')`,
    );

  it('runs a built-in file again from its start, wherever it was cut', async () => {
    const { url } = await variant.createDatabase('cut');
    await once(url, {}, async (migrator) => {
      await migrator.up({ step: 1 });
      await log(url, 'chronos:0002_open_runs', 'up', 'started');
      expect((await migrator.status()).partial).toBe('chronos:0002_open_runs');
      await expect(migrator.down({ yes: true })).rejects.toMatchObject({ reason: 'MIGRATION_PARTIAL' });
      await execute(url, 'create table chronos_event_heads (tenant_id int, session_id int, head int)');
      expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
    });
  });

  it('reverts again, or applies again, what was cut while being reverted', async () => {
    const { url } = await variant.createDatabase('cut');
    await once(url, {}, async (migrator) => {
      await migrator.up({ to: '0002' });
      for (const finish of [() => migrator.up({ to: '0002' }), () => migrator.down({ yes: true })]) {
        await log(url, 'chronos:0002_open_runs', 'down', 'started');
        await execute(url, 'drop table chronos_event_heads');
        expect((await migrator.status()).partial).toBe('chronos:0002_open_runs');
        expect(await finish()).toMatchObject({ partial: null });
      }
      expect((await migrator.status()).pending).toEqual(['chronos:0002_open_runs', 'chronos:0003_vectors']);
    });
  });

  it("asks about a host's statement whose end nobody knows, and goes on once told", async () => {
    const { url } = await variant.createDatabase('ask');
    const dir = await hostFolder({
      '0001_a.up.sql': 'create table a (n int);',
      '0002_b.up.sql': 'create table b (n int);',
    });
    await once(url, { dir }, async (migrator) => {
      await migrator.up({ to: '0001_a' });
      await log(url, 'app:0002_b', 'up', 'started');
      const refusal = await migrator.up().catch((error: unknown) => error);
      expect(refusal).toMatchObject({ reason: 'MIGRATION_PARTIAL', migration: 'app:0002_b' });
      expect(refusal).toMatchObject({
        hint: expect.stringMatching(/insert into chronos_migration_log .*'succeeded'/),
      });
      await log(url, 'app:0002_b', 'up', 'failed');
      expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      await writeFile(join(dir, '0003_c.up.sql'), 'create table c (n int);');
      await log(url, 'app:0003_c', 'up', 'started');
      const hint = await migrator.up().catch((error: { hint: string }) => error.hint);
      await execute(url, /insert into .*?'succeeded'\)/.exec(String(hint))?.[0] ?? '');
      expect(await migrator.up()).toMatchObject({ partial: null, pending: [], applied: [] });
    });
    expect((await query(url, `show tables like 'c'`)).length).toBe(0);
    await rm(join(dir, '0003_c.up.sql'));
  });

  it('logs data together with its row, and structure with a row before and after', async () => {
    const { url } = await variant.createDatabase('rows');
    const dir = await hostFolder({
      '0001_a.up.sql': 'create table a (n int);',
      '0002_b.up.sql': 'insert into a values (1);',
    });
    await once(url, { dir }, async (migrator) => {
      await migrator.up();
      const own = (await migrator.history()).filter(({ namespace }) => namespace === 'app');
      expect(own.map(({ migration, event }) => `${migration} ${event}`)).toEqual([
        '0001_a started',
        '0001_a succeeded',
        '0002_b succeeded',
      ]);
    });
  });
});
