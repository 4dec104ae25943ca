import type { Connection } from '../../drivers/connection.ts';
import { type DialectName, languageOf } from '../../sql/dialect-name.ts';
import { backquoted } from '../engines/placeholders.ts';
import type { Difference } from './differences.ts';
import { mysqlShape } from './mysql.ts';
import { hidden } from './mysql-hidden.ts';
import { mysqlMend } from './mysql-mend.ts';
import { postgresShape, type Wanted } from './postgres.ts';
import { postgresMend } from './postgres-mend.ts';
import type { Shape } from './shape.ts';
import { sqliteShape } from './sqlite.ts';
import { sqliteMend } from './sqlite-mend.ts';

/** What of these names a database has. `schema` counts on Postgres and PGlite. */
export function liveShape(connection: Connection, schema: string, wanted: Wanted): Promise<Shape> {
  switch (languageOf(connection.dialectName)) {
    case 'postgres':
      return postgresShape(connection, schema, wanted);
    case 'mysql':
      return mysqlShape(connection, wanted.tables);
    case 'sqlite':
      return sqliteShape(connection, wanted.tables);
  }
}

/** Which of these tables, absent from {@link liveShape}, may be there and out of the role's sight. */
export async function hiddenOf(
  connection: Connection,
  tables: readonly string[],
): Promise<readonly string[]> {
  if (languageOf(connection.dialectName) !== 'mysql') return [];
  const found: string[] = [];
  for (const table of tables) {
    if ((await hidden(connection, backquoted(table))) !== undefined) found.push(table);
  }
  return found;
}

/** The statement that mends a difference, or '' where no single one does. */
export function mendOf(dialectName: DialectName, schema: string, difference: Difference): string {
  switch (languageOf(dialectName)) {
    case 'postgres':
      return postgresMend(difference, schema);
    case 'mysql':
      return mysqlMend(difference, dialectName);
    case 'sqlite':
      return sqliteMend(difference);
  }
}
