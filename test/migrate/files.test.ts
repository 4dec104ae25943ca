import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loadCode } from '../../src/migrate/code-files.ts';
import { EMBEDDED } from '../../src/migrate/embedded.ts';
import { builtIn, hostFiles } from '../../src/migrate/files.ts';
import { checksum } from '../../src/migrate/text/checksum.ts';
import type { Language } from '../../src/sql/dialect-name.ts';
import { hostFolder } from './host-folder.ts';

describe('checksum', () => {
  const plain = checksum('select 1;\nselect 2;\n');

  it.each([
    ['CRLF', 'select 1;\r\nselect 2;\r\n'],
    ['a BOM', '\uFEFFselect 1;\nselect 2;\n'],
    ['no final newline', 'select 1;\nselect 2;'],
    ['many final newlines', 'select 1;\nselect 2;\n\n\n'],
  ])('does not change with %s', (_, text) => expect(checksum(text)).toBe(plain));

  it.each([
    ['a blank', 'select 1; \nselect 2;\n'],
    ['case', 'SELECT 1;\nselect 2;\n'],
    ['a leading newline', '\nselect 1;\nselect 2;\n'],
    ['the Unicode form', 'select 1;\nselect 2; -- e\u0301'],
  ])('changes with %s', (_, text) => expect(checksum(text)).not.toBe(plain));

  it('stays what it was in the logs that exist', () => {
    expect(checksum('select 1;\n')).toBe('4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c');
  });
});

describe('the built-in files', () => {
  it.each<Language>(['postgres', 'mysql', 'sqlite'])('are in order and revertible: %s', async (language) => {
    const files = await builtIn(language);
    expect(files.map(({ name }) => name)).toEqual(['0001_ledger', '0002_open_runs', '0003_vectors']);
    for (const { namespace, down, up } of files) {
      expect(namespace).toBe('chronos');
      expect(down).toBeTruthy();
      expect(up).toBe(EMBEDDED[language][`${files.find((file) => file.up === up)?.name}.up.sql`]);
    }
  });
});

