import type { Statement } from '../sql/statement.ts';
import type { StatementSeen } from './options.ts';

/** Who is told after each statement, if anybody. */
export type OnStatement = ((seen: StatementSeen) => void) | undefined;

/** What is done: a {@link Statement}, or words without values. */
export type Doing = string | Pick<Statement, 'name' | 'way'>;

/** Its name. */
export function nameOf(doing: Doing): string {
  return typeof doing === 'string' ? doing : doing.name;
}

/** Tells of a statement that began at `started` (`performance.now()`). */
export function tell(
  onStatement: OnStatement,
  doing: Doing,
  started: number,
  rows: number,
  error?: Error,
): void {
  if (!onStatement) return;
  const ms = performance.now() - started;
  try {
    const way = typeof doing === 'string' ? undefined : doing.way;
    const seen = { name: nameOf(doing), ms, rows };
    onStatement({ ...seen, ...(way !== undefined && { way }), ...(error !== undefined && { error }) });
  } catch {
    // An observer's mistake must not look like a failure of the statement, which may be applied.
  }
}
