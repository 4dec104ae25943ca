import { describe, expect, it } from 'vitest';
import { builtCli, CliProcess, cliJson, type Ended, emptyFolder } from './cli-process.ts';

const ESC = '\u001b';
const COLOR = `${ESC}[32m`;
const SPINNER = '⠋';

/** Runs a shell line in which `$CLI` is `chronos-migrate`. */
async function shell(
  line: string,
  env: Readonly<Record<string, string>> = {},
  cwd = emptyFolder(),
): Promise<Ended> {
  const CLI = `${process.execPath} ${await builtCli()}`;
  return new CliProcess('bash', ['-o', 'pipefail', '-c', line], { cwd, env: { ...env, CLI } }).ended;
}

/** The same on a pseudo-terminal of util-linux's `script`. */
function terminal(args: string, env: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Ended> {
  return shell(`script -qec "$CLI ${args}" /dev/null </dev/null`, { TERM: 'xterm', ...env }, cwd);
}

describe('without a terminal', () => {
  it('up | cat prints plain lines', async () => {
    const { code, stdout, stderr } = await shell('$CLI up --url sqlite:x.db | cat');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^applied chronos:0001_ledger in \d/);
    expect(stdout).not.toContain(ESC);
  });

  it.each(['up --url sqlite:x.db | head -n 0', 'up --json --url sqlite:x.db | head -c 1 >/dev/null'])(
    '%s: the reader goes away, the migrations are applied all the same',
    async (line) => {
      const cwd = emptyFolder();
      expect(await shell(`$CLI ${line}`, {}, cwd)).toMatchObject({ code: 0, stderr: '' });
      expect(await cliJson(['status', '--check', '--url', 'sqlite:x.db'], { cwd })).toMatchObject({
        ok: true,
      });
    },
  );

  it('a stdout and stderr that are closed harm nothing', async () => {
    const cwd = emptyFolder();
    expect(await shell('$CLI up --url sqlite:x.db >&- 2>&-', {}, cwd)).toMatchObject({ code: 0 });
    expect(await shell('$CLI up --url nonsense >&- 2>&-', {}, cwd)).toMatchObject({ code: 2 });
    expect(await cliJson(['status', '--check', '--url', 'sqlite:x.db'], { cwd })).toMatchObject({ ok: true });
  });
});

describe('on a terminal', () => {
  it('colours and a spinner', async () => {
    const { code, stdout } = await terminal('up');
    expect(code).toBe(0);
    expect(stdout).toContain(`${COLOR}applied chronos:0001_ledger in `);
    expect(stdout).toContain(SPINNER);
  });

  it.each([
    ['NO_COLOR', 'up', { NO_COLOR: '1' }],
    ['--no-color', 'up --no-color', {}],
    ['a dumb terminal', 'up', { TERM: 'dumb' }],
  ])('%s: no colours', async (_, args, env) => {
    const { code, stdout } = await terminal(args, env);
    expect(code).toBe(0);
    expect(stdout).toContain('applied chronos:0001_ledger in ');
    expect(stdout.replaceAll(`${ESC}[K`, '')).not.toContain(ESC);
  });

  it('each line of doctor in the colour of what it means', async () => {
    const cwd = emptyFolder();
    await terminal('up --quiet', {}, cwd);
    const { code, stdout } = await terminal('doctor', {}, cwd);
    expect(code).toBe(0);
    expect(stdout).toContain(`${COLOR}ok    journal mode    wal${ESC}[0m`);
    const plain = await terminal('doctor', { NO_COLOR: '1' }, cwd);
    expect(plain.stdout).toContain('ok    journal mode    wal');
    expect(plain.stdout.replaceAll(`${ESC}[K`, '')).not.toContain(ESC);
  });

  it('--json stays one plain object', async () => {
    const { stdout } = await terminal('up --json --url sqlite:x.db');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });

  it('--quiet prints nothing', async () => {
    expect(await terminal('up --quiet')).toMatchObject({ code: 0, stdout: '' });
  });

  it('a name that holds control characters does not drive it', async () => {
    const { stdout } = await terminal(`up --to $'0001\\e[2J'`);
    expect(stdout).not.toContain(`${ESC}[2J`);
  });
});
