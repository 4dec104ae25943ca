import { type Column, MEMORY } from '../model/tables.ts';
import { upsertOne } from '../sql/bulk.ts';
import { LIMIT } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { perDialect } from './backing.ts';
import { deleteStatement } from './by-id.ts';
import { listStatement, type Order, type Pages, pageStatements, statementsOf } from './orders.ts';

const BY_AGENT: Order = {
  table: MEMORY,
  index: 'chronos_memory_by_agent',
  where: ['agent_id'],
  keys: ['created_at', 'id'],
  descending: false,
};
const BY_KIND: Order = { ...BY_AGENT, index: 'chronos_memory_by_kind', where: ['agent_id', 'kind'] };

/** The newest record with a key; of those of one moment the one with the greatest id. */
function newest(dialect: Dialect): Statement {
  const where = ['tenant_id', 'agent_id', 'key'];
  const query = dialect.from(MEMORY, 'chronos_memory_by_key').select(dialect.columns(MEMORY.columns));
  for (const column of columnsOf(MEMORY, ...where) as readonly Column[]) {
    query.where(`t.${column.name}`, dialect.parameter(column));
  }
  query
    .orderBy([
      { column: 't.created_at', order: 'desc' },
      { column: 't.id', order: 'desc' },
    ])
    .limit(LIMIT);
  return compileOrdered(dialect, 'memory.newest', query, [...where, 'limit']);
}

/** The statements of {@link Memory}. */
export interface MemoryStatements {
  readonly put: Statement;
  /** The records with a key, newest first, at most `limit`. */
  readonly newest: Statement;
  readonly remove: Statement;
  readonly lists: { readonly byAgent: Statement; readonly byKind: Statement };
  readonly pages: { readonly byAgent: Pages; readonly byKind: Pages };
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => MemoryStatements = perDialect((dialect) => {
  const lists = {
    byAgent: listStatement(dialect, 'memory.list.byAgent', BY_AGENT),
    byKind: listStatement(dialect, 'memory.list.byKind', BY_KIND),
  };
  const pages = {
    byAgent: pageStatements(dialect, 'memory.page.byAgent', BY_AGENT),
    byKind: pageStatements(dialect, 'memory.page.byKind', BY_KIND),
  };
  const latest = newest(dialect);
  return {
    // When it was first remembered stays.
    put: upsertOne(dialect, 'memory.put', MEMORY, ['created_at']),
    newest: latest,
    remove: deleteStatement(dialect, 'memory.delete', MEMORY),
    lists,
    pages,
    reads: [latest, ...Object.values(lists), ...Object.values(pages).flatMap(statementsOf)],
  };
});
