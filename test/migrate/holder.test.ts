import { describe, expect, it } from 'vitest';
import { holderText } from '../../src/migrate/engines/holder.ts';

function told(query: string): string {
  return holderText({ session: 's', user: 'u', address: null, state: 'active', query });
}

describe('who holds the lock', () => {
  it.each([
    ['create table widgets (id int default 42)', 'create table widgets'],
    [
      '-- it\'s about\n/* x */ CREATE TABLE if not exists "chronos".a (b int)',
      'create table if not exists "chronos".a',
    ],
    ["insert into users values ('hunter2')", 'insert into users'],
    ['insert into users values ("hunter2", $$hunter2$$, 42)', 'insert into users'],
    ["update users set password = E'it\\'s hunter2'", 'update users'],
    ['delete from `a`.`b` where c = 7', 'delete from `a`.`b`'],
    ['create unique index concurrently i on t (a)', 'create unique index concurrently i'],
    ['alter table only a.b add column c text default 3', 'alter table only a.b'],
    ["select 'hunter2'", 'select'],
    ["alter user bob identified by 'hunter2'", 'alter'],
    ['create table "hunter2 is mine" (a int)', 'create table'],
    ['create table hunter2@x', 'create table'],
  ])('says of %s only the beginning', (query, expected) =>
    expect(told(query)).toBe(`s (u), active: ${expected}`),
  );

  it.each(['', 'hunter2', "'hunter2", '/* open hunter2', '42', 'creates hunter2'])(
    'says nothing of %j, which begins with no keyword',
    (query) => expect(told(query)).toBe('s (u), active'),
  );
});
