import type { Row } from '../drivers/connection.ts';
import { checkLimit, checkOffset, checkText } from '../model/check.ts';
import type { AuditLog, NewAuditLog } from '../model/records.ts';
import type { AuditLogPage } from '../model/results.ts';
import { AUDIT_LOGS, type Column } from '../model/tables.ts';
import { insertOne } from '../sql/bulk.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf, encode } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { type Backing, perDialect } from './backing.ts';
import { auditLogOf } from './decode.ts';
import { insertedOne } from './insert.ts';
import { type Order, offsetStatement, type Pages, pageStatements, statementsOf } from './orders.ts';
import { type PageArguments, readPage } from './paging.ts';
import { rows, type Work } from './work.ts';

const NEWEST: Order = {
  table: AUDIT_LOGS,
  index: 'chronos_audit_logs_by_session',
  where: ['session_id'],
  keys: ['created_at', 'id'],
  descending: true,
};

const [SESSION] = columnsOf(AUDIT_LOGS, 'session_id') as [Column];

/** The statements of {@link AuditLogs}. */
export interface AuditLogStatements {
  readonly append: Statement;
  readonly list: Statement;
  readonly pages: Pages;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => AuditLogStatements = perDialect((dialect) => {
  const list = offsetStatement(dialect, 'auditLogs.list', NEWEST);
  const pages = pageStatements(dialect, 'auditLogs.page', NEWEST);
  return {
    append: insertOne(dialect, 'auditLogs.append', AUDIT_LOGS),
    list,
    pages,
    reads: [list, ...statementsOf(pages)],
  };
});

/** Audit logs, of the tenant that each call names. */
export class AuditLogs {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *append(tenant: string, log: NewAuditLog): Work<void> {
    const { dialect, maxBytes } = this.#backing;
    yield* insertedOne(statements(dialect).append, encode(dialect, AUDIT_LOGS, log, { tenant, maxBytes }));
  }

  *list(tenant: string, sessionId: string, limit: unknown, offset: unknown): Work<AuditLog[]> {
    const found = yield* rows(statements(this.#backing.dialect).list, {
      tenant_id: tenant,
      session_id: checkText('sessionId', sessionId, SESSION),
      limit: checkLimit(limit),
      offset: checkOffset(offset),
    });
    return found.map((one) => this.#log(one));
  }

  *page(tenant: string, sessionId: string, page: PageArguments): Work<AuditLogPage> {
    const { dialect } = this.#backing;
    const found = yield* readPage(dialect, statements(dialect).pages, {
      page,
      method: 'listAuditLogsPaged',
      values: { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) },
    });
    return { auditLogs: found.rows.map((one) => this.#log(one)), nextCursor: found.nextCursor };
  }

  #log(found: Row): AuditLog {
    return auditLogOf(this.#backing.dialect, found);
  }
}
