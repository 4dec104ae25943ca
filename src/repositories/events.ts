import type { Row, Values } from '../drivers/connection.ts';
import { InvalidArgumentError } from '../errors.ts';
import { checkInteger, checkLimit, checkOptions, checkText } from '../model/check.ts';
import type { Event, NewEvent } from '../model/records.ts';
import type { Appended, AppendedAll, EventPage } from '../model/results.ts';
import { type Column, EVENTS } from '../model/tables.ts';
import { columnsOf, encode } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { batchOf } from './batch.ts';
import { eventOf } from './decode.ts';
import { statements } from './event-statements.ts';
import { statements as headStatements } from './head-statements.ts';
import { keepsVanishing, noPlaceLeft, storeNext } from './heads.ts';
import { insertedOne } from './insert.ts';
import { type PageArguments, readPage } from './paging.ts';
import { storeAll } from './store-all.ts';
import { row, rows, type Work } from './work.ts';

const [SESSION] = columnsOf(EVENTS, 'session_id') as [Column];

/** Below every place. */
const BOTTOM = -(2 ** 53);

/** How often an append starts again when its event was deleted between being found stored and being read. */
const ATTEMPTS = 5;

function floorOf(afterSeq: unknown): number {
  return afterSeq === undefined ? BOTTOM : checkInteger('afterSeq', afterSeq);
}

/** Events, of the tenant that each call names. */
export class Events {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *append(tenant: string, event: NewEvent): Work<Appended> {
    return yield* this.store(this.encoded(tenant, event));
  }

  /** A checked event, ready for {@link store}; `path` is what an error calls it. */
  encoded(tenant: string, event: NewEvent, path?: string): Values {
    const { dialect, maxBytes } = this.#backing;
    return encode(dialect, EVENTS, event, { tenant, path, maxBytes, later: 'seq_num' });
  }

  *store(values: Values): Work<Appended> {
    const storing = values.seq_num === undefined ? this.#storeNext(values) : this.#storeAt(values);
    return yield* storing;
  }

  *appendAll(tenant: string, events: readonly NewEvent[], options: unknown): Work<AppendedAll> {
    const { dialect, maxBytes } = this.#backing;
    const batch = batchOf('events', events, (event, path, now) =>
      encode(dialect, EVENTS, event, { tenant, maxBytes, path, now, later: 'seq_num' }),
    );
    const assigned = checkPlaces(batch);
    const expected = expectedOf(options, batch, assigned);
    const first = new Map<unknown, Values>();
    for (const values of batch) if (!first.has(values.id)) first.set(values.id, values);
    const given = [...first.values()];
    return assigned
      ? yield* this.#storeAllNext(batch, given, expected)
      : yield* this.#storeAllAt(batch, first, given);
  }

