import type { Values } from '../drivers/connection.ts';
import type { Upsert } from '../sql/bulk.ts';
import type { Backing } from './backing.ts';
import { arraysOf, partsOf, piecesOf, valuesOfRows } from './parts.ts';
import { each, run, transaction, type Work } from './work.ts';

/** Stores rows of one tenant, all or none, replacing those whose id is stored. Ids must differ. Any number. */
export function* upsertAll({ maxBytes }: Backing, statements: Upsert, given: readonly Values[]): Work<void> {
  const parts = partsOf(given, maxBytes);
  const [first] = parts;
  if (!first) return;
  if (parts.length === 1 && fitsOne(statements, first.length)) yield* upsertPart(statements, first);
  else yield* transaction(() => upsertParts(statements, parts));
}

/** Whether one statement stores so many rows: it needs no transaction. */
function fitsOne(statements: Upsert, count: number): boolean {
  return statements.form === 'arrays' || (statements.form === 'rows' && statements.sizes.includes(count));
}

function* upsertParts(statements: Upsert, parts: readonly (readonly Values[])[]): Work<void> {
  for (const part of parts) yield* upsertPart(statements, part);
}

function* upsertPart(statements: Upsert, part: readonly Values[]): Work<void> {
  switch (statements.form) {
    case 'arrays':
      yield* run(statements.insert, arraysOf(part, statements.insert.order));
      return;
    case 'rows':
      for (const piece of piecesOf(part, statements.sizes)) {
        const statement = statements.insert(piece.length);
        yield* run(statement, valuesOfRows(piece, statement));
      }
      return;
    case 'each':
      yield* each(statements.insert, part);
  }
}
