import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMigration } from '../../src/migrate/index.ts';
import { oneOfEachDriver } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';

keepPgliteOpen();

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const FIRST = {
  '0001_a.up.sql': 'create table a (n int primary key);\n',
  '0001_a.down.sql': 'drop table a;\n',
};
const EMPTY: Readonly<Record<string, string>> = {
  'no text': '',
  'white space': ' \n\t\n',
  'a line comment': '-- later\n',
  'a block comment': '/* create table b (n int); */\n',
  'a directive alone': '-- chronos: breaking\n',
  semicolons: ';\n ; -- done\n',
};

async function stub(): Promise<string> {
  const dir = await hostFolder({});
  const [up = ''] = await newMigration({ dir, name: 'b' });
  return readFile(up, 'utf8');
}

describe.each(oneOfEachDriver)('a file without a statement on $name', (variant) => {
  it('is refused before anything runs, up and dry run, whatever it holds', async () => {
    const { url } = await variant.createDatabase('empty');
    const texts = [...Object.values(EMPTY), await stub()];
    for (const text of texts) {
      const dir = await hostFolder({ ...FIRST, '0002_b.up.sql': text });
      await migrating(url, { dir }, async (migrator) => {
        const calls = [() => migrator.up(), () => migrator.up({ dryRun: true }), () => migrator.plan()];
        for (const call of calls) {
          await expect(call(), JSON.stringify(text)).rejects.toMatchObject({
            code: 'INVALID_ARGUMENT',
            reason: 'USAGE',
            message: expect.stringContaining(`${join(dir, '0002_b.up.sql')}: holds no statement`),
            hint: 'write the statement',
          });
        }
        expect(await migrator.status()).toMatchObject({ current: [], partial: null });
        expect(await migrator.history()).toEqual([]);
      });
    }
  });

  it('stops nobody who does not come to it, nor what was applied before', async () => {
    const { url } = await variant.createDatabase('empty');
    const dir = await hostFolder({ ...FIRST, '0002_b.up.sql': '-- later\n' });
    await migrating(url, { dir }, async (migrator) => {
      expect((await migrator.up({ to: 'app:0001_a' })).current).toEqual([...OURS, 'app:0001_a']);
      await migrator.baseline({ at: 'app:0002_b' });
      expect(await migrator.up()).toMatchObject({ applied: [], pending: [], changed: [] });
      expect((await migrator.verify()).checks).toEqual([]);
    });
  });

  it('is refused on the way down too, until its file is gone', async () => {
    const { url } = await variant.createDatabase('empty');
    const down = '-- What takes it back\n';
    const dir = await hostFolder({
      ...FIRST,
      '0002_b.up.sql': 'create table b (n int primary key);\n',
      '0002_b.down.sql': down,
    });
    await migrating(url, { dir }, async (migrator) => {
      const { current } = await migrator.up();
      for (const call of [() => migrator.down({ yes: true }), () => migrator.redo({ yes: true })]) {
        await expect(call()).rejects.toMatchObject({
          reason: 'USAGE',
          message: expect.stringContaining('0002_b.down.sql: holds no statement'),
          hint: expect.stringContaining('delete the file'),
        });
      }
      expect((await migrator.status()).current).toEqual(current);
      await rm(join(dir, '0002_b.down.sql'));
      await expect(migrator.down({ yes: true })).rejects.toMatchObject({ reason: 'IRREVERSIBLE' });
      await writeFile(join(dir, '0002_b.down.sql'), `${down}drop table b;\n`);
      expect((await migrator.down({ yes: true })).current).toEqual([...OURS, 'app:0001_a']);
    });
  });
});
