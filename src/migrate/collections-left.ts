import { MigrationError, SchemaOutOfDateError } from '../errors.ts';
import { languageOf } from '../sql/dialect-name.ts';
import { statement } from '../sql/statement.ts';
import type { MigrationEngine } from './engines/engine.ts';
import { filledIn } from './losses.ts';
import type { Step } from './plan.ts';
import { destroyed } from './text/destroyed.ts';

const REGISTRY = /(^|[."])chronos_vector_collections"?$/;
const NAMES = 8;
/** A name may be of 255 code points. */
const NAME_LENGTH = 60;

/**
 * Throws IRREVERSIBLE where a step of `down` drops the list of vector collections while there are any: their tables
 * are in no migration, so nothing would find them any more. The SQL refuses too, but halfway and in words of the engine.
 */
export async function forbidOrphans(engine: MigrationEngine, steps: readonly Step[]): Promise<void> {
  const language = languageOf(engine.dialectName);
  if (language === 'mysql') return;
  for (const step of steps) {
    const { tables } = destroyed(step.migration.down ?? '', language);
    const registry = tables.find((table) => REGISTRY.test(table));
    if (registry === undefined) continue;
    const { count, names } = await collectionsIn(engine, filledIn(engine, step, registry));
    if (count > 0) throw orphaned(step, count, names);
  }
}

async function collectionsIn(
  { connection }: MigrationEngine,
  registry: string,
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  const text = `select name, count(*) over () as n from ${registry} order by number limit ${NAMES}`;
  try {
    const rows = (await connection?.rows(statement('migrate.collections', text), {})) ?? [];
    return { count: Number(rows[0]?.n ?? 0), names: rows.map(({ name }) => String(name)) };
  } catch (error) {
    if (error instanceof SchemaOutOfDateError) return { count: 0, names: [] };
    throw error;
  }
}

function orphaned({ migration: { id } }: Step, count: number, names: readonly string[]): MigrationError {
  const left =
    count === 1
      ? '1 vector collection is left: its table'
      : `${count} vector collections are left: their tables`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const shown = names.map((name) => JSON.stringify([...name].slice(0, NAME_LENGTH).join('')));
  return new MigrationError(`${id}: ${left} would be orphaned; nothing was changed`, {
    reason: 'IRREVERSIBLE',
    migration: id,
    hint: `call dropCollection of ${count === 1 ? 'it' : 'each'} first: ${shown.join(', ')}${more}`,
  });
}
