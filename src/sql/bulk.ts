import type { Knex } from 'knex';
import type { Column, Table } from '../model/tables.ts';
import { compile, parameter } from './compile.ts';
import type { Dialect } from './dialect.ts';
import type { BulkForm } from './engine.ts';
import { columnsOf } from './rows.ts';
import { type Statement, statement } from './statement.ts';

/** Statements that store many rows, keeping what is stored, and that read what was kept. */
export type KeepFirst =
  | {
      readonly form: 'arrays';
      /** Parameters: `tenant_id`, and one array for each other column. */
      readonly insert: Statement;
      /** Parameters: `tenant_id`, and `id` as an array. */
      readonly stored: Statement;
    }
  | {
      readonly form: 'rows';
      /** How many rows a statement may take, greatest first. */
      readonly sizes: readonly number[];
      /** For one of `sizes`; parameters `<column>.<row>`. */
      readonly insert: (size: number) => Statement;
      /** For one of `sizes`; locks what it reads. Parameters: `tenant_id`, `id.<n>`. */
      readonly stored: (size: number) => Statement;
    }
  | {
      readonly form: 'each';
      /** Parameters: the columns of one row. */
      readonly insert: Statement;
      /** Parameters: `tenant_id`, `id`. */
      readonly stored: Statement;
    };

/** Statements that store many rows, replacing what is stored: as {@link KeepFirst}, without what was stored. */
export type Upsert =
  | Omit<Extract<KeepFirst, { form: 'arrays' }>, 'stored'>
  | Omit<Extract<KeepFirst, { form: 'rows' }>, 'stored'>
  | Omit<Extract<KeepFirst, { form: 'each' }>, 'stored'>;

const KEY: readonly string[] = Object.freeze(['tenant_id', 'id']);

/** What becomes of a row whose key is stored. */
type OnStored = (dialect: Dialect, insert: Knex.QueryBuilder) => Knex.QueryBuilder;

/** It stays, where the engine can say so; else the insert is refused. */
const keeping: OnStored = (dialect, insert) =>
  dialect.insertKeepsFirst ? insert.onConflict([...KEY]).ignore() : insert;

/** It stays, whichever unique key it is. */
const keepingAny: OnStored = (dialect, insert) =>
  dialect.insertKeepsFirst ? insert.onConflict().ignore() : insert;

/** It takes the new values of these columns. */
const replacing =
  (columns: readonly string[]): OnStored =>
  (_, insert) =>
    insert.onConflict([...KEY]).merge([...columns]);

function namesOf(table: Table): readonly string[] {
  return table.columns.map((one) => one.name);
}

function row(dialect: Dialect, table: Table, suffix = ''): Record<string, Knex.Raw> {
  return Object.fromEntries(
    table.columns.map((one) => [one.name, dialect.parameter(one, one.name + suffix)]),
  );
}

/**
 * Inserts one row; parameters are the columns. A key that is stored stays: the count is 0 where
 * `dialect.insertKeepsFirst`, else AlreadyExistsError.
 */
export function insertOne(
  dialect: Dialect,
  name: string,
  table: Table,
  facts?: { readonly once?: boolean },
): Statement {
  const query = keeping(dialect, dialect.into(table).insert(row(dialect, table)));
  return compile(name, query, namesOf(table), facts);
}

/** As {@link insertOne}, for a table that has another unique key: whichever of them is stored. */
export function insertFree(dialect: Dialect, name: string, table: Table): Statement {
  const query = keepingAny(dialect, dialect.into(table).insert(row(dialect, table)));
  return compile(name, query, namesOf(table));
}

function replaced(table: Table, kept: readonly string[]): readonly string[] {
  return namesOf(table).filter((name) => !KEY.includes(name) && !kept.includes(name));
}

/** Inserts one row, or replaces all columns of a stored one but `kept`; parameters are the columns. */
export function upsertOne(
  dialect: Dialect,
  name: string,
  table: Table,
  kept: readonly string[] = [],
): Statement {
  const insert = dialect.into(table).insert(row(dialect, table));
  return compile(name, replacing(replaced(table, kept))(dialect, insert), namesOf(table));
}

/** The statements that store many rows of a table, replacing what is stored. */
export function upsertMany(dialect: Dialect, name: string, table: Table): Upsert {
  const { bulk } = dialect;
  const replace = replacing(replaced(table, []));
  switch (bulk.form) {
    case 'arrays':
      return { form: 'arrays', insert: insertArrays(dialect, name, table, { bulk, onStored: replace }) };
    case 'rows':
      return {
        form: 'rows',
        sizes: bulk.sizes,
        insert: once((size) => rows(dialect, `${name}.${size}`, table, { size, onStored: replace })),
      };
    case 'each':
      return { form: 'each', insert: upsertOne(dialect, name, table) };
  }
}

