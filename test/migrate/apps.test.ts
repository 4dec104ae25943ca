import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/index.ts';
import { createMigrator, type Migrator, type MigratorOptions } from '../../src/migrate/index.ts';
import { oneOfEachDriver, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const app = (table: string) =>
  hostFolder({
    '0001_first.up.sql': `create table ${table} (n int primary key);\n`,
    '0001_first.down.sql': `drop table ${table};\n`,
  });

async function once<T>(url: string, options: MigratorOptions, work: (migrator: Migrator) => Promise<T>) {
  const migrator = createMigrator(url, options);
  try {
    return await work(migrator);
  } finally {
    await migrator.close();
  }
}

describe.each(oneOfEachDriver)('$name', (variant) => {
  it('lets two apps have a namespace each in one database', async () => {
    const { url } = await variant.createDatabase('apps');
    const shop = { dir: await app('shop'), namespace: 'shop' };
    const desk = { dir: await app('desk'), namespace: 'desk' };
    await once(url, shop, async (migrator) => {
      expect((await migrator.up()).current).toEqual([...OURS, 'shop:0001_first']);
    });
    await once(url, desk, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: ['desk:0001_first'], missing: [] });
      await migrator.up();
    });
    await once(url, shop, async (migrator) => {
      await migrator.down({ yes: true });
      expect(await migrator.status()).toMatchObject({
        current: [...OURS, 'desk:0001_first'],
        pending: ['shop:0001_first'],
        missing: [],
      });
    });
  });
});

describe.each(variants.filter(({ language }) => language === 'postgres'))('$name', (variant) => {
  it('lets two ledgers have a schema each in one database', async () => {
    const { url } = await variant.createDatabase('apps');
    const one = { schema: 'one' };
    const two = { schema: 't\'w"o' };
    await once(url, one, (migrator) => migrator.up());
    await once(url, two, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: OURS, current: [] });
      await migrator.up({ step: 1 });
    });
    await once(url, one, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: [], current: OURS });
    });
    await once(url, two, (migrator) => migrator.up());
    for (const { schema } of [one, two]) {
      const storage = await openStorage(url, { schema });
      await storage.createSession({ id: 's', agentId: schema, status: 'running' });
      expect((await storage.listSessions()).map(({ agentId }) => agentId)).toEqual([schema]);
      await storage.close();
    }
    await once(url, one, (migrator) => migrator.down({ to: '0', yes: true }));
    await once(url, two, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: [], current: OURS });
    });
  });
});
