import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Column, RECORD_TABLES, type Table } from '../../src/model/tables.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { type Database, openDatabase } from './database.ts';
import { migrateUp } from './migrated.ts';

/** Not of the record tables' list: written by the statements of order. */
const HEADS: Table = {
  name: 'chronos_event_heads',
  record: 'event head',
  columns: [
    { name: 'tenant_id', field: 'tenantId', type: 'key', optional: false, max: 128 },
    { name: 'session_id', field: 'sessionId', type: 'key', optional: false, max: 255 },
    { name: 'head', field: 'head', type: 'int', optional: false },
  ],
};

/** Characters of four bytes that no engine can compress: Postgres would make index rows smaller, and hide the limit. */
function incompressible(length: number, seed: number): string {
  let state = seed;
  const next = () => {
    // xorshift32: the same text each time.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return String.fromCodePoint(...Array.from({ length }, () => 0x10000 + (next() % 0xffffe)));
}

const LATEST: PerLanguage<string | number> = {
  postgres: '9999-12-31T23:59:59.999Z',
  mysql: '9999-12-31 23:59:59.999',
  sqlite: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
};

function greatest(column: Column, time: string | number, seed: number): string | number {
  if (column.type === 'int') return Number.MAX_SAFE_INTEGER;
  if (column.type === 'time') return time;
  return column.type === 'json' ? '{"\\u0000":1e21}' : incompressible(column.max!, seed);
}

describe.each(variants)('values of the greatest length on $name', ({ language, createDatabase }) => {
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase((await createDatabase('lengths')).url);
    await migrateUp(database.target);
  });
  afterAll(() => database.close());

  it.each([...RECORD_TABLES, HEADS])('fit every index of $name and come back', async ({ name, columns }) => {
    const quote = (column: string) => (language === 'mysql' ? `\`${column}\`` : `"${column}"`);
    const places = columns.map((_, at) => (language === 'postgres' ? `$${at + 1}` : '?'));
    const values = columns.map((column, at) => greatest(column, LATEST[language], 0x5eed + at));
    const names = columns.map((column) => quote(column.name));
    await database.query(`insert into ${name} (${names}) values (${places})`, values);
    const texts = columns.filter((column) => column.max !== undefined);
    const [row] = await database.query<Record<string, string>>(
      `select ${texts.map((each) => quote(each.name))} from ${name}`,
    );
    for (const { name: column } of texts) {
      expect(row?.[column], column).toBe(values[columns.findIndex((each) => each.name === column)]);
    }
  });

  it('are told apart by their last byte, and by a trailing space', async () => {
    const id = incompressible(254, 1);
    const place = (at: number) => (language === 'postgres' ? `$${at}` : '?');
    const insert = `insert into chronos_event_heads values ('t', ${place(1)}, 1)`;
    for (const end of ['', ' ', 'e', 'E', 'é', 'e\u0301'.slice(1)]) await database.query(insert, [id + end]);
    const rows = await database.query<{ id: string }>(
      "select session_id as id from chronos_event_heads where tenant_id = 't' order by tenant_id, session_id",
    );
    expect(rows.map((row) => row.id.slice(id.length))).toEqual(['', ' ', 'E', 'e', 'é', '\u0301']);
  });
});