  *list(tenant: string, sessionId: string, afterSeq: unknown): Work<Event[]> {
    const found = yield* rows(statements(this.#backing.dialect).list, {
      ...sessionKey(tenant, sessionId),
      floor: floorOf(afterSeq),
    });
    return found.map((one) => this.#event(one));
  }

  *page(tenant: string, sessionId: string, afterSeq: unknown, page: PageArguments): Work<EventPage> {
    const { dialect } = this.#backing;
    const found = yield* readPage(dialect, statements(dialect).pages, {
      page,
      method: 'listEventsPaged',
      values: sessionKey(tenant, sessionId),
      floor: floorOf(afterSeq),
    });
    return { events: found.rows.map((one) => this.#event(one)), nextCursor: found.nextCursor };
  }

  *last(tenant: string, sessionId: string, count: unknown): Work<Event[]> {
    const found = yield* rows(statements(this.#backing.dialect).pages.backward.first, {
      ...sessionKey(tenant, sessionId),
      floor: BOTTOM,
      limit: checkLimit(count),
    });
    return found.map((one) => this.#event(one)).toReversed();
  }

  *count(tenant: string, sessionId: string): Work<number> {
    const found = yield* row(statements(this.#backing.dialect).count, sessionKey(tenant, sessionId));
    return Number(found?.count);
  }

  *#storeAt(values: Values): Work<Appended> {
    const { append } = statements(this.#backing.dialect);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (yield* insertedOne(append, values)) return { inserted: true, seqNum: placeOf(values) };
      const stored = yield* this.#stored(values);
      if (stored) return { inserted: false, seqNum: placeOf(stored) };
    }
    throw keepsVanishing();
  }

  #stored({ tenant_id, id }: Values): Work<Row | undefined> {
    const key = { tenant_id: tenant_id as string, id: id as string };
    return row(statements(this.#backing.dialect).place, key);
  }

  *#storeNext(values: Values): Work<Appended> {
    const { dialect } = this.#backing;
    const { append } = headStatements(dialect);
    if (append === undefined) {
      const { inserted, places } = yield* storeNext(
        this.#backing,
        statements(dialect).appendMany,
        [values],
        undefined,
      );
      return { inserted: inserted > 0, seqNum: places.get(values.id as string) as number };
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const placed = yield* row(append, values);
      if (!placed) continue;
      if (placed.seq_num === null) throw noPlaceLeft();
      return { inserted: Number(placed.inserted) === 1, seqNum: placeOf(placed) };
    }
    throw keepsVanishing();
  }

  *#storeAllAt(
    batch: readonly Values[],
    first: ReadonlyMap<unknown, Values>,
    given: readonly Values[],
  ): Work<AppendedAll> {
    const { appendMany } = statements(this.#backing.dialect);
    const { inserted, stored } = yield* storeAll(this.#backing, appendMany, given);
    const seqNums = batch.map(({ id }) => placeOf(stored.get(id as string) ?? first.get(id) ?? {}));
    return { inserted, seqNums };
  }

  *#storeAllNext(
    batch: readonly Values[],
    given: readonly Values[],
    expected: number | undefined,
  ): Work<AppendedAll> {
    if (given.length === 0) return { inserted: 0, seqNums: [] };
    const { appendMany } = statements(this.#backing.dialect);
    const { inserted, places } = yield* storeNext(this.#backing, appendMany, given, expected);
    return { inserted, seqNums: batch.map(({ id }) => places.get(id as string) as number) };
  }

  #event(found: Row): Event {
    return eventOf(this.#backing.dialect, found);
  }
}

function sessionKey(tenant: string, sessionId: unknown): { tenant_id: string; session_id: string } {
  return { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) };
}

function placeOf(found: Row | Values): number {
  return Number(found.seq_num);
}

/** Whether the store gives the places of a batch: either all of its events have one, or none. */
function checkPlaces(batch: readonly Values[]): boolean {
  const without = batch.findIndex((values) => values.seq_num === undefined);
  if (without < 0) return batch.length === 0;
  const given = batch.findIndex((values) => values.seq_num !== undefined);
  if (given < 0) return true;
  throw new InvalidArgumentError(
    `events[${without}].seqNum`,
    `is absent, and events[${given}] has one: a batch gives every event a place or none`,
  );
}

function expectedOf(options: unknown, batch: readonly Values[], assigned: boolean): number | undefined {
  const { expectedSeq } = checkOptions(options, { expectedSeq: true });
  if (expectedSeq === undefined) return undefined;
  const expected = checkInteger('expectedSeq', expectedSeq);
  if (expected < 0) throw new InvalidArgumentError('expectedSeq', 'must not be negative: 0 = no head');
  if (!assigned) {
    throw new InvalidArgumentError('expectedSeq', 'goes with events whose places the store gives');
  }
  if (batch.some(({ session_id }) => session_id !== batch[0]?.session_id)) {
    throw new InvalidArgumentError('expectedSeq', 'is the head of one session, and the events have several');
  }
  return expected;
}
