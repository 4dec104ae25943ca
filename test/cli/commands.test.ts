import { beforeAll, describe, expect, it } from 'vitest';
import { oneOfAll, type PerLanguage, type TestDatabase } from '../variants.ts';
import { cli, cliJson } from './cli-process.ts';
import { expectGolden, scrub } from './golden.ts';

const IDS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
/** MySQL's DDL commits by itself, so its log also says that a migration began. */
const WALK: PerLanguage<string> = { postgres: 'walk', sqlite: 'walk', mysql: 'walk-mysql' };
const MEMBERS = [
  'ok',
  'exitCode',
  'command',
  'engine',
  'version',
  'target',
  'applied',
  'current',
  'pending',
  'changed',
  'missing',
  'unseen',
  'partial',
  'findings',
];

describe.each(oneOfAll)('$name', (variant) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await variant.createDatabase('cli');
  });
  const run = (...args: string[]) => cli([...args, '--url', database.url]);
  const json = (...args: string[]) => cliJson([...args, '--url', database.url]);

  it('walks up, down and up again, in text', async () => {
    const screen: string[] = [];
    const steps: readonly (readonly [number, ...string[]])[] = [
      [0, 'status'],
      [10, 'status', '--check'],
      [0, 'up', '--step', '1'],
      [0, 'up'],
      [0, 'up'],
      [0, 'status', '--check'],
      [11, 'down'],
      [0, 'down', '--yes'],
      [0, 'up', '--to', '0003_vectors'],
      [0, 'down', '--to', '0', '--yes'],
      [0, 'down', '--yes'],
      [0, 'history'],
    ];
    for (const [code, ...args] of steps) {
      const ended = await run(...args);
      screen.push(`$ chronos-migrate ${args.join(' ')}`, ended.stdout + ended.stderr, `[${ended.code}]\n`);
      expect(ended.code, ended.stderr).toBe(code);
      if (code === 0 && args[0] !== 'down') expect(ended.stderr).toBe('');
    }
    expectGolden(WALK[variant.language], scrub(screen.join('\n')), variant.name);
  }, 180_000);

  it('says the same as JSON', async () => {
    const before = await json('status');
    expect(Object.keys(before), JSON.stringify(before)).toEqual(MEMBERS);
    expect(before).toMatchObject({ ok: true, command: 'status', applied: [], pending: IDS, partial: null });
    expect(await json('status', '--check')).toMatchObject({ exitCode: 10, error: { code: 'PENDING' } });
    const dry = await json('up', '--dry-run');
    expect(dry).toMatchObject({ applied: [], pending: IDS });
    expect(dry).toHaveProperty('steps.0.sql', expect.stringContaining('chronos_sessions'));
    const up = await json('up');
    expect(Object.keys(up)).toEqual(MEMBERS);
    expect(up.applied).toEqual(IDS.map((id) => ({ id, direction: 'up', ms: expect.any(Number) })));
    expect(up.current).toEqual(IDS);
    expect(up).toMatchObject({ ok: true, exitCode: 0, command: 'up', pending: [], changed: [], missing: [] });
    expect([before.engine, before.version, before.target]).toEqual([up.engine, up.version, up.target]);
    const refused = await json('down');
    expect(refused).toMatchObject({ ok: false, exitCode: 11, applied: [], current: IDS, target: up.target });
    expect(refused.error).toMatchObject({ code: 'NOT_CONFIRMED', hint: expect.stringContaining('--yes') });
    const down = await json('down', '--to', '0001', '--yes');
    const reverted = [IDS[2], IDS[1]].map((id) => ({ id, direction: 'down', ms: expect.any(Number) }));
    expect(down.applied).toEqual(reverted);
    const history = await json('history');
    expect(history).toHaveProperty(
      'history',
      expect.arrayContaining([
        expect.objectContaining({ migration: '0002_open_runs', direction: 'down', event: 'succeeded' }),
      ]),
    );
  }, 180_000);

  it('prints with --dry-run the SQL that it would run, and nothing with --quiet', async () => {
    const { stdout, code } = await run('up', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('-- chronos:0002_open_runs up\n');
    expect(stdout).toMatch(/^create table/im);
    expect(await run('up', '--quiet')).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect((await json('status')).pending).toEqual([]);
  });

  it('names statements with CHRONOS_DEBUG=sql, on stderr', async () => {
    const { stdout, stderr } = await cli(['status', '--url', database.url], {
      env: { CHRONOS_DEBUG: 'sql' },
    });
    expect(stderr).toMatch(/^sql: \S+/m);
    expect(stdout).not.toContain('sql: ');
    const { password } = new URL(database.url);
    if (password !== '') expect(stderr).not.toContain(password);
  });
});
