import type { Connection, Row, Value, Values } from '../drivers/connection.ts';
import { AlreadyExistsError, ConflictError, NotFoundError } from '../errors.ts';
import {
  checkDate,
  checkLimit,
  checkObject,
  checkOffset,
  checkOptions,
  checkText,
  LATEST,
} from '../model/check.ts';
import type { NewSession, Session, SessionPage, SessionUpdate } from '../model/records.ts';
import { type Column, SESSIONS } from '../model/tables.ts';
import { checkSize, columnsOf, decode, encode, encodeField } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import type { Backing } from './backing.ts';
import { insertedOne } from './insert.ts';
import { planPage, readPage } from './paging.ts';
import { type Change, filterName, statements } from './session-statements.ts';

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

  async create(tenant: string, session: NewSession): Promise<void> {
    const { connection, dialect, maxBytes } = this.#backing;
    const values = encode(dialect, SESSIONS, session, { tenant, maxBytes });
    const inserted = await insertedOne(connection, statements(dialect).create, values);
    if (!inserted) throw new AlreadyExistsError('session', String(values.id));
  }

  async get(tenant: string, id: string): Promise<Session> {
    const key = { tenant_id: tenant, id: checkText('id', id, ID) };
    const row = await this.#find(this.#backing.connection, statements(this.#backing.dialect).get, key);
    if (!row) throw new NotFoundError('session', id);
    return this.#session(row);
  }

  async update(tenant: string, session: SessionUpdate, options: unknown): Promise<Session> {
    const { dialect, maxBytes } = this.#backing;
    const given = checkObject('session', session);
    const values = {
      tenant_id: tenant,
      id: checkText('id', given.id, ID),
      status: checkText('status', given.status, STATUS),
      metadata: encodeField(dialect, METADATA, given.metadata, 'metadata'),
    };
    checkSize(SESSIONS, values, { maxBytes });
    const { ifUpdatedAt } = checkOptions(options);
    const now = Date.now();
    return this.#change({
      change: 'update',
      id: values.id,
      values,
      atLeast: given.updatedAt === undefined ? now : Math.max(now, checkDate('updatedAt', given.updatedAt)),
      ...(ifUpdatedAt === undefined ? {} : { ifUpdatedAt: checkExpected(ifUpdatedAt) }),
    });
  }

  async updateStatus(tenant: string, id: string, status: string): Promise<Session> {
    const values = {
      tenant_id: tenant,
      id: checkText('id', id, ID),
      status: checkText('status', status, STATUS),
    };
    return this.#change({ change: 'updateStatus', id, values, atLeast: Date.now() });
  }

  async list(tenant: string, agentId: unknown, limit: unknown, offset: unknown): Promise<Session[]> {
    const { connection, dialect } = this.#backing;
    const filter = filterValues({ agentId });
    const { list } = statements(dialect);
    const rows = await connection.rows(filter.agent_id === undefined ? list.all : list.byAgent, {
      tenant_id: tenant,
      ...filter,
      limit: checkLimit(limit),
      offset: checkOffset(offset),
    });
    return rows.map((row) => this.#session(row));
  }

  async page(
    tenant: string,
    filter: unknown,
    page: { readonly limit: unknown; readonly cursor: unknown; readonly options: unknown },
  ): Promise<SessionPage> {
    const { dialect } = this.#backing;
    const values = filterValues(filter === undefined ? {} : checkObject('filter', filter));
    const plan = planPage(dialect, statements(dialect).pages[filterName(values)], {
      ...page,
      method: 'listSessionsPaged',
      values: { tenant_id: tenant, ...values },
    });
    const { rows, nextCursor } = await readPage(this.#backing, plan);
    return { sessions: rows.map((row) => this.#session(row)), nextCursor };
  }

  async #find(connection: Connection, statement: Statement, values: Values): Promise<Row | undefined> {
    return (await connection.rows(statement, values))[0];
  }

  #session(row: Row): Session {
    return decode<Session>(this.#backing.dialect, SESSIONS, row);
  }

  #change(update: Update): Promise<Session> {
    return this.#backing.dialect.later === undefined
      ? this.#changeLocked(update)
      : this.#changeAtOnce(update);
  }

  /** One statement writes and gives back. */
  async #changeAtOnce({ change, id, values, atLeast, ifUpdatedAt }: Update): Promise<Session> {
    const { connection, dialect } = this.#backing;
    const { get, changes, changesIf } = statements(dialect);
    const conditional = ifUpdatedAt !== undefined;
    const row = await this.#find(connection, conditional ? changesIf[change] : changes[change], {
      ...values,
      at_least: dialect.time(atLeast),
      ...(conditional ? { if_updated_at: dialect.time(ifUpdatedAt) } : {}),
    });
    if (row) return this.#session(row);
    const key = { tenant_id: values.tenant_id as Value, id };
    if (conditional && (await this.#find(connection, get, key))) throw changedMeanwhile();
    throw new NotFoundError('session', id);
  }

  /** Locks the row, decides here, writes. The count of an UPDATE would depend on the host's FOUND_ROWS. */
  #changeLocked({ change, id, values, atLeast, ifUpdatedAt }: Update): Promise<Session> {
    const { connection, dialect } = this.#backing;
    const { lock, changes } = statements(dialect);
    return connection.transaction(
      async (tx) => {
        const row = await this.#find(tx, lock, { tenant_id: values.tenant_id as Value, id });
        if (!row) throw new NotFoundError('session', id);
        const stored = Number(row.updated_at);
        if (ifUpdatedAt !== undefined && ifUpdatedAt !== stored) throw changedMeanwhile();
        const updatedAt = Math.max(atLeast, Math.min(stored + 1, LATEST));
        await tx.run(changes[change], { ...values, at_least: dialect.time(updatedAt) });
        return this.#session({ ...row, ...written(values), updated_at: updatedAt });
      },
      { once: ifUpdatedAt !== undefined },
    );
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
