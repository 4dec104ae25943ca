import type { Row, Value, Values } from '../drivers/connection.ts';
import { NotFoundError } from '../errors.ts';
import { checkObject, checkText } from '../model/check.ts';
import { reading } from '../model/objects.ts';
import type { NewTrace, Trace, TraceEnd } from '../model/records.ts';
import type { TracePage } from '../model/results.ts';
import { type Column, TRACES } from '../model/tables.ts';
import { checkSize, columnsOf, encode, encodeField } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { batchOf } from './batch.ts';
import { checkId, getRow } from './by-id.ts';
import { traceOf } from './decode.ts';
import { type PageArguments, readPage } from './paging.ts';
import { statements } from './trace-statements.ts';
import { upsertAll } from './upsert-all.ts';
import { row, rows, run, type Work } from './work.ts';

const [SESSION] = columnsOf(TRACES, 'session_id') as [Column];
const ENDS = columnsOf(TRACES, 'ended_at', 'output', 'error');

/** Spans, of the tenant that each call names. */
export class Traces {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *insert(tenant: string, trace: NewTrace): Work<void> {
    const { dialect, maxBytes } = this.#backing;
    yield* run(statements(dialect).put, encode(dialect, TRACES, trace, { tenant, maxBytes }));
  }

  *insertAll(tenant: string, traces: readonly NewTrace[]): Work<void> {
    const { dialect, maxBytes } = this.#backing;
    const batch = batchOf('traces', traces, (trace, path, now) =>
      encode(dialect, TRACES, trace, { tenant, maxBytes, path, now }),
    );
    const last = new Map(batch.map((values) => [values.id, values]));
    yield* upsertAll(this.#backing, statements(dialect).putMany, [...last.values()]);
  }

  *end(tenant: string, id: string, end: TraceEnd | undefined): Work<void> {
    const { dialect } = this.#backing;
    const key = { tenant_id: tenant, id: checkId(TRACES, id) };
    const values = this.#ended(end);
    const { ends, get } = statements(dialect);
    if ((yield* run(ends(Object.keys(values)), { ...key, ...values })) > 0) return;
    // A host's connection may count only rows that the update made different.
    if (!(yield* row(get, key))) throw new NotFoundError('trace', id);
  }

  *get(tenant: string, id: string): Work<Trace> {
    return this.#trace(yield* getRow(TRACES, statements(this.#backing.dialect).get, tenant, id));
  }

  *list(tenant: string, sessionId: string): Work<Trace[]> {
    const found = yield* rows(statements(this.#backing.dialect).list, {
      tenant_id: tenant,
      session_id: checkText('sessionId', sessionId, SESSION),
    });
    return found.map((one) => this.#trace(one));
  }

  *page(tenant: string, sessionId: string, page: PageArguments): Work<TracePage> {
    const { dialect } = this.#backing;
    const found = yield* readPage(dialect, statements(dialect).pages, {
      page,
      method: 'listTracesPaged',
      values: { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) },
    });
    return { traces: found.rows.map((one) => this.#trace(one)), nextCursor: found.nextCursor };
  }

  /** The columns that an end writes: a field that is absent stays as stored. */
  #ended(end: unknown): Values {
    const { dialect, maxBytes } = this.#backing;
    const given = end === undefined ? {} : checkObject('end', end);
    const values: Record<string, Value> = { ended_at: dialect.time(Date.now()) };
    for (const column of ENDS) {
      const value = reading('end', () => given[column.field]);
      if (value !== undefined) values[column.name] = encodeField(dialect, column, value, column.field);
    }
    checkSize(TRACES, values, { maxBytes });
    return values;
  }

  #trace(found: Row): Trace {
    return traceOf(this.#backing.dialect, found);
  }
}
