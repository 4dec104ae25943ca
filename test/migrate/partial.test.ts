import { describe, expect, it } from 'vitest';
import { variants } from '../variants.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { execute } from './raw.ts';

keepPgliteOpen();

/** Where DDL commits by itself, a process that is killed leaves a start without an end. */
describe.each(variants.filter(({ language }) => language === 'mysql'))('$name', (variant) => {
  const log = (url: string, migration: string, direction: string, event: string): Promise<void> =>
    execute(
      url,
      `insert into chronos_migration_log (namespace, migration, direction, event)
       values ('${migration.split(':')[0]}', '${migration.split(':')[1]}', '${direction}', '${event}')`,
    );

  it('runs a built-in file again from its start, wherever it was cut', async () => {
    const { url } = await variant.createDatabase('cut');
    await migrating(url, {}, async (migrator) => {
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
    await migrating(url, {}, async (migrator) => {
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
});
