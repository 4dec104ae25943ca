import type { Knex } from 'knex';
import type { Table } from '../model/tables.ts';
import type { Dialect } from './dialect.ts';
import { columnsOf } from './rows.ts';

/** Narrows a query to the rows of a table whose columns equal parameters of their names; `alias` is the table's, `''` = none. */
export function whereEqual(
  dialect: Dialect,
  query: Knex.QueryBuilder,
  table: Table,
  columns: readonly string[],
  alias: 't' | '' = 't',
): Knex.QueryBuilder {
  for (const column of columnsOf(table, ...columns)) {
    query.where(alias === '' ? column.name : `${alias}.${column.name}`, dialect.parameter(column));
  }
  return query;
}

/** A read by a unique key, of what is stored now; the row alone is locked, no gap beside it. */
export function current(dialect: Dialect, query: Knex.QueryBuilder): Knex.QueryBuilder {
  return dialect.shareToSee ? query.forShare() : query;
}
