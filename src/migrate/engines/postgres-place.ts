import { causes } from '../causes.ts';
import type { Place } from '../step-failure.ts';
import { statementsOf } from '../text/statements.ts';

/**
 * Where in a file an error arose that tells its position: Postgres does of what it could not read or find, counted in
 * characters of all that was sent. undefined = it does not tell.
 */
export function placeIn(sql: string, thrown: unknown): Place | undefined {
  const position = positionOf(thrown);
  const characters = [...sql];
  if (position === undefined || position < 1 || position > characters.length + 1) return undefined;
  const at = characters.slice(0, position - 1).join('').length;
  const statements = statementsOf(sql, 'postgres');
  const index = statements.findLastIndex(({ tokens: [first] }) => first !== undefined && first.at <= at);
  const found = statements[index];
  if (found === undefined) return undefined;
  return { statement: index + 1, statements: statements.length, line: found.line, undone: true };
}

/** Of the innermost error, which is the server's own. */
function positionOf(thrown: unknown): number | undefined {
  let position: number | undefined;
  for (const error of causes(thrown)) {
    const told: unknown = Reflect.get(error, 'position');
    position = typeof told === 'string' && /^\d+$/.test(told) ? Number(told) : undefined;
  }
  return position;
}
