import type { Connection, Values } from '../drivers/connection.ts';
import { AlreadyExistsError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';

/** Runs a statement of `insertOne`; false when the key was stored already, however the engine says it. */
export async function insertedOne(
  connection: Connection,
  statement: Statement,
  values: Values,
): Promise<boolean> {
  try {
    return (await connection.run(statement, values)) > 0;
  } catch (error) {
    if (error instanceof AlreadyExistsError) return false;
    throw error;
  }
}
