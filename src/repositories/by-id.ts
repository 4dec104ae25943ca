import type { Row } from '../drivers/connection.ts';
import { NotFoundError } from '../errors.ts';
import { checkText } from '../model/check.ts';
import type { Column, Table } from '../model/tables.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { current, whereEqual } from '../sql/where.ts';
import { row, type Work } from './work.ts';

/** Parameters of a statement on one row. */
export const KEY: readonly ['tenant_id', 'id'] = Object.freeze(['tenant_id', 'id'] as const);

/** Reads one row by its key; `locking` until the transaction ends, `met` by a write that was refused. */
export function getStatement(
  dialect: Dialect,
  name: string,
  table: Table,
  {
    locking = false,
    met = false,
    columns = table.columns,
  }: { locking?: boolean; met?: boolean; columns?: readonly Column[] } = {},
): Statement {
  const query = dialect.from(table).select(dialect.columns(columns));
  whereEqual(dialect, query, table, KEY);
  if (locking) query.forUpdate();
  return compile(name, met ? current(dialect, query) : query, KEY);
}

/** Deletes one row by its key. */
export function deleteStatement(dialect: Dialect, name: string, table: Table): Statement {
  return compile(name, whereEqual(dialect, dialect.into(table).delete(), table, KEY, ''), KEY);
}

/** The row with this id, else NotFoundError. */
export function* getRow(table: Table, statement: Statement, tenant: string, id: string): Work<Row> {
  const found = yield* row(statement, { tenant_id: tenant, id: checkId(table, id) });
  if (!found) throw new NotFoundError(table.record, id);
  return found;
}

/** An id of a table's rows, as an argument. */
export function checkId(table: Table, id: unknown): string {
  const [column] = columnsOf(table, 'id') as [Column];
  return checkText('id', id, column);
}
