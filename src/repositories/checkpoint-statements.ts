import { CHECKPOINTS, type Column } from '../model/tables.ts';
import { insertFree } from '../sql/bulk.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { current, whereEqual } from '../sql/where.ts';
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
  whereEqual(dialect, query, CHECKPOINTS, KEY, '');
  return compile('checkpoints.replace', query, [...columns.map(({ name }) => name), ...KEY]);
}

/** The id at a place. */
function holder(dialect: Dialect): Statement {
  const where = ['tenant_id', 'session_id', 'seq_num'];
  const query = dialect.from(CHECKPOINTS).select(dialect.columns([ID]));
  return compile(
    'checkpoints.holder',
    current(dialect, whereEqual(dialect, query, CHECKPOINTS, where)),
    where,
  );
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
  readonly list: Statement;
  readonly pages: Pages;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => CheckpointStatements = perDialect((dialect) => {
  const list = listStatement(dialect, 'checkpoints.list', PLACE);
  const pages = pageStatements(dialect, 'checkpoints.page', PLACE);
  return {
    insert: insertFree(dialect, 'checkpoints.insert', CHECKPOINTS),
    replace: replace(dialect),
    get: getStatement(dialect, 'checkpoints.get', CHECKPOINTS),
    lock: getStatement(dialect, 'checkpoints.lock', CHECKPOINTS, { locking: true, columns: [ID] }),
    holder: holder(dialect),
    list,
    pages,
    reads: [list, ...statementsOf(pages)],
  };
});
