import { EVENTS } from '../model/tables.ts';
import { insertOne, type KeepFirst, keepFirst } from '../sql/bulk.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { whereEqual } from '../sql/where.ts';
import { perDialect } from './backing.ts';
import { getStatement } from './by-id.ts';
import { listStatement, type Order, type Pages, pageStatements, statementsOf } from './orders.ts';

const PLACE: Order = {
  table: EVENTS,
  index: 'chronos_events_by_place',
  where: ['session_id'],
  floor: 'seq_num',
  keys: ['seq_num', 'id'],
  descending: false,
};

function count(dialect: Dialect): Statement {
  const where = ['tenant_id', 'session_id'];
  const query = dialect.from(EVENTS, PLACE.index).count({ count: '*' });
  return compile('events.count', whereEqual(dialect, query, EVENTS, where), where);
}

/** The statements of `Events`. */
export interface EventStatements {
  readonly append: Statement;
  /** The place of a stored event. */
  readonly place: Statement;
  readonly appendMany: KeepFirst;
  readonly list: Statement;
  readonly pages: Pages;
  readonly count: Statement;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => EventStatements = perDialect((dialect) => {
  const list = listStatement(dialect, 'events.list', PLACE);
  const pages = pageStatements(dialect, 'events.page', PLACE);
  return {
    append: insertOne(dialect, 'events.append', EVENTS),
    place: getStatement(dialect, 'events.place', EVENTS, {
      columns: columnsOf(EVENTS, 'seq_num'),
      met: true,
    }),
    appendMany: keepFirst(dialect, 'events.appendMany', EVENTS, ['id', 'seq_num']),
    list,
    pages,
    count: count(dialect),
    reads: [list, ...statementsOf(pages)],
  };
});
