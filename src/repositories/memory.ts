import type { Row } from '../drivers/connection.ts';
import { NotFoundError } from '../errors.ts';
import { checkFilter, checkText } from '../model/check.ts';
import type { MemoryRecord, NewMemoryRecord } from '../model/records.ts';
import type { MemoryPage } from '../model/results.ts';
import { type Column, MEMORY } from '../model/tables.ts';
import { columnsOf, encode } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { checkId } from './by-id.ts';
import { memoryOf } from './decode.ts';
import { statements } from './memory-statements.ts';
import { type PageArguments, readPage } from './paging.ts';
import { row, rows, run, type Work } from './work.ts';

const [AGENT, KIND, KEY] = columnsOf(MEMORY, 'agent_id', 'kind', 'key') as [Column, Column, Column];

/** What agents remember, of the tenant that each call names. */
export class Memory {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *put(tenant: string, record: NewMemoryRecord): Work<void> {
    const { dialect, maxBytes } = this.#backing;
    yield* run(statements(dialect).put, encode(dialect, MEMORY, record, { tenant, maxBytes }));
  }

  *get(tenant: string, agentId: string, key: string): Work<MemoryRecord> {
    const found = yield* row(statements(this.#backing.dialect).newest, {
      tenant_id: tenant,
      agent_id: checkText('agentId', agentId, AGENT),
      key: checkText('key', key, KEY),
      limit: 1,
    });
    if (!found)
      throw new NotFoundError('memory record', key, {
        called: 'of this agent under this key in this tenant',
      });
    return this.#record(found);
  }

  *list(tenant: string, agentId: string, kind: unknown): Work<MemoryRecord[]> {
    const values = filterValues({ agentId, kind });
    const { lists } = statements(this.#backing.dialect);
    const list = values.kind === undefined ? lists.byAgent : lists.byKind;
    const found = yield* rows(list, { tenant_id: tenant, ...values });
    return found.map((one) => this.#record(one));
  }

  *page(tenant: string, filter: unknown, page: PageArguments): Work<MemoryPage> {
    const values = filterValues(checkFilter(filter, { agentId: true, kind: true }));
    const { dialect } = this.#backing;
    const { pages } = statements(dialect);
    const found = yield* readPage(dialect, values.kind === undefined ? pages.byAgent : pages.byKind, {
      page,
      method: 'listMemoryPaged',
      values: { tenant_id: tenant, ...values },
    });
    return { records: found.rows.map((one) => this.#record(one)), nextCursor: found.nextCursor };
  }

  *delete(tenant: string, id: string): Work<void> {
    yield* run(statements(this.#backing.dialect).remove, { tenant_id: tenant, id: checkId(MEMORY, id) });
  }

  #record(found: Row): MemoryRecord {
    return memoryOf(this.#backing.dialect, found);
  }
}

/** The filter's columns; kind `''` or absent = all. */
function filterValues(filter: {
  readonly agentId?: unknown;
  readonly kind?: unknown;
}): Readonly<Record<string, string>> {
  const agent = checkText('agentId', filter.agentId, AGENT);
  const { kind } = filter;
  return kind === undefined || kind === ''
    ? { agent_id: agent }
    : { agent_id: agent, kind: checkText('kind', kind, KIND) };
}
