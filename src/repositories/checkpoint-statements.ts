import { CHECKPOINTS, type Column } from '../model/tables.ts';
import { insertFree } from '../sql/bulk.ts';
import { compile, LIMIT } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { perDialect } from './backing.ts';
import { getStatement, KEY } from './by-id.ts';
import { listStatement, type Order, type Pages, pageStatements, statementsOf } from './orders.ts';

const PLACE: Order = {
  table: CHECKPOINTS,
  index: 'chronos_checkpoints_by_place',
  where: ['session_id'],
  keys: ['seq_num'],
  descending: false,
};

const [ID] = columnsOf(CHECKPOINTS, 'id') as [Column];

function replace(dialect: Dialect): Statement {
  const columns = CHECKPOINTS.columns.filter(({ name }) => !(KEY as readonly string[]).includes(name));
  const set = columns.map((column) => [column.name, dialect.parameter(column)]);
  const query = dialect.into(CHECKPOINTS).update(Object.fromEntries(set));
  for (const column of columnsOf(CHECKPOINTS, ...KEY)) query.where(column.name, dialect.parameter(column));
  return compile('checkpoints.replace', query, [...columns.map(({ name }) => name), ...KEY]);
}

/** The checkpoint with the highest place. */
function latest(dialect: Dialect): Statement {
  const where = ['tenant_id', 'session_id'];
  const query = dialect.from(CHECKPOINTS, PLACE.index).select(dialect.columns(CHECKPOINTS.columns));
  for (const column of columnsOf(CHECKPOINTS, ...where)) {
    query.where(`t.${column.name}`, dialect.parameter(column));
  }
  query.orderBy('t.seq_num', 'desc').limit(LIMIT);
  return compileOrdered(dialect, 'checkpoints.latest', query, [...where, 'limit']);
}

/** The id at a place. */
function holder(dialect: Dialect): Statement {
  const where = ['tenant_id', 'session_id', 'seq_num'];
  const query = dialect.from(CHECKPOINTS).select(dialect.columns([ID]));
  for (const column of columnsOf(CHECKPOINTS, ...where)) {
    query.where(`t.${column.name}`, dialect.parameter(column));
  }
  return compile('checkpoints.holder', query, where);
}

/** The statements of `Checkpoints`. */
export interface CheckpointStatements {
  /** Inserts unless the id or the place is taken. */
  readonly insert: Statement;
  readonly replace: Statement;
  readonly get: Statement;
  /** The id of a stored row, locked until the transaction ends. */
  readonly lock: Statement;
  readonly holder: Statement;
  readonly latest: Statement;
  readonly list: Statement;
  readonly pages: Pages;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => CheckpointStatements = perDialect((dialect) => {
  const list = listStatement(dialect, 'checkpoints.list', PLACE);
  const pages = pageStatements(dialect, 'checkpoints.page', PLACE);
  const highest = latest(dialect);
  return {
    insert: insertFree(dialect, 'checkpoints.insert', CHECKPOINTS),
    replace: replace(dialect),
    get: getStatement(dialect, 'checkpoints.get', CHECKPOINTS),
    lock: getStatement(dialect, 'checkpoints.lock', CHECKPOINTS, { locking: true, columns: [ID] }),
    holder: holder(dialect),
    latest: highest,
    list,
    pages,
    reads: [highest, list, ...statementsOf(pages)],
  };
});
