import type { Connection } from '../../drivers/connection.ts';
import { SchemaOutOfDateError, UnavailableError } from '../../errors.ts';
import { statement } from '../../sql/statement.ts';

/**
 * Why a table that `information_schema` does not show may be there all the same: it shows an account only what it
 * may touch, and the server refuses the others whether they are there or not. undefined = it is not there.
 * `place` is the table as SQL names it.
 */
export async function hidden(on: Connection, place: string): Promise<UnavailableError | undefined> {
  try {
    await on.rows(statement('migrate.hidden', `select 1 as found from ${place} limit 0`), {});
  } catch (error) {
    if (error instanceof SchemaOutOfDateError) return undefined;
    if (error instanceof UnavailableError && error.reason === 'PRIVILEGE') return error;
    throw error;
  }
  // It was made meanwhile: whoever looks again finds it.
  return undefined;
}
