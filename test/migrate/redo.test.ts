import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksum } from '../../src/migrate/text/checksum.ts';
import { oneOfEachDriver } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { columnOf } from './raw.ts';

keepPgliteOpen();

const FILES = {
  '0001_a.up.sql': 'create table a (n int primary key);\n',
  '0001_a.down.sql': 'drop table a;\n',
  '0002_b.up.sql': 'create table b (n int primary key);\n',
  '0002_b.down.sql': 'drop table b;\n',
};
const EDITED = 'create table b (n int primary key, more int);\n';

describe.each(oneOfEachDriver)('redo on $name', (variant) => {
  it('takes the last migration as it is now, and logs that', async () => {
    const { url } = await variant.createDatabase('redo');
    const dir = await hostFolder(FILES);
    const write = (name: string, text: string) => writeFile(join(dir, name), text);
    await migrating(url, { dir }, async (migrator) => {
      await migrator.up();
      await write('0002_b.up.sql', EDITED);
      await expect(migrator.down({ yes: true })).rejects.toMatchObject({
        reason: 'CHECKSUM_MISMATCH',
        hint: expect.stringContaining('`redo`'),
      });
      const { applied } = await migrator.redo({ yes: true });
      expect(applied.map(({ id, direction }) => `${direction} ${id}`)).toEqual([
        'down app:0002_b',
        'up app:0002_b',
      ]);
      expect((await migrator.history()).at(-1)).toMatchObject({
        event: 'succeeded',
        checksum: checksum(EDITED),
      });
      expect(await migrator.status()).toMatchObject({ changed: [], pending: [] });
      expect(await migrator.up()).toMatchObject({ applied: [] });
    });
    expect(Number(await columnOf(url, 'select count(more) from b'))).toBe(0);
  });

  it('reverts nothing where an earlier one was edited, or the way up is not open', async () => {
    const { url } = await variant.createDatabase('redo');
    const dir = await hostFolder(FILES);
    const write = (name: string, text: string) => writeFile(join(dir, name), text);
    await migrating(url, { dir }, async (migrator) => {
      const { current } = await migrator.up();
      const refuses = async (reason: string) => {
        await expect(migrator.redo({ yes: true })).rejects.toMatchObject({ reason });
        expect((await migrator.status()).current).toEqual(current);
      };
      await write('0001_a.up.sql', `${FILES['0001_a.up.sql']}-- edited\n`);
      await refuses('CHECKSUM_MISMATCH');
      await write('0002_b.up.sql', EDITED);
      await refuses('CHECKSUM_MISMATCH');
      await write('0001_a.up.sql', FILES['0001_a.up.sql']);
      await write('0002_b.up.sql', '-- nothing yet\n');
      await refuses('USAGE');
      await write('0002_b.up.sql', EDITED);
      await write('0000_late.up.sql', 'create table late (n int primary key);\n');
      await refuses('OUT_OF_ORDER');
      await rm(join(dir, '0000_late.up.sql'));
      await rm(join(dir, '0001_a.up.sql'));
      await rm(join(dir, '0001_a.down.sql'));
      await refuses('MIGRATION_MISSING');
    });
  });
});
