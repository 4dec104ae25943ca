import type { Value, Values } from '../drivers/connection.ts';
import { sizeOf } from '../sql/rows.ts';
import { IN_ORDER, type Statement } from '../sql/statement.ts';

/** Rows, and characters, that one statement takes at most, so that memory and packets stay bounded. */
const ROWS = 1000;
const CHARACTERS = 1_000_000;

/** Rows in one order, so that batches which share ids wait for each other rather than deadlock. */
function sorted(rows: readonly Values[]): readonly Values[] {
  return [...rows].sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
}

/** The rows of a batch, sorted, in parts that one statement takes. */
export function partsOf(rows: readonly Values[], maxBytes: number): readonly (readonly Values[])[] {
  const characters = Math.min(CHARACTERS, maxBytes / 8);
  const parts: Values[][] = [];
  let part: Values[] = [];
  let size = 0;
  for (const row of sorted(rows)) {
    const more = sizeOf(row);
    if (part.length === ROWS || (part.length > 0 && size + more > characters)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(row);
    size += more;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Pieces of the sizes that there are statements for, the greatest first. */
export function* piecesOf(rows: readonly Values[], sizes: readonly number[]): Generator<readonly Values[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}

/** Rows as the parameters `<column>.<row>` of a statement that takes so many. */
export function valuesOfRows(rows: readonly Values[], { name, order }: Statement): Values {
  const width = order.length / rows.length;
  if (!Number.isInteger(width))
    throw new TypeError(`${name}: ${order.length} parameters for ${rows.length} rows`);
  const columns = order.slice(0, width).map((parameter) => parameter.slice(0, parameter.lastIndexOf('.')));
  return { [IN_ORDER]: rows.flatMap((row) => columns.map((column) => row[column] ?? null)) };
}

/** The ids of rows of one tenant as parameters `id.<row>`. */
export function numberedIds(rows: readonly Values[]): Values {
  const ids = Object.fromEntries(rows.map(({ id }, index) => [`id.${index}`, id ?? null]));
  return { ...ids, tenant_id: rows[0]?.tenant_id ?? '' };
}

/** One column of rows of one tenant as an array. */
export function listOf(rows: readonly Values[], column: string): Value {
  return rows.map((row) => row[column] as string | number | null);
}

/** Rows of one tenant as one array for each column of a statement. */
export function arraysOf(rows: readonly Values[], columns: readonly string[]): Values {
  const arrays = Object.fromEntries(columns.map((column) => [column, listOf(rows, column)]));
  return { ...arrays, tenant_id: rows[0]?.tenant_id ?? '' };
}
