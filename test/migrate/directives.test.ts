import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MigratorOptions } from '../../src/migrate/index.ts';
import { variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { columnOf, connected, execute } from './raw.ts';

keepPgliteOpen();

const TABLE = 'create table a (n int);\ninsert into a select generate_series(1, 1000);\n';
const INDEX = '-- chronos: no-transaction\ncreate index concurrently a_n on a (n);\n';
const VALID = "select indisvalid::text from pg_index where indexrelid = to_regclass('a_n')";

describe.each(variants.filter(({ language }) => language === 'postgres'))('$name', (variant) => {
  it('builds and drops an index without a transaction', async () => {
    const { url } = await variant.createDatabase('alone');
    const dir = await hostFolder({
      '0001_a.up.sql': TABLE,
      '0002_index.up.sql': INDEX,
      '0002_index.down.sql': '-- chronos: no-transaction\ndrop index concurrently a_n;\n',
      '0003_vacuum.up.sql': '-- chronos: no-transaction\nvacuum a;\n',
      '0003_vacuum.down.sql': 'select 1;\n',
    });
    await migrating(url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({ pending: [], partial: null });
      expect(await migrator.down({ step: 2, yes: true })).toMatchObject({ partial: null });
      expect(await migrator.up()).toMatchObject({ pending: [] });
    });
    expect(await columnOf(url, VALID)).toBe('true');
  });

  it.each([
    ['a_n'],
    // Cut by the server after 63 bytes, in the middle of a character.
    [`${'a'.repeat(60)}éé_n`],
  ])('drops what an earlier build left invalid, and builds anew, as often as it takes: %s', async (name) => {
    const { url } = await variant.createDatabase('alone');
    const text = INDEX.replace('index', 'unique index').replace('ently a_n', `ently if not exists ${name}`);
    const dir = await hostFolder({
      '0001_a.up.sql': `${TABLE}insert into a values (1);\n`,
      '0002_index.up.sql': text,
    });
    const valid = () => columnOf(url, VALID.replace('a_n', name));
    await migrating(url, { dir }, async (migrator) => {
      for (let i = 0; i < 2; i += 1) {
        await expect(migrator.up()).rejects.toMatchObject({
          reason: 'MIGRATION_FAILED',
          hint: expect.stringContaining('may have stayed invalid'),
        });
        expect(await migrator.status()).toMatchObject({ partial: null, pending: ['app:0002_index'] });
      }
    });
    expect(await valid()).toBe('false');
    await execute(url, 'delete from a where n = 1');
    await migrating(url, { dir }, (migrator) => migrator.up());
    expect(await valid()).toBe('true');
  });

  it('does not run again what may have committed some of its work before it failed', async () => {
    const { url } = await variant.createDatabase('alone');
    const body = 'begin insert into a values (-7); commit; perform 1 / 0; end';
    const procedure = `create procedure p() language plpgsql as $$ ${body} $$;\n`;
    const dir = await hostFolder({ '0001_a.up.sql': TABLE + procedure });
    await migrating(url, { dir }, (migrator) => migrator.up());
    for (const [n, statement] of [`do $$ ${body} $$`, 'call p()'].entries()) {
      await writeFile(join(dir, `000${n + 2}_x.up.sql`), `-- chronos: no-transaction\n${statement};\n`);
      await migrating(url, { dir }, async (migrator) => {
        for (let again = 0; again < 2; again += 1) {
          await expect(migrator.up()).rejects.toMatchObject({
            reason: 'MIGRATION_PARTIAL',
            hint: expect.stringContaining(`repair app:000${n + 2}_x done --step 1 --dir DIR`),
          });
        }
        expect((await migrator.history()).at(-1)).toMatchObject({ event: 'started', errorCode: '22012' });
        expect(Number(await columnOf(url, 'select count(*) from a where n = -7'))).toBe(n + 1);
        await migrator.repair({ migration: `000${n + 2}`, step: 1, as: 'done' });
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      });
    }
  });

  it('finds out what an earlier run that nobody heard the end of has done', async () => {
    const { url } = await variant.createDatabase('alone');
    const log = 'chronos.chronos_migration_log';
    const started = (
      name: string,
    ) => `insert into ${log} (namespace, migration, direction, event, step, steps)
      values ('app', '${name}', 'up', 'started', 1, 1)`;
    const dir = await hostFolder({ '0001_a.up.sql': TABLE, '0002_index.up.sql': INDEX });
    await migrating(url, { dir }, (migrator) => migrator.up({ to: 'app:0001_a' }));
    await execute(url, `create index a_n on a (n);\n${started('0002_index')}`);
    const before = await columnOf(url, "select to_regclass('a_n')::oid::text");
    await migrating(url, { dir }, async (migrator) => {
      expect(await migrator.up()).toMatchObject({ pending: [], partial: null });
    });
    expect(await columnOf(url, "select to_regclass('a_n')::oid::text")).toBe(before);
    await writeFile(
      join(dir, '0003_type.up.sql'),
      '-- chronos: no-transaction\nalter system reset work_mem;\n',
    );
    await execute(url, started('0003_type'));
    await migrating(url, { dir }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'MIGRATION_PARTIAL',
        hint: expect.stringContaining('repair app:0003_type done --step 1 --dir DIR'),
      });
    });
  });
});

