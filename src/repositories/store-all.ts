import type { Row, Values } from '../drivers/connection.ts';
import { UnavailableError } from '../errors.ts';
import type { KeepFirst } from '../sql/bulk.ts';
import type { Backing } from './backing.ts';
import { insertedOne } from './insert.ts';
import { arraysOf, listOf, numberedIds, partsOf, piecesOf, valuesOfRows } from './parts.ts';
import { each, rows, run, transaction, type Work } from './work.ts';

/** What `storeAll` resolves to. */
export interface Stored {
  /** How many rows are new. */
  readonly inserted: number;
  /** The rows that were stored before, by id: the columns that the statements read. */
  readonly stored: ReadonlyMap<string, Row>;
}

/** How often the rest of a batch is tried again when other writers store some of its ids meanwhile. */
const ROUNDS = 8;

type Of<Form extends KeepFirst['form']> = Extract<KeepFirst, { readonly form: Form }>;
type IdOf = (row: Row) => string;

function idsOf({ dialect }: Backing): IdOf {
  return (found) => dialect.text(found.id ?? '');
}

/**
 * Stores rows of one tenant, all or none; a row whose id is stored is left out. Ids must differ. Any number: split
 * into statements of bounded size.
 */
export function* storeAll(backing: Backing, statements: KeepFirst, given: readonly Values[]): Work<Stored> {
  const parts = partsOf(given, backing.maxBytes);
  const [first] = parts;
  if (!first) return { inserted: 0, stored: new Map() };
  if (parts.length === 1) {
    if (statements.form === 'arrays') return yield* storeArrays(statements, first, idsOf(backing));
    // One statement that stores them all needs no transaction.
    if (statements.form === 'rows' && statements.sizes.includes(first.length)) {
      if (yield* insertRows(statements, first)) return { inserted: first.length, stored: new Map() };
    }
  }
  return yield* transaction(() => storeParts(backing, statements, parts));
}

/** As {@link storeAll}, in a transaction that is open. */
export function* storeInside(
  backing: Backing,
  statements: KeepFirst,
  given: readonly Values[],
): Work<Stored> {
  return yield* storeParts(backing, statements, partsOf(given, backing.maxBytes));
}

function* storeParts(
  backing: Backing,
  statements: KeepFirst,
  parts: readonly (readonly Values[])[],
): Work<Stored> {
  const stored = new Map<string, Row>();
  let inserted = 0;
  for (const part of parts) {
    const done = yield* storePart(statements, part, idsOf(backing));
    inserted += done.inserted;
    for (const [id, before] of done.stored) stored.set(id, before);
  }
  return { inserted, stored };
}

function storePart(statements: KeepFirst, part: readonly Values[], idOf: IdOf): Work<Stored> {
  switch (statements.form) {
    case 'arrays':
      return storeArrays(statements, part, idOf);
    case 'rows':
      return storeRows(statements, part, idOf);
    case 'each':
      return storeEach(statements, part, idOf);
  }
}

function byId(found: readonly Row[], idOf: IdOf): Map<string, Row> {
  return new Map(found.map((one) => [idOf(one), one]));
}

/** The rows of a batch that are stored, by id. */
export function* findStored(
  backing: Backing,
  statements: KeepFirst,
  given: readonly Values[],
): Work<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  for (const part of partsOf(given, backing.maxBytes)) {
    for (const [id, one] of byId(yield* storedOf(statements, part), idsOf(backing))) found.set(id, one);
  }
  return found;
}

function* storedOf(statements: KeepFirst, part: readonly Values[]): Work<readonly Row[]> {
  switch (statements.form) {
    case 'arrays':
      return yield* rows(statements.stored, {
        tenant_id: part[0]?.tenant_id ?? '',
        id: listOf(part, 'id'),
      });
    case 'rows':
      return yield* storedRows(statements, part);
    case 'each': {
      const found: Row[] = [];
      for (const one of part) found.push(...(yield* rows(statements.stored, one)));
      return found;
    }
  }
}

function* storeArrays(statements: Of<'arrays'>, part: readonly Values[], idOf: IdOf): Work<Stored> {
  const { insert } = statements;
  const inserted = yield* run(insert, arraysOf(part, insert.order));
  if (inserted === part.length) return { inserted, stored: new Map() };
  return { inserted, stored: byId(yield* storedOf(statements, part), idOf) };
}

function* storeEach(statements: Of<'each'>, part: readonly Values[], idOf: IdOf): Work<Stored> {
  const counts = yield* each(statements.insert, part);
  const repeated = part.filter((_, index) => counts[index] === 0);
  const stored = byId(yield* storedOf(statements, repeated), idOf);
  return { inserted: part.length - repeated.length, stored };
}

function* storeRows(statements: Of<'rows'>, part: readonly Values[], idOf: IdOf): Work<Stored> {
  const stored = new Map<string, Row>();
  let inserted = 0;
  for (const piece of piecesOf(part, statements.sizes)) {
    const done = yield* storePiece(statements, piece, idOf);
    inserted += done.inserted;
    for (const [id, before] of done.stored) stored.set(id, before);
  }
  return { inserted, stored };
}

/** Inserts rows; when some are stored already, finds out which, under a lock, and goes on with the rest. */
function* storePiece(statements: Of<'rows'>, piece: readonly Values[], idOf: IdOf): Work<Stored> {
  const stored = new Map<string, Row>();
  let rest = piece;
  for (let round = 0; round < ROUNDS; round += 1) {
    let refused: readonly Values[] = [];
    for (const some of piecesOf(rest, statements.sizes)) {
      if (!(yield* insertRows(statements, some))) refused = [...refused, ...some];
    }
    if (refused.length === 0) return { inserted: piece.length - stored.size, stored };
    for (const [id, before] of byId(yield* storedRows(statements, refused), idOf)) stored.set(id, before);
    rest = refused.filter((one) => !stored.has(one.id as string));
  }
  throw new UnavailableError('other writers store and delete the same ids all the while', {
    reason: 'CONTENTION',
    retryable: true,
  });
}

/** False when the server refused them all because one is stored. */
function insertRows({ insert }: Of<'rows'>, some: readonly Values[]): Work<boolean> {
  const statement = insert(some.length);
  return insertedOne(statement, valuesOfRows(some, statement));
}

function* storedRows({ sizes, stored }: Of<'rows'>, some: readonly Values[]): Work<readonly Row[]> {
  const found: Row[] = [];
  for (const piece of piecesOf(some, sizes)) {
    found.push(...(yield* rows(stored(piece.length), numberedIds(piece))));
  }
  return found;
}
