import { MigrationError } from '../errors.ts';
import { languageOf } from '../sql/dialect-name.ts';
import type { MigrationEngine } from './engines/engine.ts';
import type { Step } from './plan.ts';
import { destroyed } from './text/destroyed.ts';

const LINE_LIMIT = 100;

/** What reverting `steps` would destroy, a line each, with the rows that the tables hold now; those without rows together. */
export async function lossLines(engine: MigrationEngine, steps: readonly Step[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const empty: string[] = [];
  for (const step of steps) {
    const { id, down = '' } = step.migration;
    const { tables, others } = destroyed(down, languageOf(engine.dialectName));
    if (step.migration.code !== undefined)
      lines.push(`${id}: runs code, and what it takes away is not known`);
    for (const name of tables) {
      const table = filledIn(engine, step, name);
      const rows = await engine.rowsIn(table);
      const line = `${id}: drops ${table} with ${rows} ${rows === 1 ? 'row' : 'rows'}`;
      if (rows !== null) (rows === 0 ? empty : lines).push(line);
    }
    for (const other of others) lines.push(`${id}: ${filledIn(engine, step, other).slice(0, LINE_LIMIT)}`);
  }
  // What is lost must not stand among lines about nothing.
  return empty.length > 1 ? [...lines, `drops ${empty.length} empty tables`] : [...lines, ...empty];
}

/** A piece of the step's text as the engine would run it. */
export function filledIn(engine: MigrationEngine, step: Step, piece: string): string {
  return engine.sql({ ...step, direction: 'down', migration: { ...step.migration, down: piece } });
}

/** The refusal of a `down` that nobody confirmed; its message says what would be lost. */
export function notConfirmed(steps: readonly Step[], lines: readonly string[]): MigrationError {
  const ids = steps.map((step) => step.migration.id);
  const lost = lines.length === 0 ? 'no table and no rows would be lost' : lines.join('\n  ');
  return new MigrationError(`refused: this would revert ${ids.join(', ')}\n  ${lost}`, {
    reason: 'NOT_CONFIRMED',
    hint: 'confirm it with --yes',
    ...(ids[0] === undefined ? {} : { migration: ids[0] }),
  });
}
