import { describe, expect, it, vi } from 'vitest';
import type { MigratorOptions, VerifyReport } from '../../src/migrate/index.ts';
import { type PerLanguage, type Variant, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating, runAll } from './migrating.ts';
import { execute } from './raw.ts';
import { DAMAGES, type Damage, POSTGRES_DAMAGES } from './verify-damage.ts';

keepPgliteOpen();

// Each case opens PGlite several times, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const LOG: PerLanguage<string> = {
  postgres: 'chronos.chronos_migration_log',
  mysql: 'chronos_migration_log',
  sqlite: 'chronos_migration_log',
};
const HOST: PerLanguage<readonly string[]> = {
  postgres: [
    'create table chronos.widgets (id int)',
    'create table public.chronos_sessions (id text)',
    'create view chronos.chronos_view as select id from chronos.chronos_events',
    'create function chronos.widget() returns int language sql as $$ select 1 $$',
  ],
  mysql: ['create table widgets (id int)', 'create view chronos_view as select id from chronos_events'],
  sqlite: ['create table widgets (id int)', 'create view chronos_view as select id from chronos_events'],
};
/** A host's own, on a table of ours and on one of its own. */
const ATTACHED: PerLanguage<{ readonly sql: readonly string[]; readonly says: readonly string[] }> = {
  postgres: {
    sql: [
      'create table widgets (id int primary key)',
      'alter table chronos.chronos_events add column note int constraint kept references widgets',
      'create function chronos.told() returns trigger language plpgsql as $$ begin return new; end $$',
      'create trigger told before insert on chronos.chronos_events for each row execute function chronos.told()',
      'create trigger told before insert on widgets for each row execute function chronos.told()',
      'create rule quiet as on delete to chronos.chronos_events do instead nothing',
      'create rule quiet as on delete to widgets do instead nothing',
    ],
    says: [
      'column note is not ours',
      'foreign key kept is not ours',
      'rule quiet is not ours',
      'trigger told is not ours',
    ],
  },
  mysql: {
    sql: [
      'create table widgets (id int primary key)',
      'alter table chronos_events add column note int, add constraint kept foreign key (note) references widgets (id)',
      'create trigger told before insert on chronos_events for each row set @told = 1',
      'create trigger untold before insert on widgets for each row set @told = 1',
    ],
    says: [
      'column note is not ours',
      'index kept is not ours',
      'foreign key kept is not ours',
      'trigger told is not ours',
    ],
  },
  sqlite: {
    sql: [
      'create table widgets (id integer primary key)',
      'alter table chronos_events add column note int references widgets',
      'create trigger told after insert on chronos_events begin insert into widgets values (1); end',
      'create trigger untold after insert on widgets begin delete from widgets; end',
    ],
    says: ['column note is not ours', 'foreign key to widgets is not ours', 'trigger told is not ours'],
  },
};
const SCHEMA: PerLanguage<string> = { postgres: 'chronos.', mysql: '', sqlite: '' };

function verify(url: string, options: MigratorOptions = {}): Promise<VerifyReport> {
  return migrating(url, options, (migrator) => migrator.verify());
}

async function migrated({ createDatabase }: Variant, hint: string): Promise<string> {
  const { url } = await createDatabase(hint);
  await migrating(url, {}, (migrator) => migrator.up());
  return url;
}

/**
 * Damages, sees it told once and alone, mends it as told where a statement mends it, and sees nothing left. Gives the
 * database back where it is whole again.
 */
async function expectSeen(url: string, { sql, table, says }: Damage): Promise<string | undefined> {
  await runAll(url, sql);
  const { checks, reason, findings } = await verify(url);
  expect(checks).toEqual([
    {
      level: 'fail',
      subject: table,
      message: expect.stringMatching(says),
      mend: expect.any(String),
      reason: 'DRIFT',
    },
  ]);
  expect(reason).toBe('DRIFT');
  const mend = checks[0]?.mend ?? '';
  expect(findings).toEqual([`${table}: ${checks[0]?.message}; to mend it: ${mend}`]);
  expect(mend).toMatch(/\S/);
  if (!/^(alter|create|drop|reindex) /.test(mend)) return undefined;
  await runAll(url, mend.split('; '));
  expect((await verify(url)).checks, mend).toEqual([]);
  return url;
}

