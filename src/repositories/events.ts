import type { Row, Values } from '../drivers/connection.ts';
import { InvalidArgumentError, UnavailableError } from '../errors.ts';
import { checkInteger, checkObject, checkText } from '../model/check.ts';
import type { Appended, AppendedAll, Event, EventPage, NewEvent } from '../model/records.ts';
import { type Column, EVENTS } from '../model/tables.ts';
import { columnsOf, decode, encode } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { storeAll } from './bulk-insert.ts';
import { statements } from './event-statements.ts';
import { insertedOne } from './insert.ts';
import { planPage, readPage } from './paging.ts';

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

  async append(tenant: string, event: NewEvent): Promise<Appended> {
    const { connection, dialect, maxBytes } = this.#backing;
    const { append, place } = statements(dialect);
    const values = encode(dialect, EVENTS, event, { tenant, maxBytes });
    const key = { tenant_id: tenant, id: values.id as string };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await insertedOne(connection, append, values)) return { inserted: true, seqNum: placeOf(values) };
      const [stored] = await connection.rows(place, key);
      if (stored) return { inserted: false, seqNum: placeOf(stored) };
    }
    throw keepsVanishing();
  }

  async appendAll(tenant: string, events: readonly NewEvent[]): Promise<AppendedAll> {
    const { dialect, maxBytes } = this.#backing;
    if (!Array.isArray(events)) throw new InvalidArgumentError('events', 'must be an array');
    const now = Date.now();
    const first = new Map<string, Values>();
    const ids: string[] = [];
    // All of it before anything is sent: a refused event leaves nothing, and what the caller changes later is not seen.
    for (let index = 0; index < events.length; index += 1) {
      const prefix = `events[${index}].`;
      checkObject(prefix.slice(0, -1), events[index]);
      const values = encode(dialect, EVENTS, events[index], { tenant, maxBytes, prefix, now });
      const id = values.id as string;
      ids.push(id);
      if (!first.has(id)) first.set(id, values);
    }
    return this.#store(first, ids);
  }

  async #store(first: ReadonlyMap<string, Values>, ids: readonly string[]): Promise<AppendedAll> {
    const { appendMany } = statements(this.#backing.dialect);
    const { inserted, stored } = await storeAll(this.#backing, appendMany, [...first.values()]);
    const seqNums = ids.map((id) => placeOf(stored.get(id) ?? first.get(id) ?? {}));
    return { inserted, seqNums };
  }

  async list(tenant: string, sessionId: string, afterSeq: unknown): Promise<Event[]> {
    const { connection, dialect } = this.#backing;
    const rows = await connection.rows(statements(dialect).list, {
      tenant_id: tenant,
      session_id: checkText('sessionId', sessionId, SESSION),
      floor: floorOf(afterSeq),
    });
    return rows.map((row) => this.#event(row));
  }

  async page(
    tenant: string,
    sessionId: string,
    afterSeq: unknown,
    page: { readonly limit: unknown; readonly cursor: unknown; readonly options: unknown },
  ): Promise<EventPage> {
    const { dialect } = this.#backing;
    const plan = planPage(dialect, statements(dialect).pages, {
      ...page,
      method: 'listEventsPaged',
      values: { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) },
      floor: floorOf(afterSeq),
    });
    const { rows, nextCursor } = await readPage(this.#backing, plan);
    return { events: rows.map((row) => this.#event(row)), nextCursor };
  }

  #event(row: Row): Event {
    return decode<Event>(this.#backing.dialect, EVENTS, row);
  }
}

function placeOf(row: Row | Values): number {
  return Number(row.seq_num);
}

function keepsVanishing(): UnavailableError {
  return new UnavailableError('events.append: the event is deleted and stored again all the while', {
    reason: 'CONTENTION',
    retryable: true,
  });
}
