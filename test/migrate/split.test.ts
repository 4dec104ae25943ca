import { describe, expect, it } from 'vitest';
import { EMBEDDED } from '../../src/migrate/embedded.ts';
import { split } from '../../src/migrate/split.ts';

/** Text → `line:statement` of each. */
function told(sql: string): string[] {
  return split(sql).map(({ line, text }) => `${line}:${text}`);
}

describe('split', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['blanks and comments', '\n -- a\n# b\n/* c; */ ;;\n', []],
    ['the last without semicolon', 'select 1;\nselect 2', ['1:select 1', '2:select 2']],
    ['lines', '\n\nselect\n 1;  select 2;\n\n select 3;', ['3:select\n 1', '4:select 2', '6:select 3']],
    ['a leading comment', '-- about\nselect 1;', ['2:select 1']],
    [
      "semicolons in '…'",
      "select ';', 'it''s;', 'a\\';b';select 2",
      ["1:select ';', 'it''s;', 'a\\';b'", '1:select 2'],
    ],
    ['in "…"', 'select ";", "a"";", "b\\";";select 2', ['1:select ";", "a"";", "b\\";"', '1:select 2']],
    ['in `…`, where a backslash is itself', 'select `;\\`;select 2', ['1:select `;\\`', '1:select 2']],
    ['in comments', 'select 1 -- ;\n + 2 # ;\n /* ; */;x', ['1:select 1 -- ;\n + 2 # ;\n /* ; */', '3:x']],
    ['two minuses that are no comment', 'select 5--3;select 2', ['1:select 5--3', '1:select 2']],
    ['a comment at the very end', 'select 1;--', ['1:select 1']],
    ['code in a comment', '/*!40101 set a=1; */;x', ['1:/*!40101 set a=1; */', '1:x']],
    ['code for MariaDB', 'select /*M! 1; */ 2;x', ['1:select /*M! 1; */ 2', '1:x']],
    ['an open quote', "select 'a;b", ["1:select 'a;b"]],
    ['an open comment', 'select 1;/* a;', ['1:select 1']],
    [
      'quotes in comments',
      "select 1 /* ' */; select '--'; # '\nselect 3",
      ["1:select 1 /* ' */", "1:select '--'", '2:select 3'],
    ],
    [
      'a trigger with a body',
      'select 1;\ncreate trigger t before insert on a for each row begin set @a = 1; set @b = 2; end;\n',
      ['1:select 1', '2:create trigger t before insert on a for each row begin set @a = 1; set @b = 2; end'],
    ],
    [
      'a definer without quotes',
      'create definer=root@localhost event e on schedule every 1 day do begin select 1; end',
      ['1:create definer=root@localhost event e on schedule every 1 day do begin select 1; end'],
    ],
    [
      'a view named like a routine',
      'create view event as select 1;x',
      ['1:create view event as select 1', '1:x'],
    ],
    [
      'a definer',
      'create definer=`a`@`b` procedure p() begin select 1; end',
      ['1:create definer=`a`@`b` procedure p() begin select 1; end'],
    ],
  ])('%s', (_, sql, expected) => expect(told(sql)).toEqual(expected));

  it('keeps every built-in statement whole', () => {
    for (const text of Object.values(EMBEDDED.mysql)) {
      const words = split(text).map((statement) => statement.text.split(/\s/, 1)[0]);
      for (const word of words)
        expect(['create', 'drop', 'set', 'prepare', 'execute', 'deallocate']).toContain(word);
      expect(words.length).toBeGreaterThan(0);
    }
  });
});
