import { describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import type { EngineOptions, MigrationEngine } from '../../src/migrate/engines/engine.ts';
import { PostgresEngine } from '../../src/migrate/engines/postgres.ts';
import { SqliteEngine } from '../../src/migrate/engines/sqlite.ts';
import { createMigrator } from '../../src/migrate/index.ts';
import { stateOf } from '../../src/migrate/state.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen, targetOf } from './kept-open.ts';
import { file } from './ledger.ts';
import { columnOf, execute, query } from './raw.ts';

keepPgliteOpen();

const OPTIONS: EngineOptions = { schema: 'chronos', lockTimeout: 5000, idleLimit: 30_000 };
const LOG: PerLanguage<string> = {
  postgres: 'chronos.chronos_migration_log',
  mysql: 'chronos_migration_log',
  sqlite: 'chronos_migration_log',
};

/** What ends our transaction, past whatever a look at the text refuses. */
const ENDS = [
  'commit; create table half (n int);',
  'create table half (n int); commit; begin;',
  'create table half (n int); commit; begin; insert into nowhere values (1);',
  'create table half (n int); commit; insert into nowhere values (1);',
];

async function applied(engine: MigrationEngine, up: string): Promise<unknown> {
  const step = { migration: file('app:0001_ends', { up }), direction: 'up', partial: null } as const;
  const apply = engine.locked((turn) =>
    turn.apply(step, async (verbs) => {
      await verbs.run();
      await verbs.succeeded(0);
    }),
  );
  return apply.catch((error: unknown) => error);
}

describe.each(variants.filter(({ language }) => language !== 'mysql'))('$name', (variant) => {
  it.each(ENDS)('says of a file that ended its transaction what it is: %s', async (up) => {
    const { url } = await variant.createDatabase('ends');
    const connection = await openConnection(await targetOf(url));
    const Engine = variant.language === 'postgres' ? PostgresEngine : SqliteEngine;
    const engine = new Engine(connection, OPTIONS);
    expect(await applied(engine, up)).toMatchObject({
      reason: 'MIGRATION_PARTIAL',
      migration: 'app:0001_ends',
      message: expect.not.stringContaining('nothing of it stayed'),
    });
    expect(stateOf(await engine.log()).partial?.id).toBe('app:0001_ends');
    await connection.close();
    const dir = await hostFolder({ '0001_ends.up.sql': 'create table half (n int);' });
    const migrator = createMigrator(await targetOf(url), { dir });
    await expect(migrator.up()).rejects.toMatchObject({ reason: 'MIGRATION_PARTIAL' });
    await migrator.close();
  });
});

describe.each(variants.filter(({ language }) => language === 'mysql'))('$name', (variant) => {
  const WORK: Readonly<Record<string, string>> = {
    '0001_t.up.sql': 'create table t (n int) engine = InnoDB',
    '0002_p.up.sql':
      'create procedure p() begin set autocommit = 0; start transaction; insert into t values (1); end',
    '0003_call.up.sql': 'call p()',
    '0004_more.up.sql': 'insert into t values (2)',
    '0005_shadow.up.sql': 'create temporary table chronos_migration_log (n int)',
    '0006_last.up.sql': 'insert into t values (3)',
  };

  it('keeps what a procedure left open, and its row', async () => {
    const { url } = await variant.createDatabase('open');
    const migrator = createMigrator(await targetOf(url), { dir: await hostFolder(WORK) });
    expect((await migrator.up()).pending).toEqual([]);
    await migrator.close();
    expect((await query(url, 'select n from t order by n')).map(({ n }) => n)).toEqual([1, 2, 3]);
    const count = `select count(*) as n from ${LOG.mysql} where namespace = 'app' and event = 'succeeded'`;
    expect(await columnOf(url, count)).toBe(6);
  });

  it.each([
    'set autocommit = 0',
    'lock tables t write',
    'start transaction',
    'set session transaction read only',
  ])('logs nothing that is not kept, or refuses the file: %s', async (sql) => {
    const { url } = await variant.createDatabase('leaves');
    const { '0001_t.up.sql': table = '', '0004_more.up.sql': more = '' } = WORK;
    const dir = await hostFolder({
      '0001_t.up.sql': table,
      '0002_leaves.up.sql': sql,
      '0004_more.up.sql': more,
    });
    const migrator = createMigrator(await targetOf(url), { dir });
    const report = await migrator.up().catch((error: { reason: string }) => error.reason);
    await migrator.close();
    if (report === 'USAGE') return;
    expect(report).toMatchObject({ pending: [] });
    expect((await query(url, 'select n from t')).length).toBe(1);
    const again = createMigrator(await targetOf(url), { dir });
    expect(await again.status()).toMatchObject({ pending: [], partial: null });
    await again.close();
  });

  it('calls a procedure that failed on its way half done', async () => {
    const { url } = await variant.createDatabase('call');
    const { '0001_t.up.sql': table = '' } = WORK;
    const dir = await hostFolder({
      '0001_t.up.sql': table,
      '0002_p.up.sql':
        'create procedure p() begin insert into t values (1); insert into nowhere values (2); end',
      '0003_call.up.sql': 'call p()',
    });
    const migrator = createMigrator(await targetOf(url), { dir });
    await expect(migrator.up()).rejects.toMatchObject({ reason: 'MIGRATION_PARTIAL' });
    expect((await migrator.status()).partial).toBe('app:0003_call');
    await migrator.close();
  });
});

describe.each(variants)('$name', (variant) => {
  it('finds its log behind a temporary table of the same name', async () => {
    const { url } = await variant.createDatabase('shadow');
    const word = variant.language === 'mysql' ? 'temporary' : 'temp';
    const dir = await hostFolder({
      '0001_shadow.up.sql': `create ${word} table chronos_migration_log (id int);`,
      '0002_after.up.sql': 'create table later (n int);',
    });
    const migrator = createMigrator(await targetOf(url), { dir });
    expect((await migrator.up()).pending).toEqual([]);
    await migrator.close();
    const again = createMigrator(await targetOf(url), { dir });
    expect(await again.status()).toMatchObject({ pending: [], partial: null });
    await again.close();
  });

  it('is closed after what runs, and takes nothing new', async () => {
    const { url } = await variant.createDatabase('closing');
    const migrator = createMigrator(await targetOf(url));
    const running = migrator.up();
    const closing = migrator.close();
    await expect(migrator.status()).rejects.toMatchObject({
      code: 'CLOSED',
      message: 'the migrator is closed',
    });
    expect((await running).pending).toEqual([]);
    await closing;
  });

  it.each(['delete from', 'drop table'])('says that its tables are there without a log: %s', async (word) => {
    const { url } = await variant.createDatabase('emptied');
    const migrator = createMigrator(await targetOf(url));
    await migrator.up();
    await migrator.close();
    await execute(url, `${word} ${LOG[variant.language]}`);
    const next = createMigrator(await targetOf(url));
    await expect(next.up()).rejects.toMatchObject({
      reason: 'MIGRATION_MISSING',
      message: expect.stringContaining('chronos_migration_log has no rows'),
    });
    await next.close();
  });

  it('reads a log whose time is beyond what a Date holds', async () => {
    const at: PerLanguage<string> = {
      postgres: `'infinity'`,
      mysql: `'9999-12-31 00:00:00'`,
      sqlite: '9223372036854775807',
    };
    const { url } = await variant.createDatabase('time');
    const migrator = createMigrator(await targetOf(url));
    await migrator.up();
    await migrator.close();
    await execute(url, `update ${LOG[variant.language]} set at = ${at[variant.language]}`);
    const next = createMigrator(await targetOf(url));
    expect(await next.status()).toMatchObject({ pending: [] });
    for (const row of await next.history()) expect(row.at.toISOString()).toMatch(/^\+?\d+-/);
    await next.close();
  });
});
