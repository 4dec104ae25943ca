import type { Row, Values } from '../drivers/connection.ts';
import { ConflictError, UnavailableError } from '../errors.ts';
import type { KeepFirst } from '../sql/bulk.ts';
import type { Backing } from './backing.ts';
import { type HeadStatements, statements } from './head-statements.ts';
import { findStored, storeInside } from './store-all.ts';
import { row, rows, run, transaction, type Work } from './work.ts';

/** Some of the rows that were given places are stored already: the places are not to be taken. */
class Repeats extends Error {}

/** The head is not the one that the caller expects. */
class Unexpected extends Error {
  readonly actual: number;

  constructor(actual: number) {
    super('another head');
    this.actual = actual;
  }
}

/** The next place would be beyond what JavaScript counts exactly. */
class NoPlace extends Error {}

/** What `storeNext` resolves to. */
export interface Placed {
  readonly inserted: number;
  /** The place of each row, by id. */
  readonly places: ReadonlyMap<string, number>;
}

/** How often a batch is tried again when other writers store some of its ids meanwhile. */
const ROUNDS = 8;

/** Rows by session, in the order in which heads are locked. */
function bySession(given: readonly Values[]): readonly (readonly [string, readonly Values[]])[] {
  const sessions = new Map<string, Values[]>();
  for (const one of given) {
    const session = one.session_id as string;
    const known = sessions.get(session);
    if (known) known.push(one);
    else sessions.set(session, [one]);
  }
  return [...sessions].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Stores rows of one tenant without a place at the next places of their sessions, in the order given; those that are
 * stored keep theirs and take none. All or none.
 *
 * @throws ConflictError when the head is not `expected`, unless all rows are stored.
 */
export function* storeNext(
  backing: Backing,
  keep: KeepFirst,
  given: readonly Values[],
  expected: number | undefined,
): Work<Placed> {
  const stored = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const rest = given.filter((one) => !stored.has(one.id as string));
    if (rest.length === 0) return { inserted: 0, places: stored };
    if (expected !== undefined && stored.size > 0) throw conflict(expected, yield* headOf(backing, rest));
    try {
      const placed = yield* transaction(() => place(backing, keep, rest, expected));
      return { inserted: rest.length, places: new Map([...stored, ...placed]) };
    } catch (error) {
      const before = yield* storedBefore(backing, keep, rest, error);
      if (error instanceof Unexpected && before.size < rest.length) {
        throw conflict(expected ?? 0, error.actual);
      }
      // What is stored takes no place: the rest may have room.
      if (error instanceof NoPlace && before.size === 0) {
        if (expected === undefined) throw noPlaceLeft();
        const head = yield* headOf(backing, rest);
        throw head === expected ? noPlaceLeft() : conflict(expected, head);
      }
      for (const [id, one] of before) stored.set(id, Number(one.seq_num));
    }
  }
  throw keepsVanishing();
}

/**
 * Which rows were in the way of the places, read when those stored beside them are rolled back; any other error is
 * thrown again.
 */
function* storedBefore(
  backing: Backing,
  keep: KeepFirst,
  rest: readonly Values[],
  error: unknown,
): Work<ReadonlyMap<string, Row>> {
  if (error instanceof Repeats || error instanceof Unexpected || error instanceof NoPlace) {
    return yield* findStored(backing, keep, rest);
  }
  throw error;
}

function* headOf({ dialect }: Backing, [first]: readonly Values[]): Work<number> {
  const key = { tenant_id: first?.tenant_id as string, session_id: first?.session_id as string };
  return Number((yield* row(statements(dialect).get, key))?.head ?? 0);
}

function* place(
  backing: Backing,
  keep: KeepFirst,
  rest: readonly Values[],
  expected: number | undefined,
): Work<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  const placed: Values[] = [];
  for (const [session, some] of bySession(rest)) {
    const key = { tenant_id: some[0]?.tenant_id as string, session_id: session };
    let next = yield* takePlaces(statements(backing.dialect), key, some.length, expected);
    for (const one of some) {
      places.set(one.id as string, next);
      placed.push({ ...one, seq_num: next });
      next += 1;
    }
  }
  const { inserted } = yield* storeInside(backing, keep, placed);
  if (inserted < placed.length) throw new Repeats('ids are stored');
  return places;
}

/** Takes the next places of a session, whose head stays locked until the transaction ends; the first of them. */
function* takePlaces(
  { take, get, set, last }: Omit<HeadStatements, 'append'>,
  key: { readonly tenant_id: string; readonly session_id: string },
  count: number,
  expected: number | undefined,
): Work<number> {
  const head = yield* grow(take, get, { ...key, head: count });
  // Beyond it what comes back is rounded, and what is reckoned from it too.
  if (head > Number.MAX_SAFE_INTEGER) throw new NoPlace();
  const isNew = head === count;
  const before = isNew ? 0 : head - count;
  if (expected !== undefined && expected !== before) throw new Unexpected(before);
  const greatest = isNew ? Number((yield* row(last, { ...key, limit: 1 }))?.seq_num ?? 0) : before;
  const below = Math.max(greatest, 0);
  if (below + count > Number.MAX_SAFE_INTEGER) throw new NoPlace();
  const first = below + 1;
  if (isNew && first > 1) yield* run(set, { ...key, head: first + count - 1 });
  return first;
}

/** The head of a session after it has grown. Where the engine cannot give it back it is read, under the lock. */
function* grow(take: HeadStatements['take'], get: HeadStatements['get'], values: Values): Work<number> {
  const [taken] = yield* rows(take, values);
  return Number((taken ?? (yield* row(get, values)))?.head);
}

/** A session whose next place JavaScript could not count exactly. */
export function noPlaceLeft(): ConflictError {
  return new ConflictError('the session has no place left below 2^53');
}

function conflict(expectedSeq: number, actualSeq: number): ConflictError {
  return new ConflictError(`the head is ${actualSeq}, and not the ${expectedSeq} that was expected`, {
    expectedSeq,
    actualSeq,
  });
}

/** Events are deleted and stored again all the while. */
export function keepsVanishing(): UnavailableError {
  return new UnavailableError('events.append: an event is deleted and stored again all the while', {
    reason: 'CONTENTION',
    retryable: true,
  });
}
