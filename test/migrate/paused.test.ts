import { describe, expect, it } from 'vitest';
import { createMigrator } from '../../src/migrate/index.ts';
import { ensureBuilt } from '../build.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { startUp } from './children.ts';
import { hostFolder } from './host-folder.ts';
import { columnOf } from './raw.ts';

const SLOW: PerLanguage<string> = {
  postgres: 'insert into naps select 1 from pg_sleep(1);\n',
  mysql: 'insert into naps select sleep(1) + 1;\n',
  sqlite: '',
};

describe.each(variants.filter(({ serverUrl }) => serverUrl !== undefined))('$name', (variant) => {
  it('takes the lock from a holder that was paused, which does no harm when it wakes up', async () => {
    await ensureBuilt();
    const { url } = await variant.createDatabase('paused');
    const first = await hostFolder({ '0001_naps.up.sql': 'create table naps (n int);\n' });
    const migrator = createMigrator(url, { dir: first });
    await migrator.up();
    await migrator.close();
    const dir = await hostFolder({
      '0001_naps.up.sql': 'create table naps (n int);\n',
      '0002_slow.up.sql': SLOW[variant.language],
    });
    const holder = await startUp(url, { dir, idleLimit: 2000 });
    await holder.event('started');
    holder.process.kill('SIGSTOP');
    const other = createMigrator(url, { dir });
    expect(await other.up()).toMatchObject({ applied: [{ id: 'app:0002_slow' }], partial: null });

    holder.process.kill('SIGCONT');
    const woken = await holder.ended;
    expect(woken.code).toBe(1);
    expect(woken.events.at(-1)).toMatchObject({ kind: 'error', reason: 'CONNECTION_LOST' });
    const log = (await other.history()).filter(({ migration }) => migration === '0002_slow');
    const ends = log.map(({ event }) => event).filter((event) => event !== 'started' && event !== 'step');
    expect(ends).toEqual(['succeeded']);
    expect(await other.up()).toMatchObject({ applied: [], partial: null });
    await other.close();
    expect(Number(await columnOf(url, 'select count(*) as n from naps'))).toBe(1);
  });
});
