import { describe, expect, it } from 'vitest';
import type { MigratorOptions } from '../../src/migrate/index.ts';
import { oneOfEachDriver, type PerLanguage } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { columnOf } from './raw.ts';

keepPgliteOpen();

const WIDGETS = `
export async function up({ knex, dialect }) {
  await knex.schema.createTable('widgets', (table) => {
    table.integer('id').primary();
    table.string('name', 50);
  });
  await knex('widgets').insert([{ id: 1, name: "o'brien; x" }, { id: 2, name: dialect }]);
  const undone = knex.transaction(async (trx) => {
    await trx('widgets').insert({ id: 3, name: 'no' });
    throw new Error('undo');
  });
  await undone.catch(() => undefined);
  await knex.transaction((trx) => trx('widgets').insert({ id: 4, name: 'yes' }));
}
export async function down({ knex }) {
  await knex.schema.dropTable('widgets');
}
`;

describe.each(oneOfEachDriver)('$name', (variant) => {
  it('sends nothing of a migration that has ended, so that it cannot land in the next', async () => {
    const { url } = await variant.createDatabase('late');
    const dir = await hostFolder({
      '0001_first.mjs': `export async function up({ knex }) {
        await knex.schema.createTable('widgets', (table) => { table.integer('id'); });
        const ended = new Promise((end) => { globalThis.chronosFirstEnded = end; });
        globalThis.chronosLate = ended.then(() => knex('widgets').insert({ id: 1 })).catch((error) => error.message);
      }`,
      '0002_next.mjs': `export async function up({ knex }) {
        globalThis.chronosFirstEnded();
        await knex('widgets').insert({ id: 2 });
        await knex('widgets').insert({ id: String(await globalThis.chronosLate).includes('has ended') ? 3 : 4 });
      }`,
    });
    await migrating(url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({ pending: [] });
    });
    expect(Number(await columnOf(url, 'select sum(id) from widgets'))).toBe(5);
  });

  it('says of a file that exports itself as its default what it lacks', async () => {
    const { url } = await variant.createDatabase('ring');
    const dir = await hostFolder({ '0001_ring.cjs': 'module.exports.default = module.exports;' });
    await migrating(url, { dir }, async (migrator) => {
      const refusal = { reason: 'USAGE', message: expect.stringContaining('exports no function up') };
      await expect(migrator.up()).rejects.toMatchObject(refusal);
    });
  });

  it('runs code in order with SQL, reverts it, and holds its checksum', async () => {
    const { url } = await variant.createDatabase('code');
    const dir = await hostFolder({
      '0001_widgets.mjs': WIDGETS,
      '0002_more.up.sql': "insert into widgets (id, name) values (5, 'five');",
      '0002_more.down.sql': 'delete from widgets where id = 5;',
      '0003_last.cjs': `exports.up = ({ knex }) => knex('widgets').insert({ id: 6, name: 'six' });
        exports.checksum = 'one';`,
      '0004_typed.ts': `import type { Knex } from 'knex';
        export async function up({ knex }: { knex: Knex }): Promise<void> {
          const rows: { id: number }[] = await knex('widgets').select('id').where({ id: 6 });
          if (Number(rows[0]?.id) !== 6) throw new Error('not in order');
        }
        export const down = (): void => {};`,
    });
    await migrating(url, { dir }, async (migrator) => {
      const { steps } = await migrator.up({ dryRun: true });
      expect(steps.find(({ id }) => id === 'app:0001_widgets')?.sql).toBe(
        '-- up is code: 0001_widgets.mjs\n',
      );
      expect(await migrator.up()).toMatchObject({ pending: [], changed: [] });
      const rows = (await migrator.history()).filter(({ event }) => event === 'succeeded');
      const checksums = rows.map(({ migration, checksum }) => [migration, checksum]);
      expect(Object.fromEntries(checksums)).toMatchObject({ '0001_widgets': null, '0003_last': 'one' });
    });
    expect(Number(await columnOf(url, 'select sum(id) from widgets'))).toBe(18);
    const other = await hostFolder({
      '0001_widgets.mjs': `${WIDGETS} // edited`,
      '0002_more.up.sql': "insert into widgets (id, name) values (5, 'five');",
      '0002_more.down.sql': 'delete from widgets where id = 5;',
      '0003_last.mjs': `export const up = () => {}; export const checksum = 'two';`,
      '0004_typed.mjs': 'export const up = () => {}; export const down = () => {};',
    });
    await migrating(url, { dir: other }, async (migrator) => {
      expect((await migrator.status()).changed).toEqual(['app:0003_last']);
    });
    await migrating(url, { dir }, async (migrator) => {
      await migrator.down({ yes: true });
      await expect(migrator.down({ yes: true })).rejects.toMatchObject({ reason: 'IRREVERSIBLE' });
    });
  });

  /** Where structure commits by itself, what code has done when it fails stays. */
  const FAILED: PerLanguage<{ reason: string; left: number }> = {
    postgres: { reason: 'MIGRATION_FAILED', left: 0 },
    mysql: { reason: 'MIGRATION_PARTIAL', left: 1 },
    sqlite: { reason: 'MIGRATION_FAILED', left: 0 },
  };

  it('says what code that fails has left', async () => {
    const { url } = await variant.createDatabase('code');
    const code = `export async function up({ knex }) {
      await knex.schema.createTable('widgets', (table) => table.integer('id'));
      throw new TypeError('no luck');
    }`;
    const dir = await hostFolder({ '0001_widgets.mjs': code });
    const { reason, left } = FAILED[variant.language];
    await migrating(url, { dir }, async (migrator) => {
      const error = await migrator.up().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason, migration: 'app:0001_widgets' });
      expect(String(error)).toContain('no luck');
      expect((await migrator.status()).partial).toBe(left === 0 ? null : 'app:0001_widgets');
    });
    const there = columnOf(url, 'select count(*) from widgets').then(
      () => 1,
      () => 0,
    );
    expect(await there).toBe(left);
    if (left === 0) return;
    await migrating(url, { dir }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({ reason: 'MIGRATION_PARTIAL' });
      await migrator.repair({ migration: 'app:0001_widgets', as: 'done' });
      expect(await migrator.up()).toMatchObject({ pending: [], partial: null });
    });
  });

  it('keeps what code wrote in a transaction that it left open', async () => {
    const { url } = await variant.createDatabase('code');
    const code = `export async function up({ knex }) {
      await knex.schema.createTable('widgets', (table) => table.integer('id'));
      const trx = await knex.transaction();
      await trx('widgets').insert({ id: 7 });
    }`;
    const dir = await hostFolder({ '0001_widgets.mjs': code });
    await migrating(url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({ pending: [], partial: null });
    });
    expect(Number(await columnOf(url, 'select sum(id) from widgets'))).toBe(7);
  });

  it('stops code that heeds its signal', async () => {
    const { url } = await variant.createDatabase('code');
    const code = `export async function up({ knex, signal }) {
      while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
    }`;
    const dir = await hostFolder({ '0001_widgets.mjs': code });
    const controller = new AbortController();
    const onProgress: MigratorOptions['onProgress'] = (progress) => {
      if (progress.kind === 'started' && progress.id === 'app:0001_widgets') controller.abort();
    };
    await migrating(url, { dir, signal: controller.signal, onProgress }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({ reason: 'INTERRUPTED' });
    });
  });
});
