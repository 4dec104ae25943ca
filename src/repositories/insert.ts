import type { Values } from '../drivers/connection.ts';
import { AlreadyExistsError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import { run, type Work } from './work.ts';

/** Runs a statement of `insertOne`; false when the key was stored already, however the engine says it. */
export function* insertedOne(statement: Statement, values: Values): Work<boolean> {
  try {
    return (yield* run(statement, values)) > 0;
  } catch (error) {
    if (error instanceof AlreadyExistsError) return false;
    throw error;
  }
}
