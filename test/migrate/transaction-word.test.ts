import { describe, expect, it } from 'vitest';
import { transactionWord } from '../../src/migrate/text/transaction-word.ts';
import type { Language } from '../../src/sql/dialect-name.ts';

const BOTH: readonly Language[] = ['postgres', 'sqlite'];

describe('words of transactions', () => {
  it.each<[string, string | undefined, (readonly Language[])?]>([
    ['begin;', 'begin'],
    ['select 1; COMMIT', 'commit'],
    ['-- begin\nstart  transaction;', 'start transaction'],
    ['end', 'end'],
    ['select 1;;\n/* a */ End Transaction;', 'end'],
    ['end work', 'end'],
    ['abort', 'abort'],
    ['rollback', 'rollback'],
    ['rollback and chain', 'rollback'],
    ["prepare transaction 'a'", 'prepare transaction'],
    ["commit prepared 'a'", 'commit'],
    ["rollback prepared 'a'", 'rollback'],
    ['savepoint a; rollback to a; release a', undefined],
    ['rollback work to savepoint a; rollback transaction to a', undefined],
    ['prepare p as select 1', undefined],
    ['create table commits (a int); select 1 as a, "end", case when 1 then 2 end;', undefined],
    ["select 'commit; commit';", undefined],
    ['select "o\'brien"; commit; select "o\'brien"', 'commit'],
    ["select E'it\\'s'; commit; --'", 'commit', ['postgres']],
    ["select 'a\\'; commit; --'", 'commit'],
    ['/* /* */ select 1; commit; -- */', 'commit', ['sqlite']],
    ['/* /* */ ; commit; */ select 1', undefined, ['postgres']],
    ["select [it's]; commit; select [it's]", 'commit', ['sqlite']],
    ['select `;commit;`', undefined, ['sqlite']],
    ['do $$ begin perform 1; end $$;', undefined, ['postgres']],
    ['select a$b$; commit; select c$b$', 'commit', ['postgres']],
  ])('%s', (sql, word, languages = BOTH) => {
    for (const language of languages) expect(transactionWord(sql, language)?.word, language).toBe(word);
  });

  it.each<[Language, string]>([
    ['sqlite', 'create trigger t after insert on x begin select 1; select case a when 1 then 2 end; end'],
    [
      'sqlite',
      'create temp trigger t after insert on x when new.a = case 1 when 1 then 2 end begin delete from x; end',
    ],
    ['sqlite', 'create trigger if not exists begin after update of "end" on x begin select 1; /* e */ end'],
    [
      'postgres',
      'create function f() returns int begin atomic select 1; select case when true then 2 end; end',
    ],
    [
      'postgres',
      'create or replace procedure p("begin" int) begin atomic insert into t values (1); select 1 as end; end',
    ],
    ['postgres', 'create function f(begin int) returns int language sql as $$ select 1; end; $$'],
    [
      'postgres',
      'create rule r as on insert to t do also (insert into a values (1); insert into b values (2))',
    ],
  ])('a body is legal, and ends: %s %s', (language, sql) => {
    expect(transactionWord(sql, language)).toBeUndefined();
    expect(transactionWord(`${sql};\nselect 1;\n\ncommit;`, language)).toEqual({ word: 'commit', line: 4 });
  });
});
