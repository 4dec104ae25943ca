import type { Row, Value, Values } from '../drivers/connection.ts';
import { AlreadyExistsError, ConflictError, NotFoundError } from '../errors.ts';
import {
  checkDate,
  checkFilter,
  checkLimit,
  checkObject,
  checkOffset,
  checkOptions,
  checkText,
  LATEST,
} from '../model/check.ts';
import { reading } from '../model/objects.ts';
import type { NewSession, Session, SessionUpdate } from '../model/records.ts';
import type { SessionPage } from '../model/results.ts';
import { type Column, SESSIONS } from '../model/tables.ts';
import { checkSize, columnsOf, encode, encodeField } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { getRow } from './by-id.ts';
import { sessionOf } from './decode.ts';
import { insertedOne } from './insert.ts';
import { type PageArguments, readPage } from './paging.ts';
import { type Change, filterName, statements } from './session-statements.ts';
import { row, rows, run, transaction, type Work } from './work.ts';

const [ID, AGENT, STATUS, METADATA] = columnsOf(SESSIONS, 'id', 'agent_id', 'status', 'metadata') as [
  Column,
  Column,
  Column,
  Column,
];

/** A checked change of one session. */
interface Update {
  readonly change: Change;
  readonly id: string;
  /** Column values: `status`, and `metadata` where the change has it. */
  readonly values: Values;
  /** The least that `updatedAt` becomes, in milliseconds. */
  readonly atLeast: number;
  readonly ifUpdatedAt?: number;
}

/** Sessions, of the tenant that each call names. */
export class Sessions {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *create(tenant: string, session: NewSession): Work<void> {
    const { dialect, maxBytes } = this.#backing;
    const values = encode(dialect, SESSIONS, session, { tenant, maxBytes });
    const inserted = yield* insertedOne(statements(dialect).create, values);
    if (!inserted) throw new AlreadyExistsError('session', String(values.id));
  }

  *get(tenant: string, id: string): Work<Session> {
    return this.#session(yield* getRow(SESSIONS, statements(this.#backing.dialect).get, tenant, id));
  }

  *update(tenant: string, session: SessionUpdate, options: unknown): Work<Session> {
    const { dialect, maxBytes } = this.#backing;
    const record = checkObject('session', session);
    const given = reading('session', () => {
      const { id, status, metadata, updatedAt } = record;
      return { id, status, metadata, updatedAt };
    });
    const values = {
      tenant_id: tenant,
      id: checkText('id', given.id, ID),
      status: checkText('status', given.status, STATUS),
      metadata: encodeField(dialect, METADATA, given.metadata, 'metadata'),
    };
    checkSize(SESSIONS, values, { maxBytes });
    const { ifUpdatedAt } = checkOptions(options, { ifUpdatedAt: true });
    const now = Date.now();
    return yield* this.#change({
      change: 'update',
      id: values.id,
      values,
      atLeast: given.updatedAt === undefined ? now : Math.max(now, checkDate('updatedAt', given.updatedAt)),
      ...(ifUpdatedAt === undefined ? {} : { ifUpdatedAt: checkExpected(ifUpdatedAt) }),
    });
  }

  *updateStatus(tenant: string, id: string, status: string): Work<Session> {
    const values = {
      tenant_id: tenant,
      id: checkText('id', id, ID),
      status: checkText('status', status, STATUS),
    };
    return yield* this.#change({ change: 'updateStatus', id, values, atLeast: Date.now() });
  }

  *list(tenant: string, agentId: unknown, limit: unknown, offset: unknown): Work<Session[]> {
    const { dialect } = this.#backing;
    const filter = filterValues({ agentId });
    const { list } = statements(dialect);
    const found = yield* rows(filter.agent_id === undefined ? list.all : list.byAgent, {
      tenant_id: tenant,
      ...filter,
      limit: checkLimit(limit),
      offset: checkOffset(offset),
    });
    return found.map((one) => this.#session(one));
  }

  *page(tenant: string, filter: unknown, page: PageArguments): Work<SessionPage> {
    const { dialect } = this.#backing;
    const values = filterValues(
      filter === undefined ? {} : checkFilter(filter, { agentId: true, status: true }),
    );
    const found = yield* readPage(dialect, statements(dialect).pages[filterName(values)], {
      page,
      method: 'listSessionsPaged',
      values: { tenant_id: tenant, ...values },
    });
    return { sessions: found.rows.map((one) => this.#session(one)), nextCursor: found.nextCursor };
  }

  #session(found: Row): Session {
    return sessionOf(this.#backing.dialect, found);
  }

  #change(update: Update): Work<Session> {
    return this.#backing.dialect.later === undefined
      ? this.#changeLocked(update)
      : this.#changeAtOnce(update);
  }

  /** One statement writes and gives back. */
  *#changeAtOnce({ change, id, values, atLeast, ifUpdatedAt }: Update): Work<Session> {
    const { dialect } = this.#backing;
    const { get, changes, changesIf } = statements(dialect);
    const conditional = ifUpdatedAt !== undefined;
    const changed = yield* row(conditional ? changesIf[change] : changes[change], {
      ...values,
      at_least: dialect.time(atLeast),
      ...(conditional ? { if_updated_at: dialect.time(ifUpdatedAt) } : {}),
    });
    if (changed) return this.#session(changed);
    const key = { tenant_id: values.tenant_id as Value, id };
    if (conditional && (yield* row(get, key))) throw changedMeanwhile();
    throw new NotFoundError('session', id);
  }

  /** Locks the row, decides here, writes. The count of an UPDATE would depend on the host's FOUND_ROWS. */
  #changeLocked(update: Update): Work<Session> {
    return transaction(() => this.#changeInside(update), { once: update.ifUpdatedAt !== undefined });
  }

  *#changeInside({ change, id, values, atLeast, ifUpdatedAt }: Update): Work<Session> {
    const { dialect } = this.#backing;
    const { lock, changes } = statements(dialect);
    const before = yield* row(lock, { tenant_id: values.tenant_id as Value, id });
    if (!before) throw new NotFoundError('session', id);
    const stored = Number(before.updated_at);
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== stored) throw changedMeanwhile();
    const updatedAt = Math.max(atLeast, Math.min(stored + 1, LATEST));
    yield* run(changes[change], { ...values, at_least: dialect.time(updatedAt) });
    return this.#session({ ...before, ...written(values), updated_at: updatedAt });
  }
}

/** The columns that an update wrote, as a row holds them. */
function written({ status, metadata }: Values): Row {
  return {
    status: status as string,
    ...(metadata === undefined ? {} : { metadata: metadata as string | null }),
  };
}

/** An `ifUpdatedAt`. At the last moment there is, updatedAt grows no more and would let every writer win. */
function checkExpected(value: unknown): number {
  const ms = checkDate('ifUpdatedAt', value);
  if (ms === LATEST) throw new ConflictError('updatedAt has reached its end: it tells no two writers apart');
  return ms;
}

function changedMeanwhile(): ConflictError {
  return new ConflictError('the session was changed meanwhile: its updatedAt is not the ifUpdatedAt given');
}

/** The filter's columns; `''` and absent = all. */
function filterValues(filter: {
  readonly agentId?: unknown;
  readonly status?: unknown;
}): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const { agentId, status } = filter;
  if (agentId !== undefined && agentId !== '') values.agent_id = checkText('agentId', agentId, AGENT);
  if (status !== undefined && status !== '') values.status = checkText('status', status, STATUS);
  return values;
}
