import { TRACES } from '../model/tables.ts';
import { type Upsert, upsertMany, upsertOne } from '../sql/bulk.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { whereEqual } from '../sql/where.ts';
import { perDialect } from './backing.ts';
import { getStatement, KEY } from './by-id.ts';
import { listStatement, type Order, type Pages, pageStatements, statementsOf } from './orders.ts';

const STARTED: Order = {
  table: TRACES,
  index: 'chronos_traces_by_session',
  where: ['session_id'],
  keys: ['started_at', 'id'],
  descending: false,
};

/** What the end of a span may write beside its time. */
const MORE = [[], ['output'], ['error'], ['output', 'error']] as const;

function end(dialect: Dialect, more: readonly string[]): Statement {
  const columns = ['ended_at', ...more];
  const set = columnsOf(TRACES, ...columns).map((column) => [column.name, dialect.parameter(column)]);
  const query = dialect.into(TRACES).update(Object.fromEntries(set));
  return compile(`traces.end.${more.join('.')}`, whereEqual(dialect, query, TRACES, KEY, ''), [
    ...columns,
    ...KEY,
  ]);
}

/** The statements of `Traces`. */
export interface TraceStatements {
  readonly put: Statement;
  readonly putMany: Upsert;
  readonly get: Statement;
  /** Writes these columns of one span: `ended_at`, and `output` or `error` or both. */
  readonly ends: (columns: readonly string[]) => Statement;
  readonly list: Statement;
  readonly pages: Pages;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => TraceStatements = perDialect((dialect) => {
  const list = listStatement(dialect, 'traces.list', STARTED);
  const pages = pageStatements(dialect, 'traces.page', STARTED);
  const ends = new Map(MORE.map((more) => [more.join(), end(dialect, more)]));
  return {
    put: upsertOne(dialect, 'traces.put', TRACES),
    putMany: upsertMany(dialect, 'traces.putMany', TRACES),
    get: getStatement(dialect, 'traces.get', TRACES),
    ends: (columns) => ends.get(columns.filter((name) => name !== 'ended_at').join()) as Statement,
    list,
    pages,
    reads: [list, ...statementsOf(pages)],
  };
});
