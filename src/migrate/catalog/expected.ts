import { type DialectName, languageOf } from '../../sql/dialect-name.ts';
import { binCollation } from '../engines/placeholders.ts';
import { GOLDEN } from './golden.ts';
import type { Wanted } from './postgres.ts';
import { byName, type FunctionShape, type Shape, type TableShape } from './shape.ts';

/** What one built-in migration leaves: the tables and functions that it makes or changes, and those that it drops. */
export interface GoldenStep extends Shape {
  readonly gone: readonly string[];
}

/** The log's own step: it is there before the first migration and stays after the last. */
export const LOG_STEP = 'log';

/** The shape that these steps, {@link LOG_STEP} or migrations as `NNNN_name` in their order, make on a dialect. */
export function expectedShape(dialectName: DialectName, names: readonly string[]): Shape {
  const steps = GOLDEN[languageOf(dialectName)];
  const tables = new Map<string, TableShape>();
  const functions = new Map<string, FunctionShape>();
  for (const name of names) {
    const step = steps[name];
    for (const table of step?.tables ?? []) tables.set(table.name, filledIn(table, dialectName));
    for (const routine of step?.functions ?? []) functions.set(routine.name, routine);
    for (const gone of step?.gone ?? []) {
      tables.delete(gone);
      functions.delete(gone);
    }
  }
  return { tables: [...tables.values()].sort(byName), functions: [...functions.values()].sort(byName) };
}

/** Every table and function that any of the built-in migrations makes. */
export function everyName(dialectName: DialectName): Wanted {
  const steps = Object.values(GOLDEN[languageOf(dialectName)]);
  const names = (shapes: readonly { readonly name: string }[]) => shapes.map(({ name }) => name);
  return {
    tables: [...new Set(steps.flatMap(({ tables }) => names(tables)))].sort(),
    functions: [...new Set(steps.flatMap(({ functions }) => names(functions)))].map(bareName).sort(),
  };
}

/** The first step that makes a table or function. */
export function makerOf(dialectName: DialectName, name: string): string {
  const steps = Object.entries(GOLDEN[languageOf(dialectName)]);
  const made = steps.find(([, step]) => [...step.tables, ...step.functions].some((one) => one.name === name));
  return made?.[0] ?? LOG_STEP;
}

/** `chronos_append_event(text)` → `chronos_append_event`. */
function bareName(name: string): string {
  return name.replace(/\(.*$/s, '');
}

/** The collation's name is the one fact that the two servers of a language do not share. */
function filledIn(table: TableShape, dialectName: DialectName): TableShape {
  const name = (text: string) => text.replaceAll('{{bin_collation}}', () => binCollation(dialectName));
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      collation: column.collation === null ? null : name(column.collation),
    })),
    traits: Object.fromEntries(Object.entries(table.traits).map(([key, value]) => [key, name(value)])),
  };
}
