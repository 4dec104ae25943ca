import { MEMORY } from '../model/tables.ts';
import { upsertOne } from '../sql/bulk.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Statement } from '../sql/statement.ts';
import { perDialect } from './backing.ts';
import { deleteStatement } from './by-id.ts';
import {
  firstStatement,
  listStatement,
  type Order,
  type Pages,
  pageStatements,
  statementsOf,
} from './orders.ts';

const BY_AGENT: Order = {
  table: MEMORY,
  index: 'chronos_memory_by_agent',
  where: ['agent_id'],
  keys: ['created_at', 'id'],
  descending: false,
};
/** The newest first; of those of one moment the one with the greatest id. */
const BY_KEY: Order = {
  ...BY_AGENT,
  index: 'chronos_memory_by_key',
  where: ['agent_id', 'key'],
  descending: true,
};
const BY_KIND: Order = { ...BY_AGENT, index: 'chronos_memory_by_kind', where: ['agent_id', 'kind'] };

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
  const newest = firstStatement(dialect, 'memory.newest', BY_KEY);
  return {
    // When it was first remembered stays.
    put: upsertOne(dialect, 'memory.put', MEMORY, ['created_at']),
    newest,
    remove: deleteStatement(dialect, 'memory.delete', MEMORY),
    lists,
    pages,
    reads: [newest, ...Object.values(lists), ...Object.values(pages).flatMap(statementsOf)],
  };
});
