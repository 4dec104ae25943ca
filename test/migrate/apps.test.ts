import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/index.ts';
import { oneOfEachDriver, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { migrating } from './migrating.ts';

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const app = (table: string) =>
  hostFolder({
    '0001_first.up.sql': `create table ${table} (n int primary key);\n`,
    '0001_first.down.sql': `drop table ${table};\n`,
  });

describe.each(oneOfEachDriver)('$name', (variant) => {
  it('lets two apps have a namespace each in one database', async () => {
    const { url } = await variant.createDatabase('apps');
    const shop = { dir: await app('shop'), namespace: 'shop' };
    const desk = { dir: await app('desk'), namespace: 'desk' };
    await migrating(url, shop, async (migrator) => {
      expect((await migrator.up()).current).toEqual([...OURS, 'shop:0001_first']);
    });
    await migrating(url, desk, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: ['desk:0001_first'], missing: [] });
      await migrator.up();
    });
    await migrating(url, shop, async (migrator) => {
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
    await migrating(url, one, (migrator) => migrator.up());
    await migrating(url, two, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: OURS, current: [] });
      await migrator.up({ step: 1 });
    });
    await migrating(url, one, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: [], current: OURS });
    });
    await migrating(url, two, (migrator) => migrator.up());
    for (const { schema } of [one, two]) {
      const storage = await openStorage(url, { schema });
      await storage.createSession({ id: 's', agentId: schema, status: 'running' });
      expect((await storage.listSessions()).map(({ agentId }) => agentId)).toEqual([schema]);
      await storage.close();
    }
    await migrating(url, one, (migrator) => migrator.down({ to: '0', yes: true }));
    await migrating(url, two, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: [], current: OURS });
    });
  });
});