describe.each(variants)('verify on $name', (variant) => {
  const { language } = variant;
  let whole: string | undefined;

  it('is clean before up, after each step up and down, and beside tables of a host', async () => {
    const { url } = await variant.createDatabase('verify');
    const clean = { checks: [], findings: [], reason: null };
    expect(await verify(url)).toMatchObject(clean);
    await migrating(url, {}, async (migrator) => {
      for (const to of ['0001', '0002', '0003']) {
        await migrator.up({ to });
        expect(await migrator.verify()).toMatchObject(clean);
      }
      await migrator.down({ to: '0001', yes: true });
      expect(await migrator.verify()).toMatchObject(clean);
      await migrator.down({ to: '0', yes: true });
      expect(await migrator.verify()).toMatchObject(clean);
      await migrator.up();
    });
    await runAll(url, HOST[language]);
    expect(await verify(url)).toMatchObject(clean);
  });

  it.each(Object.entries(DAMAGES))('sees %s, and says what mends it', async (_, damage) => {
    whole = await expectSeen(whole ?? (await migrated(variant, 'drift')), damage[language]);
  });

  it('only warns of an index and a column that are not ours', async () => {
    const url = await migrated(variant, 'foreign');
    const table = `${SCHEMA[language]}chronos_events`;
    await runAll(url, [
      `alter table ${table} add column note ${language === 'mysql' ? 'varchar(9)' : 'text'}`,
      `create index by_note on ${table} (note)`,
    ]);
    const { checks, reason } = await verify(url);
    expect(reason).toBeNull();
    expect(checks).toEqual([
      { level: 'warn', subject: 'chronos_events', message: 'column note is not ours', mend: null },
      { level: 'warn', subject: 'chronos_events', message: 'index by_note is not ours', mend: null },
    ]);
  });

  it('only warns of foreign keys, triggers and rules on our tables, and not of those on others', async () => {
    const url = await migrated(variant, 'attached');
    const { sql, says } = ATTACHED[language];
    await runAll(url, sql);
    const { checks, reason } = await verify(url);
    expect(reason).toBeNull();
    const warned = says.map((message) => ({ level: 'warn', subject: 'chronos_events', message, mend: null }));
    expect(checks).toEqual(warned);
  });

  it('sees a table of ours that no applied migration makes', async () => {
    const url = await migrated(variant, 'stray');
    await execute(url, `delete from ${LOG[language]} where migration > '0002'`);
    const { checks, reason } = await verify(url);
    expect(reason).toBe('DRIFT');
    expect(checks).toContainEqual(
      expect.objectContaining({
        subject: 'chronos_event_heads',
        message: expect.stringMatching(/no applied/),
      }),
    );
  });

  it('sees an edited file, of ours and of the host, before any drift', async () => {
    const url = await migrated(variant, 'edited');
    const dir = await hostFolder({ '0001_a.up.sql': 'create table app_a (n int);' });
    await migrating(url, { dir }, (migrator) => migrator.up());
    expect((await verify(url, { dir })).checks).toEqual([]);
    await execute(url, `update ${LOG[language]} set checksum = 'edited' where direction = 'up'`);
    await runAll(url, DAMAGES['a missing index']?.[language].sql ?? []);
    const { checks, changed, reason } = await verify(url, { dir });
    expect(reason).toBe('CHECKSUM_MISMATCH');
    expect(changed).toEqual([
      'chronos:0001_ledger',
      'chronos:0002_open_runs',
      'chronos:0003_vectors',
      'app:0001_a',
    ]);
    expect(checks.map(({ subject, level }) => `${level} ${subject}`)).toEqual([
      ...changed.map((id) => `fail ${id}`),
      'fail chronos_events',
    ]);
  });

  it('says that it did not compare what a newer version made', async () => {
    const url = await migrated(variant, 'newer');
    const row = (name: string, directives: string) =>
      `insert into ${LOG[language]} (namespace, migration, direction, event, directives) values ('chronos', '${name}', 'up', 'succeeded', ${directives})`;
    await runAll(url, [row('9998_more', 'null'), ...(DAMAGES['a missing index']?.[language].sql ?? [])]);
    expect(await verify(url)).toMatchObject({
      reason: null,
      checks: [
        { level: 'warn', subject: 'chronos:9998_more' },
        { level: 'ok', subject: 'chronos:9998_more', message: expect.stringContaining('no checksum') },
      ],
    });
    await execute(url, row('9999_other', "'breaking'"));
    expect(await verify(url)).toMatchObject({ reason: 'SCHEMA_TOO_NEW' });
  });
});

describe.each(variants.filter(({ language }) => language === 'postgres'))('verify on $name', (variant) => {
  let whole: string | undefined;

  it.each(Object.entries(POSTGRES_DAMAGES))('sees %s, and says what mends it', async (_, damage) => {
    whole = await expectSeen(whole ?? (await migrated(variant, 'drift')), damage);
  });

  it('sees a function that was replaced, or is gone', async () => {
    const url = await migrated(variant, 'function');
    const args = 'text, text, text, text, json, timestamptz';
    await execute(url, `alter function chronos.chronos_append_event(${args}) security definer`);
    const [changed] = (await verify(url)).checks;
    expect(changed).toMatchObject({
      level: 'fail',
      subject: expect.stringContaining('chronos_append_event('),
      message: 'the function is not as the migration makes it',
      mend: expect.stringContaining('migrations/postgres/0002_open_runs.up.sql'),
    });
    await execute(url, `drop function chronos.chronos_append_event(${args})`);
    expect((await verify(url)).checks).toMatchObject([
      { message: 'the function is missing', reason: 'DRIFT' },
    ]);
  });

  it('is clean whatever a session shows names by', async () => {
    const url = await migrated(variant, 'settings');
    const settings = ['quote_all_identifiers = on', 'search_path = chronos, pg_catalog, public'];
    for (const setting of settings) {
      await execute(
        url,
        `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
      );
    }
    expect((await verify(url)).checks).toEqual([]);
  });

  it('is clean in a schema of any name', async () => {
    const { url } = await variant.createDatabase('schema');
    const schema = `a "b'$1`;
    await migrating(url, { schema }, (migrator) => migrator.up());
    expect((await verify(url, { schema })).checks).toEqual([]);
    expect((await verify(url)).checks).toEqual([]);
  });
});
