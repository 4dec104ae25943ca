import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted } from '../../drivers/when-free.ts';
import { heard } from '../heard.ts';
import type { Place } from '../step-failure.ts';
import { statementsOf } from '../text/statements.ts';

/** Where a file is; SQLite itself does not tell where in a script an error arose. */
export interface At {
  place?: Place;
}

/** Runs a host's file statement by statement, between which a signal is heeded. */
export async function runEach(
  session: Connection,
  sql: string,
  at: At,
  signal: AbortSignal | undefined,
): Promise<void> {
  const statements = statementsOf(sql, 'sqlite');
  for (const [index, { text, line }] of statements.entries()) {
    await heard();
    forbidAborted(signal);
    at.place = { statement: index + 1, statements: statements.length, line, undone: true };
    await session.script(text);
    delete at.place;
  }
}
