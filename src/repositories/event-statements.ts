import { type Column, EVENTS } from '../model/tables.ts';
import { insertOne, type KeepFirst, keepFirst } from '../sql/bulk.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { perDialect } from './backing.ts';
import { listStatement, type Order, type Pages, pageStatements, statementsOf } from './paging.ts';

const PLACE: Order = {
  table: EVENTS,
  index: 'chronos_events_by_place',
  where: ['session_id'],
  floor: 'seq_num',
  keys: ['seq_num', 'id'],
  descending: false,
};

const [TENANT, ID, SEQ] = columnsOf(EVENTS, 'tenant_id', 'id', 'seq_num') as [Column, Column, Column];

function place(dialect: Dialect): Statement {
  const query = dialect
    .from(EVENTS)
    .select(dialect.columns([SEQ]))
    .where('t.tenant_id', dialect.parameter(TENANT))
    .where('t.id', dialect.parameter(ID));
  return compile('events.place', query, ['tenant_id', 'id']);
}

/** The statements of `Events`. */
export interface EventStatements {
  readonly append: Statement;
  /** The place of a stored event. */
  readonly place: Statement;
  readonly appendMany: KeepFirst;
  readonly list: Statement;
  readonly pages: Pages;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => EventStatements = perDialect((dialect) => {
  const list = listStatement(dialect, 'events.list', PLACE);
  const pages = pageStatements(dialect, 'events.page', PLACE);
  return {
    append: insertOne(dialect, 'events.append', EVENTS),
    place: place(dialect),
    appendMany: keepFirst(dialect, 'events.appendMany', EVENTS, ['id', 'seq_num']),
    list,
    pages,
    reads: [list, ...statementsOf(pages)],
  };
});