/** The statements that store many rows of a table; `kept` are the columns to read of rows that were stored before. */
export function keepFirst(dialect: Dialect, name: string, table: Table, kept: readonly string[]): KeepFirst {
  const { bulk } = dialect;
  const read = dialect.from(table).select(dialect.columns(columnsOf(table, ...kept)));
  switch (bulk.form) {
    case 'arrays':
      return arrays(dialect, name, table, { bulk, read });
    case 'rows':
      return {
        form: 'rows',
        sizes: bulk.sizes,
        insert: once((size) => rows(dialect, `${name}.${size}`, table, { size, onStored: keeping })),
        stored: once((size) => locked(dialect, `${name}.stored.${size}`, read, size)),
      };
    case 'each': {
      const [tenant, id] = columnsOf(table, ...KEY) as [Column, Column];
      const stored = read
        .where('t.tenant_id', dialect.parameter(tenant))
        .where('t.id', dialect.parameter(id));
      return {
        form: 'each',
        insert: insertOne(dialect, name, table),
        stored: compile(`${name}.stored`, stored, KEY),
      };
    }
  }
}

/** Compiled at first use: a thousand rows take knex a few milliseconds. */
function once(make: (size: number) => Statement): (size: number) => Statement {
  const made = new Map<number, Statement>();
  return (size) => {
    let statement = made.get(size);
    if (!statement) {
      statement = make(size);
      made.set(size, statement);
    }
    return statement;
  };
}

type ArrayForm = BulkForm & { readonly form: 'arrays' };

function arrays(
  dialect: Dialect,
  name: string,
  table: Table,
  { bulk, read }: { readonly bulk: ArrayForm; readonly read: Knex.QueryBuilder },
): KeepFirst {
  const stored = read
    .where('t.tenant_id', dialect.parameter({ name: 'tenant_id', type: 'key' }))
    .whereRaw('?? = any(?::text[])', ['t.id', parameter('id')]);
  return {
    form: 'arrays',
    insert: insertArrays(dialect, name, table, { bulk, onStored: keeping }),
    stored: compile(`${name}.stored`, stored, KEY),
  };
}

function insertArrays(
  dialect: Dialect,
  name: string,
  table: Table,
  { bulk, onStored }: { readonly bulk: ArrayForm; readonly onStored: OnStored },
): Statement {
  const { builder } = dialect;
  const [tenant, ...others] = table.columns as readonly [Column, ...Column[]];
  const lists = others.map((one) => builder.raw(`?::${bulk.element[one.type]}[]`, [parameter(one.name)]));
  const names = others.map((one) => one.name);
  const source = builder.raw(
    `unnest(${lists.map(() => '?').join(', ')}) as r(${names.map(() => '??').join(', ')})`,
    [...lists, ...names],
  );
  const items = others.map((one) => builder.raw(one.type === 'json' ? '??::json' : '??', [`r.${one.name}`]));
  const select = builder.select([builder.raw('?::text', [parameter(tenant.name)]), ...items]).from(source);
  const target = dialect.into(table);
  const columns = [tenant.name, ...names];
  const insert = target.insert(
    builder.raw(`(${columns.map(() => '??').join(', ')}) ?`, [...columns, select]),
  );
  return compile(name, onStored(dialect, insert), columns);
}

function numbered(size: number): readonly number[] {
  return Array.from({ length: size }, (_, index) => index);
}

/** One row as knex writes it, repeated: a thousand rows would hold knex, and the event loop, for a tenth of a second. */
function rows(
  dialect: Dialect,
  name: string,
  table: Table,
  { size, onStored }: { readonly size: number; readonly onStored: OnStored },
): Statement {
  const insert = dialect.into(table).insert(row(dialect, table));
  const one = compile(name, insert, namesOf(table));
  const whole = compile(name, onStored(dialect, insert), namesOf(table));
  const end = whole.text.slice(one.text.length);
  const values = one.text.slice(one.text.indexOf(' values (') + ' values '.length);
  const order = numbered(size).flatMap((index) => one.order.map((column) => `${column}.${index}`));
  return statement(name, one.text + `, ${values}`.repeat(size - 1) + end, order);
}

function locked(dialect: Dialect, name: string, read: Knex.QueryBuilder, size: number): Statement {
  const ids = numbered(size).map((index) => `id.${index}`);
  const query = read
    .clone()
    .where('t.tenant_id', dialect.parameter({ name: 'tenant_id', type: 'key' }))
    .whereIn(
      't.id',
      ids.map((id) => dialect.parameter({ name: id, type: 'key' })),
    )
    .forUpdate();
  return compile(name, query, ['tenant_id', ...ids]);
}
