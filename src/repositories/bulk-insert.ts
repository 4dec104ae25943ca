import type { Connection, Row, Value, Values } from '../drivers/connection.ts';
import { UnavailableError } from '../errors.ts';
import type { KeepFirst } from '../sql/bulk.ts';
import { sizeOf } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { insertedOne } from './insert.ts';

/** What `storeAll` resolves to. */
export interface Stored {
  /** How many rows are new. */
  readonly inserted: number;
  /** The rows that were stored before, by id: the columns that the statements read. */
  readonly stored: ReadonlyMap<string, Row>;
}

/** Rows, and characters, that one statement takes at most, so that memory and packets stay bounded. */
const ROWS = 1000;
const CHARACTERS = 1_000_000;

/** How often the rest of a batch is tried again when other writers store some of its ids meanwhile. */
const ROUNDS = 8;

type Of<Form extends KeepFirst['form']> = Extract<KeepFirst, { readonly form: Form }>;

/** Stores one part of a batch. */
type StorePart = (connection: Connection, part: readonly Values[]) => Promise<Stored>;

/**
 * Stores rows of one tenant, all or none; a row whose id is stored is left out. Ids must differ. Any number: split
 * into statements of bounded size.
 */
export async function storeAll(
  { connection, dialect, maxBytes }: Backing,
  statements: KeepFirst,
  rows: readonly Values[],
): Promise<Stored> {
  const idOf = (row: Row): string => dialect.text(row.id ?? '');
  // In one order, so that batches which share ids wait for each other rather than deadlock.
  const sorted = [...rows].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const parts = split(sorted, Math.min(CHARACTERS, maxBytes / 8));
  const [first] = parts;
  if (!first) return { inserted: 0, stored: new Map() };
  const alone = parts.length === 1 ? aloneOf(statements, first, idOf) : undefined;
  return (
    (await alone?.(connection, first)) ??
    connection.transaction((tx) => each(tx, parts, partOf(statements, idOf)))
  );
}

async function each(
  tx: Connection,
  parts: readonly (readonly Values[])[],
  store: StorePart,
): Promise<Stored> {
  const stored = new Map<string, Row>();
  let inserted = 0;
  for (const part of parts) {
    const done = await store(tx, part);
    inserted += done.inserted;
    for (const [id, row] of done.stored) stored.set(id, row);
  }
  return { inserted, stored };
}

function split(rows: readonly Values[], characters: number): readonly (readonly Values[])[] {
  const parts: Values[][] = [];
  let part: Values[] = [];
  let size = 0;
  for (const row of rows) {
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

type IdOf = (row: Row) => string;

function partOf(statements: KeepFirst, idOf: IdOf): StorePart {
  switch (statements.form) {
    case 'arrays':
      return (connection, part) => storeArrays(connection, statements, part, idOf);
    case 'rows':
      return (connection, part) => storeRows(connection, statements, part, idOf);
    case 'each':
      return (connection, part) => storeEach(connection, statements, part);
  }
}

/** How a part is stored without a transaction, where one statement does it; undefined from it = not done. */
function aloneOf(
  statements: KeepFirst,
  part: readonly Values[],
  idOf: IdOf,
): ((connection: Connection, part: readonly Values[]) => Promise<Stored | undefined>) | undefined {
  if (statements.form === 'arrays') return partOf(statements, idOf);
  if (statements.form !== 'rows' || !statements.sizes.includes(part.length)) return undefined;
  return async (connection) =>
    (await insertRows(connection, statements, part))
      ? { inserted: part.length, stored: new Map() }
      : undefined;
}

function byId(rows: readonly Row[], idOf: IdOf): Map<string, Row> {
  return new Map(rows.map((row) => [idOf(row), row]));
}

async function storeArrays(
  connection: Connection,
  { insert, stored }: Of<'arrays'>,
  part: readonly Values[],
  idOf: IdOf,
): Promise<Stored> {
  const tenant = part[0]?.tenant_id ?? '';
  const list = (column: string): Value => part.map((row) => row[column] as string | number | null);
  const arrays = Object.fromEntries(insert.order.map((column) => [column, list(column)]));
  const inserted = await connection.run(insert, { ...arrays, tenant_id: tenant });
  if (inserted === part.length) return { inserted, stored: new Map() };
  return {
    inserted,
    stored: byId(await connection.rows(stored, { tenant_id: tenant, id: list('id') }), idOf),
  };
}

async function storeEach(
  connection: Connection,
  { insert, stored }: Of<'each'>,
  part: readonly Values[],
): Promise<Stored> {
  const counts = await connection.runEach(insert, part);
  const found = new Map<string, Row>();
  for (const [index, row] of part.entries()) {
    if (counts[index] !== 0) continue;
    const key = { tenant_id: row.tenant_id as string, id: row.id as string };
    const [before] = await connection.rows(stored, key);
    if (before) found.set(key.id, before);
  }
  return { inserted: part.length - counts.filter((count) => count === 0).length, stored: found };
}

async function storeRows(
  connection: Connection,
  statements: Of<'rows'>,
  part: readonly Values[],
  idOf: IdOf,
): Promise<Stored> {
  const stored = new Map<string, Row>();
  let inserted = 0;
  for (const piece of pieces(part, statements.sizes)) {
    const done = await storePiece(connection, statements, piece, idOf);
    inserted += done.inserted;
    for (const [id, row] of done.stored) stored.set(id, row);
  }
  return { inserted, stored };
}

/** Inserts rows; when some are stored already, finds out which, under a lock, and goes on with the rest. */
async function storePiece(
  connection: Connection,
  statements: Of<'rows'>,
  piece: readonly Values[],
  idOf: IdOf,
): Promise<Stored> {
  const stored = new Map<string, Row>();
  let rest = piece;
  for (let round = 0; round < ROUNDS; round += 1) {
    let refused: readonly Values[] = [];
    for (const rows of pieces(rest, statements.sizes)) {
      if (!(await insertRows(connection, statements, rows))) refused = [...refused, ...rows];
    }
    if (refused.length === 0) return { inserted: piece.length - stored.size, stored };
    for (const [id, row] of byId(await storedRows(connection, statements, refused), idOf))
      stored.set(id, row);
    rest = refused.filter((row) => !stored.has(row.id as string));
  }
  throw new UnavailableError('other writers store and delete the same ids all the while', {
    reason: 'CONTENTION',
    retryable: true,
  });
}

/** Pieces of the sizes that there are statements for, the greatest first. */
function* pieces(rows: readonly Values[], sizes: readonly number[]): Generator<readonly Values[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}

function numberedValues(rows: readonly Values[], columns: readonly string[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [index, row] of rows.entries()) {
    for (const column of columns) values[`${column}.${index}`] = row[column] ?? null;
  }
  return values;
}

/** False when the server refused them all because one is stored. */
function insertRows(
  connection: Connection,
  { insert }: Of<'rows'>,
  rows: readonly Values[],
): Promise<boolean> {
  const columns = Object.keys(rows[0] ?? {});
  return insertedOne(connection, insert(rows.length), numberedValues(rows, columns));
}

async function storedRows(
  connection: Connection,
  { sizes, stored }: Of<'rows'>,
  rows: readonly Values[],
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const piece of pieces(rows, sizes)) {
    const values = { ...numberedValues(piece, ['id']), tenant_id: piece[0]?.tenant_id ?? '' };
    found.push(...(await connection.rows(stored(piece.length), values)));
  }
  return found;
}
