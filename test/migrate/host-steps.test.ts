import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mysql from 'mysql2';
import { describe, expect, it } from 'vitest';
import { createMigrator, type LogEntry, type Migrator } from '../../src/migrate/index.ts';
import { type TestDatabase, variants } from '../variants.ts';
import { startUp } from './children.ts';
import { hostFolder } from './host-folder.ts';
import { migrating } from './migrating.ts';
import { columnOf, execute } from './raw.ts';

const FIVE = `create table a (n int primary key);
insert into a values (1), (2);
create index a_n on a (nowhere);
alter table a add column m int;
update a set m = n;
`;
const MENDED = FIVE.replace('(nowhere)', '(n)');

/** Where structure commits by itself, a host's file is logged statement by statement. */
describe.each(variants.filter(({ language }) => language === 'mysql'))('$name', (variant) => {
  async function world(files: Record<string, string>) {
    const database = await variant.createDatabase('steps');
    const dir = await hostFolder(files);
    return { database, dir, file: join(dir, '0001_five.up.sql') };
  }

  async function once<T>({ url }: TestDatabase, dir: string, work: (migrator: Migrator) => Promise<T>) {
    return migrating(url, { dir }, work);
  }

  const rejected = (call: Promise<unknown>) => call.catch((error: unknown) => error);
  const told = (rows: readonly LogEntry[]) =>
    rows
      .filter(({ namespace }) => namespace === 'app')
      .map(({ event, step }) => (step === null ? event : `${event} ${step}`));

  const log = (url: string, event: string, step: number, sql = '') =>
    execute(
      url,
      `insert into chronos_migration_log (namespace, migration, direction, event, step, steps)
       values ('app', '0001_five', 'up', '${event}', ${step}, 5)${sql}`,
    );

  it('says 2 of 5 after a failure at 3, and goes on there once the rest is mended', async () => {
    const { database, dir, file } = await world({ '0001_five.up.sql': FIVE });
    await once(database, dir, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({
        reason: 'MIGRATION_PARTIAL',
        statement: 3,
        message: expect.stringContaining('at statement 3 of 5, line 3'),
      });
      const stands = await migrator.status();
      expect(stands).toMatchObject({ partial: 'app:0001_five', pending: ['app:0001_five'] });
      expect(stands.findings.join()).toMatch(/2 of 5 statements done, statement 3 failed: /);
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'MIGRATION_PARTIAL', statement: 3 });
      await writeFile(file, MENDED.replace('(1), (2)', '(1), (3)'));
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'CHECKSUM_MISMATCH', statement: 2 });
      await writeFile(file, MENDED);
      expect(await migrator.up()).toMatchObject({ partial: null, pending: [], applied: [{}] });
      expect(told(await migrator.history())).toEqual(
        'started|started 1|step 1|step 2|started 3|failed 3|started|started 3|failed 3|started|started 3|step 3|started 4|step 4|step 5|succeeded'.split(
          '|',
        ),
      );
    });
    expect(Number(await columnOf(database.url, 'select sum(m) from a'))).toBe(3);
  });

  it('goes on in each of two namespaces that are half done at once', async () => {
    const { database, dir } = await world({ '0001_five.up.sql': FIVE });
    const other = await hostFolder({
      '0001_other.up.sql': 'create table o (n int);\nselect * from nowhere;\n',
    });
    await once(database, dir, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'MIGRATION_PARTIAL', statement: 3 });
    });
    await migrating(database.url, { dir: other, namespace: 'other' }, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({ migration: 'other:0001_other', statement: 2 });
      expect((await migrator.status()).findings.join()).toMatch(/app:0001_five .*other:0001_other /);
    });
    await once(database, dir, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({ migration: 'app:0001_five', statement: 3 });
    });
    expect(Number(await columnOf(database.url, 'select count(*) from a'))).toBe(2);
  });

  it('tells of a CALL of which some may have stayed what the server said, and how to settle it', async () => {
    const text = 'create table a (n int primary key);\ncall p();\ncreate table c (n int);\n';
    const { database, dir } = await world({ '0001_five.up.sql': text });
    const body = 'begin insert into a values (1); insert into a values (1); end';
    await execute(database.url, `create procedure p() ${body}`);
    await once(database, dir, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({
        reason: 'MIGRATION_PARTIAL',
        message: expect.stringMatching(
          / at statement 2 of 3, line 2, perhaps after some of it: Duplicate entry /,
        ),
        hint: expect.stringContaining('chronos-migrate repair app:0001_five done --step 2 --dir DIR'),
      });
      const last = (await migrator.history()).at(-1);
      expect(last).toMatchObject({ event: 'started', step: 2, errorCode: 'ER_DUP_ENTRY' });
      expect(last?.errorMessage).toContain('Duplicate entry');
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'MIGRATION_PARTIAL', statement: 2 });
    });
  });

  it('takes a CALL that did nothing for an ordinary failure', async () => {
    for (const call of ['call nothere()', 'call nothere(']) {
      const text = `create table a (n int primary key);\n${call};\n`;
      const { database, dir, file } = await world({ '0001_five.up.sql': text });
      await once(database, dir, async (migrator) => {
        expect(await rejected(migrator.up())).toMatchObject({
          reason: 'MIGRATION_PARTIAL',
          statement: 2,
          message: expect.stringMatching(/failed at statement 2 of 2, line 2: /),
        });
        expect((await migrator.history()).at(-1)).toMatchObject({ event: 'failed', step: 2 });
        await writeFile(file, text.replace(call, 'create table b (n int)'));
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      });
    }
  });

  it('looks up what was cut off between a statement and its mark, whether it ran or not', async () => {
    for (const ran of [true, false]) {
      const { database, dir } = await world({ '0001_five.up.sql': MENDED });
      await once(database, dir, async (migrator) => {
        await migrator.up({ to: 'chronos:0003_vectors' });
        await execute(database.url, 'create table a (n int primary key)');
        await log(database.url, 'step', 1);
        await execute(database.url, 'insert into a values (1), (2)');
        await log(database.url, 'step', 2);
        await log(database.url, 'started', 3);
        if (ran) await execute(database.url, 'create index a_n on a (n)');
        expect((await migrator.status()).findings.join()).toContain('how statement 3 ended is not known');
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      });
      expect(Number(await columnOf(database.url, 'select sum(m) from a'))).toBe(3);
    }
  });

  it('looks where a `use` before the statement led', async () => {
    const other = await variant.createDatabase('other');
    const name = new URL(other.url).pathname.slice(1);
    const text = `use \`${name}\`;\ncreate table a (n int primary key);\ninsert into a values (7);\n`;
    for (const ran of [false, true]) {
      const { database, dir } = await world({ '0001_five.up.sql': text });
      await once(database, dir, async (migrator) => {
        await migrator.up({ to: 'chronos:0003_vectors' });
        // The other answer stands in the connection's own database.
        await execute(database.url, ran ? 'drop table if exists a' : 'create table a (n int)');
        await execute(other.url, ran ? 'delete from a' : 'drop table if exists a');
        await log(database.url, 'started', 2);
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      });
      expect(Number(await columnOf(other.url, 'select sum(n) from a'))).toBe(7);
    }
  });

  it('asks where the catalog cannot tell, and goes on as it is told', async () => {
    const text = 'create table a (n int);\nrename table a to b;\ncreate table c (n int);\n';
    for (const as of ['done', 'again'] as const) {
      const { database, dir } = await world({ '0001_five.up.sql': text });
      await once(database, dir, async (migrator) => {
        await migrator.up({ to: 'chronos:0003_vectors' });
        await execute(database.url, `create table ${as === 'done' ? 'b' : 'a'} (n int)`);
        await log(database.url, 'step', 1);
        await log(database.url, 'started', 2);
        expect(await rejected(migrator.up())).toMatchObject({
          reason: 'MIGRATION_PARTIAL',
          statement: 2,
          hint: expect.stringContaining('chronos-migrate repair app:0001_five done --step 2 --dir DIR'),
        });
        expect(await rejected(migrator.repair({ migration: '0001', step: 3, as }))).toMatchObject({
          code: 'INVALID_ARGUMENT',
        });
        await migrator.repair({ migration: 'app:0001_five', step: 2, as });
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
      });
      expect(Number(await columnOf(database.url, 'select count(*) from b join c'))).toBe(0);
    }
  });

  it('does not settle what was never begun, nor a file that is not given', async () => {
    const { database, dir, file } = await world({ '0001_five.up.sql': FIVE });
    await once(database, dir, async (migrator) => {
      await rejected(migrator.up());
      await migrator.repair({ migration: '0001', step: 3, as: 'done' });
      expect((await migrator.status()).findings.join()).toContain(
        '3 of 5 statements done, statement 4 was not begun',
      );
      expect(await rejected(migrator.repair({ migration: '0001', step: 4, as: 'done' }))).toMatchObject({
        message: expect.stringContaining('never begun'),
      });
    });
    const alone = createMigrator(database.url);
    expect(await rejected(alone.repair({ migration: '0001', as: 'done' }))).toMatchObject({
      hint: expect.stringContaining('--dir'),
    });
    await alone.close();
    await rm(file);
    await once(database, dir, async (migrator) => {
      expect(await rejected(migrator.up())).toMatchObject({
        reason: 'MIGRATION_MISSING',
        migration: 'app:0001_five',
      });
      expect(await migrator.status()).toMatchObject({ missing: ['app:0001_five'], partial: 'app:0001_five' });
    });
  });

  it('does not take for done what was there before', async () => {
    const { database, dir } = await world({ '0001_five.up.sql': 'create table a (n int);\ndrop table z;\n' });
    await once(database, dir, async (migrator) => {
      await execute(database.url, 'create table a (x int)');
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'MIGRATION_FAILED', statement: 1 });
      expect(told(await migrator.history())).toEqual(['started', 'failed 1']);
      await execute(database.url, 'drop table a');
      expect(await rejected(migrator.up())).toMatchObject({ reason: 'MIGRATION_PARTIAL', statement: 2 });
      expect(told(await migrator.history()).slice(-2)).toEqual(['step 1', 'failed 2']);
    });
  });

  it('reverts a file statement by statement, and goes on there too', async () => {
    const down = 'drop index a_n on a;\ndrop table nowhere;\ndrop table a;\n';
    const { database, dir } = await world({ '0001_five.up.sql': MENDED, '0001_five.down.sql': down });
    await once(database, dir, async (migrator) => {
      await migrator.up();
      expect(await rejected(migrator.down({ yes: true }))).toMatchObject({ statement: 2 });
      expect(await rejected(migrator.up())).toMatchObject({
        reason: 'MIGRATION_PARTIAL',
        hint: expect.stringContaining('run `down` first'),
      });
      await execute(database.url, 'create table nowhere (n int)');
      expect(await migrator.down({ yes: true })).toMatchObject({ partial: null });
      expect((await migrator.status()).pending).toEqual(['app:0001_five']);
      expect(await migrator.up()).toMatchObject({ pending: [] });
    });
  });

  it('keeps what a file sets for its session, also when it goes on', async () => {
    const text = `set @n = 7;\ncreate table a (n int);\ninsert into a values (@n), (nowhere);\n`;
    const { database, dir, file } = await world({ '0001_five.up.sql': text });
    await once(database, dir, async (migrator) => {
      await rejected(migrator.up());
      await writeFile(file, text.replace(', (nowhere)', ''));
      await migrator.up();
    });
    expect(Number(await columnOf(database.url, 'select n from a'))).toBe(7);
  });

  it('runs bodies with semicolons, and what follows them', async () => {
    const { database, dir } = await world({
      '0001_five.up.sql': `create table a (n int);
create trigger t before insert on a for each row begin
  if new.n > 5 then set new.n = case when new.n > 9 then 9 else 5 end; end if;
end;
insert into a values (7), (99), (1);
`,
    });
    await once(database, dir, (migrator) => migrator.up());
    expect(Number(await columnOf(database.url, 'select sum(n) from a'))).toBe(15);
  });

  it('waits for what the server still runs for a client that is gone, and then finds it done', async () => {
    const { database, dir } = await world({
      '0001_slow.up.sql': 'create table slow as select sleep(4) as n;\ninsert into slow values (5);\n',
    });
    await once(database, dir, (migrator) => migrator.up({ to: 'chronos:0003_vectors' }));
    const victim = await startUp(database.url, { dir });
    await victim.event('started');
    const running =
      "select count(*) from information_schema.processlist where info like 'create table slow%'";
    while (Number(await columnOf(database.url, running)) === 0);
    victim.process.kill('SIGKILL');
    await victim.ended;
    const waits: string[] = [];
    const migrator = createMigrator(database.url, {
      dir,
      onProgress: (progress) => progress.kind === 'waiting' && waits.push(progress.holder),
    });
    try {
      expect(await migrator.up()).toMatchObject({ partial: null, pending: [] });
    } finally {
      await migrator.close();
    }
    expect(waits.join()).toMatch(/connection \d+/);
    expect(Number(await columnOf(database.url, 'select sum(n) from slow'))).toBe(5);
  });

  it('runs under sql_require_primary_key and ANSI_QUOTES', async () => {
    const { database, dir } = await world({ '0001_five.up.sql': MENDED });
    const pool = mysql.createPool({ uri: database.url.replace('mariadb:', 'mysql:'), connectionLimit: 4 });
    const strict = variant.name === 'mysql9' ? ', session sql_require_primary_key = on' : '';
    pool.on('connection', (connection) => {
      connection.query(`set session sql_mode = 'ANSI_QUOTES'${strict}`);
    });
    const migrator = createMigrator(pool, { dir });
    const ours = createMigrator(pool);
    try {
      expect(await migrator.up()).toMatchObject({ pending: [], partial: null });
      expect((await ours.down({ to: '0', yes: true })).current).toEqual(['app:0001_five']);
      expect(await ours.up()).toMatchObject({ pending: [], partial: null });
    } finally {
      await migrator.close();
      await ours.close();
      await pool.promise().end();
    }
  });
});
