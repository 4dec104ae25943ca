import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oneOfAll, type TestDatabase, type Variant } from '../variants.ts';
import { cli, cliJson, emptyFolder } from './cli-process.ts';
import { expectGolden, scrub } from './golden.ts';

describe.each(oneOfAll)('files of a host on $name', (variant: Variant) => {
  let database: TestDatabase;
  let dir = '';
  let namespace = '';
  let cases = 0;

  beforeAll(async () => {
    database = await variant.createDatabase('cli_host');
    expect(await cliJson(['up', '--url', database.url])).toMatchObject({ ok: true });
  });
  // A namespace and table names for each case, so that they may share a database.
  beforeEach(() => {
    dir = emptyFolder();
    cases += 1;
    namespace = `app${cases}`;
    write('0001_first', `create table ${namespace}_first (n int);`, `drop table ${namespace}_first;`);
    write('0003_third', `create table ${namespace}_third (n int);`, `drop table ${namespace}_third;`);
  });

  function write(name: string, up: string, down?: string): void {
    writeFileSync(join(dir, `${name}.up.sql`), up);
    if (down !== undefined) writeFileSync(join(dir, `${name}.down.sql`), down);
  }
  const args = (words: readonly string[]) => [
    ...words,
    '--url',
    database.url,
    '--dir',
    dir,
    '--namespace',
    namespace,
  ];
  const json = (...words: string[]) => cliJson(args(words));
  async function screen(name: string, ...words: string[]): Promise<void> {
    const { stderr, stdout } = await cli(args([...words, '--verbose']));
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
    const plain = await cli(args(words));
    expectGolden(
      name,
      scrub(plain.stderr).replaceAll(namespace, 'app').replaceAll(dir, '<dir>'),
      variant.name,
    );
  }

  it('are applied after ours and reverted by their own namespace', async () => {
    const up = await json('up');
    expect(up.applied.map(({ id }) => id)).toEqual([`${namespace}:0001_first`, `${namespace}:0003_third`]);
    const down = await json('down', '--to', '0', '--yes');
    expect(down.applied.map(({ id }) => id)).toEqual([`${namespace}:0003_third`, `${namespace}:0001_first`]);
    expect((await json('status')).pending).toHaveLength(2);
  });

  it('edited after they were applied: 7 CHECKSUM_MISMATCH', async () => {
    await json('up');
    write('0001_first', `create table ${namespace}_first (n int, more int);`);
    const id = `${namespace}:0001_first`;
    const up = await json('up');
    expect(up).toMatchObject({ exitCode: 7, changed: [id] });
    expect(up.error).toMatchObject({ code: 'CHECKSUM_MISMATCH', migration: id });
    expect(await json('status')).toMatchObject({ exitCode: 0, changed: [id] });
    expect(await json('status', '--check')).toMatchObject({ exitCode: 7, error: { migration: id } });
    await screen('host-edited', 'up');
  });

  it('gone after they were applied: 7 MIGRATION_MISSING', async () => {
    await json('up');
    rmSync(join(dir, '0001_first.up.sql'));
    rmSync(join(dir, '0001_first.down.sql'));
    const id = `${namespace}:0001_first`;
    const up = await json('up');
    expect(up).toMatchObject({ exitCode: 7, missing: [id] });
    expect(up.error).toMatchObject({ code: 'MIGRATION_MISSING', migration: id });
    await screen('host-missing', 'up');
  });

  it('that sort before an applied one: 7 OUT_OF_ORDER, and nothing is applied', async () => {
    await json('up');
    write('0002_second', `create table ${namespace}_second (n int);`);
    write('0004_fourth', `create table ${namespace}_fourth (n int);`);
    const up = await json('up');
    expect(up).toMatchObject({ exitCode: 7, applied: [] });
    expect(up.error).toMatchObject({ code: 'OUT_OF_ORDER', migration: `${namespace}:0002_second` });
    await screen('host-late', 'up');
  });

  it('whose code throws after the end was told: it stays as it was told, in one object', async () => {
    const code = `export const up = () => {
      const { write } = process.stdout;
      process.stdout.write = (...all) => {
        setTimeout(() => { throw new Error('too late'); }, 1);
        return write.apply(process.stdout, all);
      };
    };`;
    writeFileSync(join(dir, '0002_code.mjs'), code);
    const { stdout, stderr, code: exitCode } = await cli(args(['up', '--json']));
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, exitCode: 0 });
    expect(stderr).toMatch(/^after the end was told: an error that chronos-migrate did not expect/);
    expect(exitCode).toBe(0);
  });

  it('without a way back: 11 IRREVERSIBLE, and nothing is reverted', async () => {
    rmSync(join(dir, '0001_first.down.sql'));
    await json('up');
    const down = await json('down', '--to', '0', '--yes');
    expect(down).toMatchObject({ exitCode: 11, applied: [], error: { code: 'IRREVERSIBLE' } });
    await screen('host-irreversible', 'down', '--to', '0', '--yes');
  });

  it('an unknown --to: 2 UNKNOWN_TARGET', async () => {
    const up = await json('up', '--to', '0007');
    expect(up).toMatchObject({ exitCode: 2, applied: [], error: { code: 'UNKNOWN_TARGET' } });
    await screen('host-unknown-to', 'up', '--to', '0007');
  });

  it('that fail: 5 MIGRATION_FAILED; what came before stays, what came after does not start', async () => {
    write('0002_second', `create tabel ${namespace}_second (n int);`);
    const up = await json('up');
    expect(up.exitCode).toBe(5);
    expect(up.error).toMatchObject({ code: 'MIGRATION_FAILED', migration: `${namespace}:0002_second` });
    expect(up.error?.hint).toMatch(/\S/);
    expect(up.applied.map(({ id }) => id)).toEqual([`${namespace}:0001_first`]);
    expect(up.pending).toEqual([`${namespace}:0002_second`, `${namespace}:0003_third`]);
    if (variant.language !== 'mysql') await tellsWhere();
    write('0002_second', `create table ${namespace}_second (n int);`);
    expect((await json('up')).applied).toHaveLength(2);
  });

  /** Of what it could not read or find Postgres tells the position, in characters; SQLite has one statement at a time. */
  async function tellsWhere(): Promise<void> {
    for (const [wrong, statement, line] of [
      ['selec 1', 2, 3],
      ['select 1 from nowhere_at_all', 2, 3],
      ['insert into second_table values (1, 2)', 2, 3],
    ] as const) {
      write(
        '0002_second',
        `-- \u{1f600} é\ncreate table second_table (n int); -- \u{1f600}\n${wrong};\nselect 2;`,
      );
      const up = await json('up');
      expect(up.exitCode).toBe(5);
      expect(up.error).toMatchObject({ code: 'MIGRATION_FAILED', statement });
      expect(up.error?.message).toContain(` failed at statement ${statement} of 3, line ${line}: `);
      expect(up.error?.hint).toContain('nothing of it stayed');
      expect(up.partial).toBe(null);
    }
  }

  it('the same text with CRLF and a BOM is the same file', async () => {
    const text = `create table ${namespace}_second\n(n int);\n`;
    write('0002_second', text);
    await json('up');
    write('0002_second', `\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(await json('status', '--check')).toMatchObject({ exitCode: 0, changed: [] });
  });

  it('are not counted as looked at where their folder is not given, and that is said', async () => {
    const before = (await json('verify')).unseen;
    await json('up');
    const without = async (...words: string[]) => cli([...words, '--url', database.url]);
    const said = new RegExp(
      `^migrations of the namespaces? .*\\b${namespace}\\b.* were not looked at: .*--dir$`,
      'm',
    );
    const verified = await without('verify');
    expect(verified.stdout).toMatch(/^verified 3 migrations: /m);
    for (const { code, stderr } of [verified, await without('status'), await without('up')]) {
      expect(code).toBe(0);
      expect(stderr).toMatch(said);
    }
    expect(await cliJson(['verify', '--url', database.url])).toMatchObject({
      unseen: expect.arrayContaining([...before, namespace]),
      findings: [],
    });
    const reverts: readonly (readonly [number, ...string[]])[] = [
      [11, 'redo'],
      [0, 'redo', '--yes'],
      [11, 'down', '--to', '0'],
      [0, 'down', '--to', '0', '--yes'],
      [0, 'up'],
    ];
    for (const [expected, ...words] of reverts) {
      const { code, stderr } = await without(...words);
      expect([code, stderr], words.join(' ')).toEqual([expected, expect.stringMatching(said)]);
    }
    const given = await cli(args(['verify']));
    expect(given.stdout).toMatch(/^verified 5 migrations: /m);
    expect(given.stderr).toBe('');
    expect((await json('verify')).unseen).toEqual(before);
  });

  it('in a folder that does not exist, or with a name that is none: 2 USAGE', async () => {
    writeFileSync(join(dir, 'third.sql'), 'select 1;');
    expect(await json('up')).toMatchObject({ exitCode: 2, error: { code: 'USAGE' } });
    rmSync(dir, { recursive: true });
    expect(await json('up')).toMatchObject({ exitCode: 2, error: { code: 'USAGE' } });
  });
});
