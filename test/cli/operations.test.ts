import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hostFolder } from '../migrate/host-folder.ts';
import { execute } from '../migrate/raw.ts';
import { oneOfEachLanguage, type PerLanguage, type TestDatabase } from '../variants.ts';
import { cli, cliJson, emptyFolder } from './cli-process.ts';
import { expectGolden, scrub } from './golden.ts';

/** MySQL's DDL commits by itself: there a file can stand half done. */
const WALK: PerLanguage<string> = {
  postgres: 'operations',
  sqlite: 'operations-sqlite',
  mysql: 'operations-mysql',
};

describe.each(oneOfEachLanguage)('$name', (variant) => {
  let database: TestDatabase;
  let dir: string;
  beforeAll(async () => {
    database = await variant.createDatabase('operations');
    dir = await hostFolder({
      '0001_a.up.sql': 'create table a (n int primary key);\n',
      '0001_a.down.sql': 'drop table a;\n',
      '0002_b.up.sql':
        'create table b (n int primary key);\ninsert into b values (1);\ncreate table a (n int primary key);\n',
    });
  });

  it('redoes, baselines, repairs, unlocks and waits, in text', async () => {
    const log = variant.language === 'postgres' ? 'chronos.chronos_migration_log' : 'chronos_migration_log';
    const half = `insert into ${log} (namespace, migration, direction, event, step, steps)
      values ('app', '0002_b', 'up', 'started', 1, 3)`;
    const host = ['--dir', dir];
    const steps: readonly (readonly [number, ...string[]] | (() => Promise<void>))[] = [
      [10, 'wait', '--timeout', '0'],
      [2, 'baseline', '--at', '0003'],
      [0, 'up'],
      [0, 'wait'],
      [0, 'up', '--to', 'app:0001_a', ...host],
      [11, 'redo', ...host],
      [0, 'redo', '--yes', ...host],
      [variant.language === 'mysql' ? 6 : 5, 'up', ...host],
      [variant.language === 'mysql' ? 6 : 10, 'status', '--check', ...host],
      () => execute(database.url, half),
      [6, 'status', '--check', ...host],
      [2, 'repair', 'app:0002_b', '--step', '9', 'done', ...host],
      [0, 'repair', 'app:0002_b', 'again', ...host],
      [0, 'baseline', '--at', 'app:0002_b', ...host],
      [0, 'status', '--check', ...host],
      [0, 'unlock'],
      [0, 'unlock', '--force'],
    ];
    const screen: string[] = [];
    for (const step of steps) {
      if (typeof step === 'function') {
        await step();
        continue;
      }
      const [code, ...args] = step;
      const ended = await cli([...args, '--url', database.url]);
      const shown = args.map((word) => (word === dir ? 'migrations' : word));
      screen.push(`$ chronos-migrate ${shown.join(' ')}`, ended.stdout + ended.stderr, `[${ended.code}]\n`);
      expect(ended.code, `${args[0]}: ${ended.stderr}`).toBe(code);
    }
    expectGolden(WALK[variant.language], scrub(screen.join('\n')), variant.name);
  }, 180_000);

  it('says the same as JSON', async () => {
    const json = (...args: string[]) => cliJson([...args, '--url', database.url, '--dir', dir]);
    expect(await json('unlock')).toMatchObject({ ok: true, holder: null, ended: false });
    expect(await json('wait')).toMatchObject({ ok: true, pending: [] });
    expect(await json('baseline', '--at', 'app:0002_b')).toMatchObject({ ok: true, baselined: [] });
    expect(await json('repair', '0002', 'done')).toMatchObject({ ok: false, exitCode: 2 });
    expect(await json('redo')).toMatchObject({ exitCode: 11, error: { code: 'IRREVERSIBLE' } });
  });
});

describe('a migration in code', () => {
  it('that ends the process is no success', async () => {
    const cwd = emptyFolder();
    const dir = await hostFolder({ '0001_exit.mjs': 'export const up = () => process.exit(0);' });
    const ended = await cli(['up', '--url', 'sqlite:./x.db', '--dir', dir], { cwd });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('ended from inside');
  });
});

describe('new', () => {
  it('writes files where it runs, or where it is told, without a database', async () => {
    const cwd = emptyFolder();
    const first = await cli(['new', 'add widgets'], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      ['up', 'down']
        .map((side) => `written: ${join('migrations', `0001_add_widgets.${side}.sql`)}\n`)
        .join(''),
    );
    const second = await cliJson(['new', 'more', '--dir', './migrations'], { cwd });
    expect(second).toMatchObject({
      ok: true,
      target: null,
      created: [join('migrations', '0002_more.up.sql'), join('migrations', '0002_more.down.sql')],
    });
  });
});
