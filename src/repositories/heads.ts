import type { Values } from '../drivers/connection.ts';
import { ConflictError, UnavailableError } from '../errors.ts';
import type { KeepFirst } from '../sql/bulk.ts';
import type { Backing } from './backing.ts';
import { statements } from './head-statements.ts';
import { giveBack, NoPlace, type Taken, takePlaces, Unexpected } from './places.ts';
import { findStored, storeInside } from './store-all.ts';
import { row, transaction, type Work } from './work.ts';

/** Some of the rows that were given places are stored already: the places are not to be taken. */
class Repeats extends Error {
  /** How many of the others were stored beside them. */
  readonly inserted: number;

  constructor(inserted: number) {
    super('ids are stored');
    this.inserted = inserted;
  }
}

/** What is in the way of places. */
type Hurdle = Repeats | Unexpected | NoPlace;

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
    const placed = yield* attempt(backing, keep, rest, expected);
    if (placed instanceof Map) {
      return { inserted: rest.length, places: new Map([...stored, ...placed]) };
    }
    const before = yield* findStored(backing, keep, rest);
    if (placed instanceof Unexpected && before.size < rest.length) {
      throw conflict(expected ?? 0, placed.actual);
    }
    // What is stored takes no place: the rest may have room.
    if (placed instanceof NoPlace && before.size === 0) {
      if (expected === undefined) throw noPlaceLeft();
      const head = yield* headOf(backing, rest);
      throw head === expected ? noPlaceLeft() : conflict(expected, head);
    }
    for (const [id, one] of before) stored.set(id, Number(one.seq_num));
  }
  throw keepsVanishing();
}

/** The place of each row by id, or what is in the way: then nothing is stored, and the heads are as they were. */
function* attempt(
  backing: Backing,
  keep: KeepFirst,
  rest: readonly Values[],
  expected: number | undefined,
): Work<Map<string, number> | Hurdle> {
  try {
    return yield* transaction(() => placeOrGiveBack(backing, keep, rest, expected));
  } catch (error) {
    if (error instanceof Repeats || error instanceof NoPlace) return error;
    throw error;
  }
}

/**
 * Rolls back only where rows were stored beside repeats, or no place is left: a rollback to our savepoint in a
 * host's transaction would take along what the host sent meanwhile, and a call that changes nothing must not.
 */
function* placeOrGiveBack(
  backing: Backing,
  keep: KeepFirst,
  rest: readonly Values[],
  expected: number | undefined,
): Work<Map<string, number> | Hurdle> {
  const taken: Taken[] = [];
  try {
    return yield* place(backing, keep, { rest, expected, taken });
  } catch (error) {
    // Beyond 2^53 a head cannot be reckoned back exactly everywhere: SQLite is given numbers as doubles.
    const nothingStored = error instanceof Repeats && error.inserted === 0;
    if (!nothingStored && !(error instanceof Unexpected)) throw error;
    for (const one of taken) yield* giveBack(statements(backing.dialect), one);
    return error;
  }
}

function* headOf({ dialect }: Backing, [first]: readonly Values[]): Work<number> {
  const key = { tenant_id: first?.tenant_id as string, session_id: first?.session_id as string };
  return Number((yield* row(statements(dialect).get, key))?.head ?? 0);
}

function* place(
  backing: Backing,
  keep: KeepFirst,
  given: {
    readonly rest: readonly Values[];
    readonly expected: number | undefined;
    readonly taken: Taken[];
  },
): Work<Map<string, number>> {
  const places = new Map<string, number>();
  const placed: Values[] = [];
  for (const [session, some] of bySession(given.rest)) {
    const key = { tenant_id: some[0]?.tenant_id as string, session_id: session };
    const asked = { key, count: some.length, expected: given.expected };
    let next = yield* takePlaces(statements(backing.dialect), asked, given.taken);
    for (const one of some) {
      places.set(one.id as string, next);
      placed.push({ ...one, seq_num: next });
      next += 1;
    }
  }
  const { inserted } = yield* storeInside(backing, keep, placed);
  if (inserted < placed.length) throw new Repeats(inserted);
  return places;
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
