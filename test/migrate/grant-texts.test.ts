import { describe, expect, it } from 'vitest';
import { everyName } from '../../src/migrate/catalog/expected.ts';
import { mysqlGrants } from '../../src/migrate/grants/mysql.ts';
import { postgresGrants } from '../../src/migrate/grants/postgres.ts';
import type { DialectName } from '../../src/sql/dialect-name.ts';

const LOG = 'chronos_migration_log';
const ACCOUNT = { user: 'app', host: '%' };

/** Table → verbs, as the statements give them. */
function given(statements: readonly string[]): Record<string, string> {
  const pairs = statements.flatMap((text) => {
    const [, verbs = '', tables = ''] = /^grant (.+) on (?!schema|function)(.+) to /.exec(text) ?? [];
    return tables
      .split(', ')
      .filter((table) => table !== '')
      .map((table) => [table.replace(/^.*\./, '').replaceAll('`', ''), verbs]);
  });
  return Object.fromEntries(pairs);
}

const TEXTS: Readonly<
  Record<Exclude<DialectName, 'sqlite'>, (tables: readonly string[]) => readonly string[]>
> = {
  postgres: (tables) => postgresGrants('chronos', 'app', { tables, functions: [] }),
  pglite: (tables) => postgresGrants('chronos', 'app', { tables, functions: [] }),
  mysql: (tables) => mysqlGrants('agents', ACCOUNT, tables),
  mariadb: (tables) => mysqlGrants('agents', ACCOUNT, tables),
};

describe.each(Object.entries(TEXTS))('the grants of %s', (dialect, texts) => {
  it('name every table of ours, and let nobody write the log', () => {
    const { tables } = everyName(dialect as DialectName);
    const verbs = (table: string) => (table === LOG ? 'select' : 'select, insert, update, delete');
    expect(given(texts(tables))).toEqual(Object.fromEntries(tables.map((table) => [table, verbs(table)])));
  });
});
