import { beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../migrate/raw.ts';
import { type Driver, oneOfEachLanguage, type PerLanguage, type TestDatabase } from '../variants.ts';
import { cli, cliJson, start } from './cli-process.ts';
import { expectGolden, scrub } from './golden.ts';

/** The screens differ in what mends. */
const SCREENS: PerLanguage<string> = {
  postgres: 'verify-postgres',
  mysql: 'verify-mysql',
  sqlite: 'verify-sqlite',
};
const DOCTORS: Record<Driver, string> = {
  pg: 'doctor-postgres',
  pglite: 'doctor-pglite',
  mysql2: 'doctor-mysql',
  'better-sqlite3': 'doctor-sqlite',
};
const DROP_INDEX: PerLanguage<string> = {
  postgres: 'drop index chronos.chronos_events_by_time',
  mysql: 'alter table chronos_events drop key chronos_events_by_time',
  sqlite: 'drop index chronos_events_by_time',
};
const FOREIGN: PerLanguage<string> = {
  postgres: 'create index by_type on chronos.chronos_events (type)',
  mysql: 'create index by_type on chronos_events (type)',
  sqlite: 'create index by_type on chronos_events (type)',
};
const EDIT: PerLanguage<string> = {
  postgres: "update chronos.chronos_migration_log set checksum = 'x' where migration = '0001_ledger'",
  mysql: "update chronos_migration_log set checksum = 'x' where migration = '0001_ledger'",
  sqlite: "update chronos_migration_log set checksum = 'x' where migration = '0001_ledger'",
};
/** Milliseconds in which a command ends by itself once it has said what it has to say. */
const END = 2000;

/** What a screen of `doctor` says that differs between servers. */
function scrubDoctor(text: string): string {
  return (
    scrub(text)
      .replace(/^(ok {4}(?:connection|server version|extension vector|time zone) +) \S.*$/gm, '$1 <differs>')
      .replace(/(lock_wait_timeout +)\d+ s/g, '$1<n> s')
      .replace(/allows \d+;/g, 'allows <n>;')
      // Roles are the server's: another test file may have made it meanwhile.
      .replaceAll('create role "chronos_app" login; ', '')
      .replace(/set (persist|global) lock/g, 'set <scope> lock')
      .replace(/utf8mb4, \w+/g, 'utf8mb4, <collation>')
  );
}

describe.each(oneOfEachLanguage)('$name', (variant) => {
  const { language, driver } = variant;
  let database: TestDatabase;
  const run = (...args: string[]) => cli([...args, '--url', database.url]);
  const json = (...args: string[]) => cliJson([...args, '--url', database.url]);

  beforeAll(async () => {
    database = await variant.createDatabase('inspect');
    expect((await run('up', '--quiet')).code).toBe(0);
  });

  it('verify and doctor, in text and as JSON', async () => {
    const screen: string[] = [];
    const show = async (code: number, ...args: string[]) => {
      const ended = await run(...args);
      screen.push(`$ chronos-migrate ${args.join(' ')}`, ended.stdout + ended.stderr, `[${ended.code}]\n`);
      expect(ended.code, ended.stdout + ended.stderr).toBe(code);
    };
    const clean = await json('verify');
    expect(clean).toMatchObject({ ok: true, command: 'verify', findings: [], checks: [], reason: null });
    expect(clean).toHaveProperty('current', [
      'chronos:0001_ledger',
      'chronos:0002_open_runs',
      'chronos:0003_vectors',
    ]);
    await show(0, 'verify');
    await show(0, 'verify', '--quiet');
    await execute(database.url, FOREIGN[language]);
    await show(0, 'verify');
    await execute(database.url, DROP_INDEX[language]);
    await show(8, 'verify');
    await show(8, 'verify', '--quiet');
    const drift = await json('verify');
    expect(drift).toMatchObject({ ok: false, exitCode: 8, reason: 'DRIFT', error: { code: 'DRIFT' } });
    expect(drift.findings).toHaveLength(2);
    expect(drift).toHaveProperty('checks.0.subject', 'chronos_events');
    await execute(database.url, EDIT[language]);
    await show(7, 'verify');
    expect(await json('verify')).toMatchObject({ exitCode: 7, error: { code: 'CHECKSUM_MISMATCH' } });
    expectGolden(SCREENS[language], scrub(screen.join('\n')), variant.name);

    const well = await json('doctor');
    expect(well).toMatchObject({ ok: true, command: 'doctor', reason: null });
    expect(well).toHaveProperty('checks.0', {
      level: 'ok',
      subject: 'connection',
      message: well.target,
      mend: null,
    });
    const { code, stdout, stderr } = await run('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(DOCTORS[driver], scrubDoctor(stdout), variant.name);
  }, 120_000);

  it.each(['verify', 'doctor'])('%s ends by itself', async (command) => {
    const { child, ended } = await start([command, '--url', database.url]);
    let said = 0;
    child.stdout?.on('data', () => {
      said = Date.now();
    });
    await ended;
    expect(said).toBeGreaterThan(0);
    expect(Date.now() - said).toBeLessThan(END);
  });

  it('up --grant-to: what was given, in text and as JSON', async () => {
    const role = `chronos_cli_app_${process.pid}`;
    // Its own: the first case edits the log, which stops every `up`.
    const { url } = await variant.createDatabase('inspect_grant');
    const grant = ['up', '--grant-to', role, '--url', url];
    if (language === 'sqlite') {
      expect(await cliJson(grant)).toMatchObject({ exitCode: 2, error: { code: 'USAGE' } });
      return;
    }
    const word = language === 'mysql' ? 'user' : 'role';
    await execute(url, `create ${word} ${role}`);
    try {
      const dry = await cli([...grant, '--dry-run']);
      expect(dry.stdout).toMatch(/^-- grants\ngrant .*;$/m);
      const text = await cli(grant);
      expect(text).toMatchObject({ code: 0, stderr: '' });
      expect(text.stdout).toContain(`granted to ${role} what a service needs\n`);
      const again = await cliJson(grant);
      expect(again).toMatchObject({ ok: true, applied: [], pending: [] });
      expect(again).toHaveProperty('grants.0', expect.stringMatching(/^grant /));
    } finally {
      if (language === 'postgres') await execute(url, `drop owned by ${role}`);
      await execute(url, `drop ${word} ${role}`);
    }
  });

  it('a role that is none: 2, and nothing is done', async () => {
    const refused = await json('up', '--grant-to', `nobody_${process.pid}`);
    expect(refused).toMatchObject({ exitCode: 2, applied: [], error: { code: 'USAGE' } });
    expect(await json('verify', '--app-role', `nobody_${process.pid}`)).toMatchObject({ exitCode: 2 });
  });
});

it('doctor fails with 1 for what is neither a privilege nor an extension', async () => {
  const { default: Database } = await import('better-sqlite3');
  const { emptyFolder } = await import('./cli-process.ts');
  const path = `${emptyFolder()}/other.db`;
  new Database(path).exec("pragma encoding = 'UTF-16le'; create table a (n int)").close();
  const { code, stdout, stderr } = await cli(['doctor', '--url', `sqlite:${path}`]);
  expect(code).toBe(1);
  expectGolden('doctor-failed', scrubDoctor(stdout + stderr));
});
