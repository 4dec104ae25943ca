import { describe, expect, it } from 'vitest';
import { SESSIONS } from '../../src/model/tables.ts';
import { statements as eventStatements } from '../../src/repositories/event-statements.ts';
import { statements as sessionStatements } from '../../src/repositories/session-statements.ts';
import { compile, LIMIT, parameter } from '../../src/sql/compile.ts';
import { dialectFor } from '../../src/sql/dialect.ts';
import type { DialectName } from '../../src/sql/dialect-name.ts';
import type { Statement } from '../../src/sql/statement.ts';

const NAMES: readonly DialectName[] = ['postgres', 'pglite', 'mysql', 'mariadb', 'sqlite'];

/** Every statement inside a repository's statements, however deep. */
function statementsIn(value: unknown): Statement[] {
  if (typeof value === 'function') return [1000, 30, 1].map((size) => value(size) as Statement);
  if (typeof value !== 'object' || value === null) return [];
  return 'text' in value ? [value as Statement] : Object.values(value).flatMap(statementsIn);
}

describe('compile', () => {
  const builder = async () => (await dialectFor('postgres')).builder;

  it('throws when a declared parameter was lost, as knex loses a marker given to limit', async () => {
    const query = (await builder())('t')
      .select('a')
      .where('b', parameter('b') as never);
    expect(() => compile('x', query, ['b', 'limit'])).toThrow(/lost its parameter limit/);
    expect(compile('x', query.limit(LIMIT), ['b', 'limit']).order).toEqual(['b', 'limit']);
  });

  it('throws on a literal and on a parameter that nobody declared', async () => {
    const knex = await builder();
    expect(() => compile('x', knex('t').where('a', 7), [])).toThrow(/literal/);
    expect(() => compile('x', knex('t').where('a', 'text'), [])).toThrow(/literal/);
    expect(() => compile('x', knex('t').where('a', parameter('a') as never), [])).toThrow(/undeclared/);
  });
});

describe.each(NAMES)('statements of %s', (name) => {
  it('are made once, frozen, and differ in their keys', async () => {
    const dialect = await dialectFor(name);
    expect(await dialectFor(name)).toBe(dialect);
    expect(sessionStatements(dialect)).toBe(sessionStatements(dialect));
    const all = [...statementsIn(sessionStatements(dialect)), ...statementsIn(eventStatements(dialect))];
    const texts = new Map<string, string>();
    for (const one of all) {
      expect(Object.isFrozen(one)).toBe(true);
      expect(one.key.length).toBeLessThanOrEqual(63);
      expect(texts.get(one.key) ?? one.text).toBe(one.text);
      texts.set(one.key, one.text);
      expect(one.order).toContain(one.order.includes('tenant_id') ? 'tenant_id' : 'tenant_id.0');
      const places = one.text.match(dialect.client === 'pg' ? /\$\d+/g : /\?/g) ?? [];
      expect(places.length).toBe(one.order.length);
    }
  });

  it('order by the columns of the table, never by what the select list makes of them', async () => {
    const dialect = await dialectFor(name);
    for (const { text, order } of [...sessionStatements(dialect).reads, ...eventStatements(dialect).reads]) {
      expect(text).toMatch(/ order by ["`]t["`]\.["`]\w+["`] (asc|desc), ["`]t["`]\.["`]id["`] (asc|desc)/);
      expect(order.filter((one) => one === 'tenant_id')).toEqual(['tenant_id']);
    }
  });
});

describe('dialectFor', () => {
  it('qualifies tables with a schema where there are schemas, any name quoted', async () => {
    const postgres = await dialectFor('postgres', 'a "b" c');
    expect(sessionStatements(postgres).get.text).toContain('from "a ""b"" c"."chronos_sessions" as "t"');
    expect(await dialectFor('sqlite', 'one')).toBe(await dialectFor('sqlite', 'two'));
    expect(await dialectFor('postgres', 'one')).not.toBe(await dialectFor('postgres', 'two'));
  });

  it('names every column of a table in its select list', async () => {
    const { text } = sessionStatements(await dialectFor('mysql')).get;
    for (const { name } of SESSIONS.columns) expect(text).toContain(`as \`${name}\``);
  });
});
