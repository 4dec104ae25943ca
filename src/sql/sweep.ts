import type { Knex } from 'knex';
import type { Column, Table } from '../model/tables.ts';
import { compile, LIMIT } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { compileOrdered } from './ordered.ts';
import { columnsOf } from './rows.ts';
import { type Statement, statement } from './statement.ts';
import { whereEqual } from './where.ts';

/** Which rows a sweep removes, and along which index it walks. */
export interface Sweep {
  readonly table: Table;
  /** The index that has this order; absent = the primary key. */
  readonly index?: string;
  /** Columns that must equal a parameter of their name, beside `tenant_id`. */
  readonly where: readonly string[];
  /** The order of the walk: what follows `where` in the index. */
  readonly keys: readonly [string, ...string[]];
  /** Whether the first of `keys` must be less than the parameter `before`. */
  readonly bounded: boolean;
}

/** The statements of a {@link Sweep}. Parameters of all: `tenant_id`, `where`, `before` where bounded. */
export interface SweepStatements {
  /** Deletes the first `limit` rows from the parameter `from` on. */
  readonly remove: Statement;
  /** The key of the first row from `from` on that is left: where the next batch starts. */
  readonly edge: Statement;
  /** How many rows there are, as `count`. */
  readonly count: Statement;
  /** Column of the walk. */
  readonly key: Column;
}

/** The statements that remove rows in batches. */
export function sweepStatements(dialect: Dialect, name: string, sweep: Sweep): SweepStatements {
  const [key] = columnsOf(sweep.table, sweep.keys[0]) as [Column];
  return {
    remove: remove(dialect, `${name}.sweep`, sweep, key),
    edge: edge(dialect, `${name}.edge`, sweep, key),
    count: count(dialect, `${name}.count`, sweep, key),
    key,
  };
}

function narrow(
  dialect: Dialect,
  query: Knex.QueryBuilder,
  sweep: Sweep,
  { key, from }: { readonly key: Column; readonly from: boolean },
): readonly string[] {
  const parameters = ['tenant_id', ...sweep.where];
  whereEqual(dialect, query, sweep.table, parameters);
  if (from) query.where(`t.${key.name}`, '>=', dialect.parameter(key, 'from'));
  if (sweep.bounded) query.where(`t.${key.name}`, '<', dialect.parameter(key, 'before'));
  return [...parameters, ...(from ? ['from'] : []), ...(sweep.bounded ? ['before'] : [])];
}

/** It deletes what a bounded read along the index finds: no engine lets a DELETE say which index it walks. */
function remove(dialect: Dialect, name: string, sweep: Sweep, key: Column): Statement {
  const { rowAddress, builder } = dialect;
  const address = rowAddress?.column;
  const identity = ['tenant_id', sweep.table.columns.some(({ name }) => name === 'id') ? 'id' : key.name];
  const read = dialect.from(sweep.table, sweep.index);
  read.select((address === undefined ? identity : [address]).map((column) => `t.${column}`));
  const parameters = narrow(dialect, read, sweep, { key, from: true });
  read.orderBy(sweep.keys.map((column) => ({ column: `t.${column}` }))).limit(LIMIT);
  const found = compileOrdered(dialect, name, read, [...parameters, 'limit']);
  const around =
    rowAddress === undefined
      ? joined(builder, sweep.table, identity)
      : `${compile(name, dialect.into(sweep.table).delete(), []).text} where ${rowAddress.among}`;
  return statement(
    name,
    around.replace('?', () => found.text),
    found.order,
  );
}

/** Deletes the rows whose identity a query (`?`) gives. */
function joined(builder: Knex, table: Table, identity: readonly string[]): string {
  const same = identity.map(() => '?? = ??').join(' and ');
  const columns = identity.flatMap((column) => [`victim.${column}`, `found.${column}`]);
  const [on, target] = [builder.raw(same, columns).toQuery(), builder.raw('??', [table.name]).toQuery()];
  return `delete victim from ${target} as victim join (?) as found on ${on}`;
}

function edge(dialect: Dialect, name: string, sweep: Sweep, key: Column): Statement {
  const query = dialect.from(sweep.table, sweep.index).select(dialect.columns([key]));
  const parameters = narrow(dialect, query, sweep, { key, from: true });
  query.orderBy(sweep.keys.map((column) => ({ column: `t.${column}` }))).limit(LIMIT);
  return compileOrdered(dialect, name, query, [...parameters, 'limit']);
}

function count(dialect: Dialect, name: string, sweep: Sweep, key: Column): Statement {
  const query = dialect.from(sweep.table, sweep.index).count({ count: '*' });
  return compile(name, query, narrow(dialect, query, sweep, { key, from: false }));
}
