import { MigrationError } from '../errors.ts';
import { languageOf } from '../sql/dialect-name.ts';
import { losses } from './bare.ts';
import type { MigrationEngine } from './engines/engine.ts';
import type { Step } from './plan.ts';

/** What reverting `steps` would destroy, a line each, with the rows that the tables hold now. */
export async function lossLines(engine: MigrationEngine, steps: readonly Step[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const step of steps) {
    const { id } = step.migration;
    const { tables, others } = losses(engine.sql(step), languageOf(engine.dialectName));
    for (const table of tables) {
      const rows = await engine.rowsIn(table);
      if (rows !== null) lines.push(`${id}: drops ${table} with ${rows} ${rows === 1 ? 'row' : 'rows'}`);
    }
    for (const other of others) lines.push(`${id}: ${other}`);
  }
  return lines;
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
