import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, cliJson, emptyFolder } from './cli-process.ts';
import { expectGolden } from './golden.ts';

/** Mistakes, and what is said about them; the golden file holds the words. */
const MISTAKES: Readonly<Record<string, readonly string[]>> = {
  'no-command': [],
  'unknown-command': ['statsu'],
  'unknown-flag': ['up', '--lock-timout', '3s'],
  'flag-of-another-command': ['status', '--yes'],
  'no-value': ['up', '--to'],
  'flag-as-value': ['up', '--to', '--dry-run'],
  'value-on-a-switch': ['up', '--dry-run=yes'],
  'bad-step': ['up', '--step', '0'],
  'bad-time': ['up', '--lock-timeout', 'soon'],
  'to-and-step': ['down', '--to', '0001', '--step', '1'],
  'quiet-and-verbose': ['up', '--quiet', '--verbose'],
  'second-word': ['up', '0001'],
  'word-missing': ['new'],
  'word-too-many': ['repair', 'app:0001_x', 'done', 'now'],
  'neither-done-nor-again': ['repair', 'app:0001_x', 'perhaps'],
  'baseline-without-at': ['baseline'],
  'bad-name': ['new', '../x'],
  // Not a missing --env-file: Node 20 reads that flag wherever it stands, and ends with its own exit code 9.
  'missing-ca': ['up', '--ssl-ca', 'nowhere.pem'],
  'no-such-scheme': ['up', '--url', 'oracle://localhost/x'],
};

describe('help and the version', () => {
  it.each([
    ['help', ['--help']],
    ['help', ['-h']],
    ['help', ['help']],
    ['help-up', ['up', '--help']],
    ['help-down', ['down', '--help', '--nonsense']],
    ['help-status', ['--help', 'status']],
    ['help-history', ['history', '-h']],
    ['help-redo', ['redo', '-h']],
    ['help-wait', ['wait', '-h']],
    ['help-baseline', ['baseline', '-h']],
    ['help-repair', ['repair', '-h']],
    ['help-unlock', ['unlock', '-h']],
    ['help-new', ['new', '-h']],
    ['help-verify', ['verify', '--help']],
    ['help-doctor', ['doctor', '--help']],
  ])('%s: %j', async (golden, args) => {
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(golden, stdout);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(110);
  });

  it('prints the version of the package', async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});

describe('mistakes', () => {
  it.each(Object.entries(MISTAKES))('%s', async (name, args) => {
    const cwd = emptyFolder();
    const text = await cli(args, { cwd });
    expect(text).toMatchObject({ code: 2, stdout: '' });
    expectGolden(`mistake-${name}`, text.stderr);
    const envelope = await cliJson(args, { cwd });
    expect(envelope).toMatchObject({ ok: false, exitCode: 2, engine: null, applied: [] });
    expect(envelope.error?.code).toBe(name === 'no-such-scheme' ? 'BAD_URL' : 'USAGE');
    expect(envelope.error?.hint).toMatch(/\S/);
  });

  it.each([
    ['a URL without its flag', ['postgres://me:s3cret@localhost/app']],
    ['a URL after the command', ['up', 'postgres://me:s3cret@localhost/app']],
    ['a URL in a misspelt flag', ['up', '--ulr=postgres://me:s3cret@localhost/app']],
    ['a URL in the wrong flag', ['up', '--step', 'postgres://me:s3cret@localhost/app']],
    ['a password flag', ['up', '--password=s3cret']],
    ['a URL that cannot be read', ['up', '--url', 'postgres://me:s3cret@localhost:99999999/app']],
    ['a scheme that is none', ['up', '--url', 'psotgres://me:s3cret@localhost/app']],
  ])('repeats no secret: %s', async (_, args) => {
    for (const more of [[], ['--json'], ['--verbose']]) {
      const { code, stdout, stderr } = await cli([...args, ...more]);
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain('s3cret');
    }
  });

  it('does not take an unknown target for an SQLite file', async () => {
    expect(await cliJson(['status', '--url', 'somewhere'])).toMatchObject({ error: { code: 'BAD_URL' } });
  });
});

describe('the target', () => {
  const target = async (args: readonly string[], env: Readonly<Record<string, string>>, cwd: string) => {
    return (await cliJson(['up', ...args], { env, cwd })).target;
  };

  it('is --url, else CHRONOS_DATABASE_URL, else DATABASE_URL; a variable set to nothing is not set', async () => {
    const cwd = emptyFolder();
    const env = { CHRONOS_DATABASE_URL: 'sqlite:ours.db', DATABASE_URL: 'sqlite:theirs.db' };
    expect(await target(['--url', 'sqlite:given.db'], env, cwd)).toContain('given.db');
    expect(await target([], env, cwd)).toContain('ours.db');
    expect(await target([], { ...env, CHRONOS_DATABASE_URL: '' }, cwd)).toContain('theirs.db');
  });

  it('is ./chronos.db where nobody named one, and that is said', async () => {
    const cwd = emptyFolder();
    const { code, stderr, stdout } = await cli(['up'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toBe('no --url, CHRONOS_DATABASE_URL or DATABASE_URL: using sqlite:./chronos.db\n');
    expect(stdout).toContain(join(cwd, 'chronos.db'));
  });

  it('may stand in the --env-file, over which the environment wins; no .env is read unasked', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, '.env'), 'DATABASE_URL="sqlite:from-file.db"\n');
    expect(await target([], {}, cwd)).toContain('chronos.db');
    expect(await target(['--env-file', '.env'], {}, cwd)).toContain('from-file.db');
    expect(await target(['--env-file', '.env'], { DATABASE_URL: 'sqlite:env.db' }, cwd)).toContain('env.db');
  });
});
