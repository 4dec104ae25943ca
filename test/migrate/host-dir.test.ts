import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PerLanguage, type TestDatabase, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { execute, query } from './raw.ts';

keepPgliteOpen();

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const TABLES: PerLanguage<string> = {
  postgres: `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  mysql: `select table_name as name from information_schema.tables
    where table_schema = database() and table_name not like 'chronos%' order by 1`,
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'chronos%'
    and name not like 'sqlite%' order by 1`,
};

const WIDGETS = {
  '0001_widgets.up.sql': 'create table widgets (id int primary key, name varchar(50));\n',
  '0001_widgets.down.sql': 'drop table widgets;\n',
  '0002_fill.up.sql': `insert into widgets (id, name) values (1, 'a;b'), (2, 'c');\n`,
  '0002_fill.down.sql': 'delete from widgets where id in (1, 2);\n',
};

describe.each(variants)('$name', (variant) => {
  const tables = async ({ url }: TestDatabase) =>
    (await query(url, TABLES[variant.language])).map((row) => Object.values(row)[0]);

  it("applies a host's files after ours, and reverts only its own", async () => {
    const database = await variant.createDatabase('host');
    const dir = await hostFolder(WIDGETS);
    await migrating(database.url, { dir, namespace: 'shop' }, async (migrator) => {
      const { current } = await migrator.up();
      expect(current).toEqual([...OURS, 'shop:0001_widgets', 'shop:0002_fill']);
    });
    expect(await tables(database)).toEqual(['widgets']);
    expect(await query(database.url, 'select count(*) as n from widgets')).toEqual([
      { n: expect.anything() },
    ]);
    await migrating(database.url, { dir, namespace: 'shop' }, async (migrator) => {
      await expect(migrator.down({ step: 2 })).rejects.toThrow(/drops widgets with 2 rows/);
      expect((await migrator.down({ to: '0', yes: true })).current).toEqual(OURS);
      await expect(migrator.down({ to: OURS[0]!, yes: true })).rejects.toMatchObject({
        reason: 'UNKNOWN_TARGET',
      });
      expect((await migrator.down({ to: '0', yes: true })).applied).toEqual([]);
    });
    expect(await tables(database)).toEqual([]);
    const without = await migrating(database.url, {}, (migrator) => migrator.status());
    expect(without).toMatchObject({ current: OURS, pending: [], missing: [] });
  });

  it('takes CRLF and a BOM for the same file, and an edit for another', async () => {
    const database = await variant.createDatabase('crlf');
    const dir = await hostFolder(WIDGETS);
    await migrating(database.url, { dir }, (migrator) => migrator.up());
    const name = '0001_widgets.up.sql';
    await writeFile(join(dir, name), `\uFEFF${WIDGETS[name].replaceAll('\n', '\r\n')}`);
    await migrating(database.url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({ applied: [], changed: [] });
      await writeFile(join(dir, name), `${WIDGETS[name]}-- edited\n`);
      expect((await migrator.status()).changed).toEqual(['app:0001_widgets']);
      const calls = [
        () => migrator.up(),
        () => migrator.up({ dryRun: true }),
        () => migrator.down({ yes: true }),
      ];
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({
          reason: 'CHECKSUM_MISMATCH',
          migration: 'app:0001_widgets',
        });
      }
    });
  });

  it('refuses a missing file and one that comes late, and skips neither', async () => {
    const database = await variant.createDatabase('late');
    const dir = await hostFolder(WIDGETS);
    await migrating(database.url, { dir }, (migrator) => migrator.up());
    await writeFile(join(dir, '0003_more.up.sql'), 'create table more (id int primary key);\n');
    await rm(join(dir, '0002_fill.up.sql'));
    await rm(join(dir, '0002_fill.down.sql'));
    await migrating(database.url, { dir }, async (migrator) => {
      expect((await migrator.status()).missing).toEqual(['app:0002_fill']);
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'MIGRATION_MISSING',
        migration: 'app:0002_fill',
      });
      await writeFile(join(dir, '0002_fill.up.sql'), WIDGETS['0002_fill.up.sql']);
      await migrator.up();
      await rm(join(dir, '0001_widgets.down.sql'));
      await rm(join(dir, '0001_widgets.up.sql'));
      await expect(migrator.up()).rejects.toMatchObject({ reason: 'MIGRATION_MISSING' });
      await writeFile(join(dir, '0001_widgets.up.sql'), WIDGETS['0001_widgets.up.sql']);
      await writeFile(join(dir, '0000_first.up.sql'), 'create table first (id int primary key);\n');
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'OUT_OF_ORDER',
        migration: 'app:0000_first',
      });
      await expect(migrator.down({ to: '0', yes: true })).rejects.toMatchObject({ reason: 'IRREVERSIBLE' });
    });
    expect(await tables(database)).toEqual(['more', 'widgets']);
  });

  it('leaves nothing of a file that fails but its row, and goes on when it is mended', async () => {
    const database = await variant.createDatabase('fail');
    const fails =
      variant.language === 'mysql'
        ? 'create table broken (id int primary key, id int);\n'
        : 'create table broken (id int primary key);\ninsert into broken values (1);\ninsert into nowhere values (1);\n';
    const dir = await hostFolder({
      ...WIDGETS,
      '0003_broken.up.sql': fails,
      '0004_after.up.sql': 'create table later (id int primary key);',
    });
    await migrating(database.url, { dir }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({
        code: 'MIGRATION',
        reason: 'MIGRATION_FAILED',
        migration: 'app:0003_broken',
        message: expect.stringMatching(/app:0003_broken \(up\) failed.*(nowhere|Duplicate column)/),
      });
      const last = (await migrator.history()).at(-1);
      expect(last).toMatchObject({
        event: 'failed',
        migration: '0003_broken',
        errorCode: expect.any(String),
      });
      expect(last?.errorMessage).toMatch(/nowhere|Duplicate column/);
      expect(await migrator.status()).toMatchObject({
        pending: ['app:0003_broken', 'app:0004_after'],
        partial: null,
        findings: [
          expect.stringMatching(
            /^app:0003_broken \(up\) failed when it was last run, and nothing of it stayed: .*(nowhere|Duplicate column)/,
          ),
        ],
      });
    });
    // Of a file that is not there, nobody could make it stop.
    await migrating(database.url, {}, async (migrator) => {
      expect(await migrator.status()).toMatchObject({ pending: [], findings: [] });
    });
    expect(await tables(database)).toEqual(['widgets']);
    await writeFile(join(dir, '0003_broken.up.sql'), 'create table broken (id int primary key);\n');
    await migrating(database.url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({
        applied: [{ id: 'app:0003_broken' }, { id: 'app:0004_after' }],
        findings: [],
      });
    });
    expect(await tables(database)).toEqual(['broken', 'later', 'widgets']);
  });

  it('leaves nothing of a first migration that fails, and hides its values', async () => {
    const database = await variant.createDatabase('first');
    const dir = await hostFolder({
      ...WIDGETS,
      '0003_twice.up.sql': `insert into widgets (id, name) values (3, 'hunter2'), (1, 'x');`,
    });
    await migrating(database.url, { dir }, async (migrator) => {
      const error = await migrator.up().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason: 'MIGRATION_FAILED', migration: 'app:0003_twice' });
      expect(JSON.stringify([String(error), await migrator.history()])).not.toContain('hunter2');
    });
    expect(Number((await query(database.url, 'select count(*) as n from widgets'))[0]?.n)).toBe(2);
  });

  it('stops at a newer, breaking migration and passes by another', async () => {
    const database = await variant.createDatabase('newer');
    await migrating(database.url, {}, (migrator) => migrator.up());
    const log = variant.language === 'postgres' ? 'chronos.chronos_migration_log' : 'chronos_migration_log';
    const insert = (name: string, directives: string) =>
      execute(
        database.url,
        `insert into ${log} (namespace, migration, direction, event, directives)
         values ('chronos', '${name}', 'up', 'succeeded', ${directives})`,
      );
    await insert('0077_newer', 'null');
    await migrating(database.url, {}, async (migrator) => {
      const report = await migrator.up();
      expect(report.findings.join()).toContain('chronos:0077_newer');
      expect(report.missing).toEqual([]);
      await expect(migrator.down({ yes: true })).rejects.toMatchObject({ reason: 'SCHEMA_TOO_NEW' });
    });
    await insert('0078_newest', `'breaking'`);
    await migrating(database.url, {}, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'SCHEMA_TOO_NEW',
        migration: 'chronos:0078_newest',
      });
      expect((await migrator.status()).findings.join()).toContain('chronos:0078_newest');
    });
  });
});