describe.each(variants.filter(({ driver }) => driver === 'pg'))('$name', (variant) => {
  it('builds an index beside an open transaction and two that wait for the lock', async () => {
    const { url } = await variant.createDatabase('alone');
    const dir = await hostFolder({ '0001_a.up.sql': TABLE });
    await migrating(url, { dir }, (migrator) => migrator.up());
    await writeFile(join(dir, '0002_index.up.sql'), INDEX);
    const waiting: string[] = [];
    const ups = await connected(url, (other) =>
      other.transaction(async (tx) => {
        await tx.script('select count(*) from a; update a set n = n where n = 5');
        const onProgress: MigratorOptions['onProgress'] = (progress) => {
          if (progress.kind === 'waiting') waiting.push(progress.holder);
        };
        const all = [1, 2, 3].map(() => migrating(url, { dir, onProgress }, (migrator) => migrator.up()));
        while (!waiting.some((holder) => /idle in transaction/.test(holder))) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return all;
      }),
    );
    const reports = await Promise.all(ups);
    expect(reports.flatMap(({ applied }) => applied.map(({ id }) => id))).toEqual(['app:0002_index']);
    expect(await columnOf(url, VALID)).toBe('true');
  });

  it('ends a build that is blocked for longer than the lock timeout, and says by whom', async () => {
    const { url } = await variant.createDatabase('alone');
    const dir = await hostFolder({ '0001_a.up.sql': TABLE, '0002_index.up.sql': INDEX });
    await migrating(url, { dir }, (migrator) => migrator.up({ to: 'app:0001_a' }));
    await connected(url, (other) =>
      other.transaction(async (tx) => {
        await tx.script('update a set n = n where n = 5');
        await migrating(url, { dir, lockTimeout: 1_500 }, async (migrator) => {
          await expect(migrator.up()).rejects.toMatchObject({
            reason: 'MIGRATION_FAILED',
            message: expect.stringMatching(
              /blocked for longer than 1\.5 s, behind pid \d+ \(.*idle in transaction/,
            ),
          });
        });
      }),
    );
    await migrating(url, { dir }, (migrator) => migrator.up());
    expect(await columnOf(url, VALID)).toBe('true');
  });
});

describe.each(variants.filter(({ language }) => language === 'sqlite'))('$name', (variant) => {
  const FAMILY = `create table parent (id integer primary key, name text);
create table child (id integer primary key, parent integer references parent (id) on delete cascade);
create table ward (id integer primary key, parent integer references parent (id) on delete set null);
insert into parent values (1, 'a'), (2, 'b');
insert into child values (1, 1), (2, 2);
insert into ward values (1, 1), (2, 2);
`;
  const REBUILD = `-- chronos: foreign-keys-off
create table parent_new (id integer primary key, name text not null default 'x');
insert into parent_new select id, name from parent;
drop table parent;
alter table parent_new rename to parent;
`;

  it('rebuilds a table whose children survive, with foreign keys on before and after', async () => {
    const { url } = await variant.createDatabase('rebuild');
    const dir = await hostFolder({ '0001_family.up.sql': FAMILY, '0002_rebuild.up.sql': REBUILD });
    await migrating(url, { dir }, (migrator) => migrator.up());
    expect(await columnOf(url, 'select sum(parent) from child')).toBe(3);
    expect(await columnOf(url, 'select sum(parent) from ward')).toBe(3);
    await execute(url, 'pragma foreign_keys = on; delete from parent where id = 1');
    expect(await columnOf(url, 'select sum(parent) from child')).toBe(2);
  });

  it('is refused where rows would refer to nothing that did before, and leaves all as it was', async () => {
    const { url } = await variant.createDatabase('rebuild');
    const dir = await hostFolder({
      '0001_family.up.sql': `${FAMILY}pragma foreign_keys;\n`,
      '0002_rebuild.up.sql': REBUILD.replace('from parent;', 'from parent where id = 1;'),
    });
    await migrating(url, { dir }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'MIGRATION_FAILED',
        message: expect.stringContaining('2 rows would refer to nothing'),
      });
      expect(await migrator.status()).toMatchObject({ partial: null, pending: ['app:0002_rebuild'] });
    });
    expect(await columnOf(url, 'select count(*) from parent')).toBe(2);
    expect(await columnOf(url, 'select sum(parent) from child')).toBe(3);
  });
});

/** An open transaction of another holds up a change of its table, within a bound. */
describe.each(variants.filter(({ serverUrl }) => serverUrl !== undefined))('$name', (variant) => {
  it('waits for a lock on a table within its bound, and names who has it', async () => {
    const { url } = await variant.createDatabase('blocked');
    const dir = await hostFolder({
      '0001_a.up.sql': 'create table a (n int);',
      '0002_more.up.sql': 'alter table a add column m int;',
    });
    await migrating(url, { dir }, (migrator) => migrator.up({ to: 'app:0001_a' }));
    await execute(url, 'insert into a (n) values (1)');
    const holders: string[] = [];
    await connected(url, (other) =>
      other.transaction(async (tx) => {
        await tx.script('update a set n = 2');
        const onProgress: MigratorOptions['onProgress'] = (progress) => {
          if (progress.kind === 'waiting') holders.push(progress.holder);
        };
        await migrating(url, { dir, lockTimeout: 3_000, onProgress }, async (migrator) => {
          await expect(migrator.up()).rejects.toMatchObject({
            reason: 'MIGRATION_FAILED',
            message: expect.stringMatching(/, behind (pid|connection) \d+ \(/),
          });
        });
      }),
    );
    expect(holders.join()).toMatch(/(pid|connection) \d+ \(/);
    await migrating(url, { dir }, async (migrator) =>
      expect(await migrator.up()).toMatchObject({ pending: [] }),
    );
  });
});
