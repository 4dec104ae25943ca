import type { Row } from './check.ts';

/** What one statement takes at most: rows, and bytes of vectors and texts, about. */
const ROWS = 1000;
const BYTES = 8_000_000;

/** Rows in parts that one statement takes each, in the order of their ids: writers that share ids wait, and do not deadlock. */
export function partsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: Row[][] = [];
  let part: Row[] = [];
  let size = 0;
  for (const row of [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const more = row.vector.byteLength + (row.metadata?.length ?? 0) + (row.content?.length ?? 0);
    if (part.length === ROWS || (part.length > 0 && size + more > BYTES)) {
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
