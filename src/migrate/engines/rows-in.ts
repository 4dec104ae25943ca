import type { Connection } from '../../drivers/connection.ts';
import { SchemaOutOfDateError } from '../../errors.ts';
import { statement } from '../../sql/statement.ts';

/** Rows of a table whose name was checked to be a name; null when there is no such table. */
export async function rowsIn(connection: Connection, table: string): Promise<number | null> {
  try {
    const [row] = await connection.rows(statement('migrate.count', `select count(*) as n from ${table}`), {});
    return Number(row?.n ?? 0);
  } catch (error) {
    if (error instanceof SchemaOutOfDateError) return null;
    throw error;
  }
}
