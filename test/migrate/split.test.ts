import { describe, expect, it } from 'vitest';
import { EMBEDDED } from '../../src/migrate/embedded.ts';
import { statementsOf } from '../../src/migrate/text/statements.ts';

/** Text → `line:statement` of each. */
function told(sql: string): string[] {
  return statementsOf(sql, 'mysql').map(({ line, text }) => `${line}:${text}`);
}

describe('the statements of a MySQL text', () => {
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
      'what follows a body',
      'create trigger t before insert on a for each row begin if new.n then set @a = 1; end if; end;\nselect 2;x',
      [
        '1:create trigger t before insert on a for each row begin if new.n then set @a = 1; end if; end',
        '2:select 2',
        '2:x',
      ],
    ],
    [
      'a body of one statement',
      'create trigger t before insert on a for each row set @a = if(1, 2, 3); x',
      ['1:create trigger t before insert on a for each row set @a = if(1, 2, 3)', '1:x'],
    ],
    [
      'a body that is one block without begin',
      'create trigger t before insert on a for each row if new.n then set @a = 1; else set @a = 2; end if; x',
      [
        '1:create trigger t before insert on a for each row if new.n then set @a = 1; else set @a = 2; end if',
        '1:x',
      ],
    ],
    [
      'labels, loops, cases and functions of the same names',
      'create procedure if not exists p(n int) deterministic l: begin declare c int; w: while n > 0 do set c = case n when 1 then 2 else if(n, 1, 2) end; case c when 1 then select repeat("a", 2); else begin end; end case; repeat set n = n - 1; until n < 0 end repeat; loop leave w; end loop; end while w; end l; x',
      [
        '1:create procedure if not exists p(n int) deterministic l: begin declare c int; w: while n > 0 do set c = case n when 1 then 2 else if(n, 1, 2) end; case c when 1 then select repeat("a", 2); else begin end; end case; repeat set n = n - 1; until n < 0 end repeat; loop leave w; end loop; end while w; end l',
        '1:x',
      ],
    ],
    [
      'a block of MariaDB',
      'begin not atomic select 1; select 2; end; x',
      ['1:begin not atomic select 1; select 2; end', '1:x'],
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
      const words = statementsOf(text, 'mysql').map((statement) => statement.text.split(/\s/, 1)[0]);
      for (const word of words)
        expect(['create', 'drop', 'set', 'prepare', 'execute', 'deallocate']).toContain(word);
      expect(words.length).toBeGreaterThan(0);
    }
  });
});

it('tells the lines of a dump of many statements', () => {
  const dump = Array.from({ length: 40_000 }, (_, n) => `insert into t values (${n});\n`).join('');
  const statements = statementsOf(dump, 'sqlite');
  expect(statements).toHaveLength(40_000);
  expect(statements.map(({ line }) => line)).toEqual(statements.map((_, n) => n + 1));
});