describe("a host's folder", () => {
  it('gives its files in order, BOM and CRLF gone', async () => {
    const dir = await hostFolder({
      '0002_b.up.sql': '\uFEFFselect 2;\r\n',
      '0001_a.up.sql': 'select 1;\n',
      '0001_a.down.sql': 'select -1;\n',
      'README.md': 'not ours',
      'types.d.ts': 'not code',
      '0001_a.d.ts': 'not code',
      '0001_a.d.mts': 'not code',
      '0001_a.js.map': 'not code',
      '.gitkeep': '',
    });
    const files = await hostFiles(dir, 'shop', 'postgres');
    expect(files.map(({ id, up, down }) => ({ id, up, down }))).toEqual([
      { id: 'shop:0001_a', up: 'select 1;\n', down: 'select -1;\n' },
      { id: 'shop:0002_b', up: 'select 2;\n', down: undefined },
    ]);
    expect(files[1]?.checksum).toBe(checksum('select 2;\n'));
  });

  const CODE = 'export const up = () => {};';
  const twice = 'select 1;\nselect 2;\n';
  it.each<[string, Record<string, string | Uint8Array>, RegExp, Language?]>([
    ['a name without number', { 'a.up.sql': '' }, /a\.up\.sql: not a name/],
    ['a number that is too short', { '001_a.up.sql': '' }, /001_a\.up\.sql: not a name/],
    ['a name without direction', { '0001_a.sql': '' }, /0001_a\.sql: not a name/],
    ['a name too long for the log', { [`0001_${'a'.repeat(200)}.up.sql`]: '' }, /not a name/],
    ['two of one number', { '0001_a.up.sql': '', '0001_b.up.sql': '' }, /0001_b: 0001_a has the same number/],
    ['a down without up', { '0001_a.down.sql': '' }, /no 0001_a\.up\.sql/],
    ['code and SQL of one number', { '0001_a.mjs': CODE, '0001_a.up.sql': '' }, /0001_a has the same number/],
    ['code without a number', { 'helpers.mjs': CODE }, /helpers\.mjs: not a name/],
    [
      'code without up',
      { '0001_a.mjs': 'export const down = () => {};' },
      /0001_a\.mjs: exports no function up/,
    ],
    [
      'code whose down is none',
      { '0001_a.mjs': `${CODE} export const down = 1;` },
      /its down is not a function/,
    ],
    ['code whose checksum is none', { '0001_a.mjs': `${CODE} export const checksum = 1;` }, /its checksum/],
    ['code that does not parse', { '0001_a.mjs': 'export {' }, /0001_a\.mjs: cannot be loaded/],
    ['code that throws', { '0001_a.mjs': 'throw new Error("no luck")' }, /cannot be loaded: no luck/],
    [
      'an unknown directive',
      { '0001_a.up.sql': '-- chronos: fast\n' },
      /up\.sql: there is no directive fast/,
    ],
    [
      'a directive of another engine',
      { '0001_a.up.sql': '-- chronos: no-transaction\n' },
      /no-transaction means nothing on sqlite/,
      'sqlite',
    ],
    [
      'foreign keys off on Postgres',
      { '0001_a.up.sql': '-- chronos: foreign-keys-off\n' },
      /foreign-keys-off means nothing on postgres/,
    ],
    [
      'two statements without a transaction',
      { '0001_a.up.sql': `-- chronos: no-transaction\n${twice}` },
      /2 statements, and no-transaction runs one/,
    ],
    ...[
      'create index concurrently on a (n);',
      'create UNIQUE index /* no name */ Concurrently on only a (n)',
    ].map((text): [string, Record<string, string>, RegExp] => [
      text,
      { '0001_a.up.sql': `-- chronos: no-transaction\n${text}` },
      /0001_a\.up\.sql: the index has no name/,
    ]),
    [
      'breaking in a down',
      { '0001_a.up.sql': '', '0001_a.down.sql': '--chronos: breaking' },
      /a\.down\.sql: breaking belongs to the up file/,
    ],
    ['an ending in capitals', { '0001_x.up.SQL': '' }, /0001_x\.up\.SQL: not a name/],
    ['a name in capitals', { '0001_X.UP.SQL': '' }, /0001_X\.UP\.SQL: not a name/],
    ['no ending', { '0001_x.up': '' }, /0001_x\.up: not a name/],
    ['another ending', { '0001_x.up.sql~': '' }, /0001_x\.up\.sql~: not a name/],
    ['a number and a document', { '0001_notes.md': '' }, /0001_notes\.md: not a name/],
    ['JavaScript in capitals', { '0001_a.JS': '' }, /0001_a\.JS: not a name/],
    [
      'NUL',
      { '0001_a.up.sql': 'select 1;\nselect\0 2;' },
      /0001_a\.up\.sql: a NUL character in line 2/,
      'sqlite',
    ],
    ['NUL on Postgres', { '0001_a.up.sql': '\0' }, /NUL character in line 1/],
    ['NUL on MySQL', { '0001_a.up.sql': '', '0001_a.down.sql': '--\0' }, /a\.down\.sql: a NUL/, 'mysql'],
    ['an open comment', { '0001_a.up.sql': 'select 1;\n/* x' }, /a comment that opens in line 2/, 'sqlite'],
    ['an open quote', { '0001_a.up.sql': "\n\nselect 'x" }, /the quote ' that opens in line 3/, 'mysql'],
    ['an open body', { '0001_a.up.sql': 'do $a$ begin $$' }, /the quote \$a\$ that opens in line 1/],
    ['commit', { '0001_a.up.sql': 'begin;\nselect 1;\ncommit;' }, /0001_a\.up\.sql: begin/],
    [
      'not UTF-8',
      { '0001_a.up.sql': new Uint8Array([0x2d, 0x2d, 0xe9, 0x0a]) },
      /0001_a\.up\.sql: not UTF-8/,
    ],
    ['delimiter', { '0001_a.up.sql': 'delimiter //\nselect 1//' }, /delimiter in line 1 is a word/, 'mysql'],
    [
      'a transaction between statements',
      { '0001_a.up.sql': 'start transaction;\ninsert into a values (1);\ncommit;' },
      /start transaction in line 1/,
      'mysql',
    ],
    [
      'a lock between statements in a down',
      { '0001_a.up.sql': '', '0001_a.down.sql': 'drop table b;\nlock tables a write;' },
      /a\.down\.sql: lock tables a in line 2/,
      'mysql',
    ],
  ])('is refused with %s', async (_, files, message, language = 'postgres') => {
    const refusal = hostFiles(await hostFolder(files), 'app', language);
    await expect(refusal).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'USAGE',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });

  it('is refused with a folder that is named like a file, and ignores others', async () => {
    const dir = await hostFolder({ '0001_a.up.sql': 'select 1;', README: '', 'a.sql.txt': '', '12_x': '' });
    await mkdir(join(dir, 'old'));
    expect(await hostFiles(dir, 'app', 'sqlite')).toHaveLength(1);
    await mkdir(join(dir, '0002_b.up.sql'));
    await expect(hostFiles(dir, 'app', 'sqlite')).rejects.toMatchObject({
      reason: 'USAGE',
      message: expect.stringMatching(/0002_b\.up\.sql: not a file/),
    });
  });

  it('is refused when it is no folder', async () => {
    const dir = await hostFolder({ file: '' });
    for (const [path, message] of [
      [join(dir, 'none'), /no such folder/],
      [join(dir, 'file'), /cannot be read \(ENOTDIR\)/],
    ] as const) {
      await expect(hostFiles(path, 'app', 'sqlite')).rejects.toThrow(message);
    }
  });
});

describe('code that never ends loading', () => {
  it('is given up, and named', async () => {
    const dir = await hostFolder({
      '0001_a.mjs': 'await new Promise(() => {}); export const up = () => {};',
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const loading = expect(loadCode(join(dir, '0001_a.mjs'))).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/0001_a\.mjs: cannot be loaded: it had not ended after 30 s/),
      });
      await vi.advanceTimersByTimeAsync(30_000);
      await loading;
    } finally {
      vi.useRealTimers();
    }
  });
});
