import type { StatementSeen } from './options.ts';

/** Who is told after each statement, if anybody. */
export type OnStatement = ((seen: StatementSeen) => void) | undefined;

/** Tells of a statement that began at `started` (`performance.now()`). */
export function tell(
  onStatement: OnStatement,
  name: string,
  started: number,
  rows: number,
  error?: Error,
): void {
  if (!onStatement) return;
  const ms = performance.now() - started;
  try {
    onStatement(error === undefined ? { name, ms, rows } : { name, ms, rows, error });
  } catch {
    // An observer's mistake must not look like a failure of the statement, which may be applied.
  }
}
