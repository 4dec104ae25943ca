import type { PageOptions } from '../../src/index.ts';
import { type Place, type Position, Refusal } from './modelled.ts';

/** Code points, which is the order of UTF-8 bytes. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A list method's own order: `at` ascending, or descending, ties by id. */
export interface Order<T> {
  readonly positionOf: (record: T) => Position;
  readonly descending?: boolean;
  /** Whether `at` alone tells records apart. */
  readonly unique?: boolean;
}

function compare<T>({ descending = false, unique = false }: Order<T>, a: Position, b: Position): number {
  const ascending = a.at - b.at || (unique ? 0 : byCodePoint(a.id, b.id));
  return descending ? -ascending : ascending;
}

/** Records in an order. */
export function sorted<T>(order: Order<T>, records: Iterable<T>): T[] {
  const { positionOf } = order;
  return [...records].sort((a, b) => compare(order, positionOf(a), positionOf(b)));
}

/** `limit` of a list: absent or ≤ 0 is 100, at most 1000. */
export function clamped(limit: number | undefined): number {
  if (limit === undefined || limit <= 0) return 100;
  return Math.min(limit, 1000);
}

/** A list from `offset` on. */
export function sliced<T>(records: readonly T[], limit: number | undefined, offset = 0): T[] {
  if (offset < 0) throw new Refusal('INVALID_ARGUMENT', { argument: 'offset' });
  return records.slice(offset, offset + clamped(limit));
}

/** What a page is asked for. */
export interface PageRequest<T> {
  readonly method: string;
  readonly order: Order<T>;
  readonly records: Iterable<T>;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly options: PageOptions | undefined;
}

/** A page of records, and the text of the next cursor, which is the store's to choose. */
export function page<T>(
  at: Place,
  request: PageRequest<T>,
): { readonly rows: T[]; readonly nextCursor: string } {
  const { method, order, limit } = request;
  const direction = request.options?.direction ?? 'forward';
  const position = positionIn(at, method, direction, request.cursor);
  const forward = sorted(order, request.records);
  const walked = direction === 'forward' ? forward : forward.toReversed();
  const sign = direction === 'forward' ? 1 : -1;
  const beyond = walked.filter(
    (one) => position === undefined || sign * compare(order, order.positionOf(one), position) > 0,
  );
  const rows = beyond.slice(0, clamped(limit));
  const last = rows.at(-1);
  if (last === undefined || beyond.length === rows.length) return { rows, nextCursor: '' };
  return { rows, nextCursor: given(at, { method, direction, position: order.positionOf(last) }) };
}

function positionIn(
  { cursors }: Place,
  method: string,
  direction: string,
  cursor = '',
): Position | undefined {
  if (cursor === '') return undefined;
  const known = cursors.get(cursor);
  if (known?.method !== method || known.direction !== direction) throw new Refusal('INVALID_CURSOR');
  return known.position;
}

/** Learns the cursor that the store gave; a text that stands for another place already cannot be one. */
function given({ cursors, seen }: Place, known: Parameters<Place['cursors']['set']>[1]): string {
  const text = (seen.value as { readonly nextCursor?: unknown } | undefined)?.nextCursor;
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text)) return 'a cursor in base64url';
  const before = cursors.get(text);
  if (before && JSON.stringify(before) !== JSON.stringify(known)) return 'a cursor that is no other’s';
  cursors.set(text, known);
  return text;
}
