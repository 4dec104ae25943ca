import type { Knex } from 'knex';
import type { Column, Table } from '../model/tables.ts';
import { builderFor } from './builder.ts';
import { parameter } from './compile.ts';
import type { DialectName } from './dialect-name.ts';
import type { Engine } from './engine.ts';
import { mariadb } from './mariadb.ts';
import { mysql } from './mysql.ts';
import { pglite } from './pglite.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/** A piece of a query. */
export type Fragment = Knex.Raw;

/** The columns of an order: one that is unique in it, or one and the id. */
export type Keys = readonly [Column] | readonly [Column, Column];

/** An {@link Engine} with its query builder: all that a repository needs to make its statements. */
export interface Dialect extends Engine {
  readonly name: DialectName;
  readonly builder: Knex;
  /** The schema of our tables as text for a statement; '' where there are none. */
  readonly home: string;
  /** Begins a query on a table, under the alias `t` when it reads; `index` is the one whose order it walks. */
  from(table: Table, index?: string): Knex.QueryBuilder;
  into(table: Table): Knex.QueryBuilder;
  /** The name of a function of ours. */
  routine(name: string): Knex.Raw;
  /** The name of a table of ours that is not in the model, as text for a statement. */
  place(name: string): string;
  /** A parameter in the form in which a column takes it. */
  parameter(column: Pick<Column, 'name' | 'type'>, name?: string): Knex.Raw;
  /** The same as an edge that rows are beyond. */
  edge(column: Pick<Column, 'name' | 'type'>, name: string): Knex.Raw;
  /** The select list for columns; `alias` is that of the table. */
  columns(columns: readonly Column[], alias?: string): Knex.Raw[];
  /** The rows beyond a position in the order of `keys` (all ascending or all descending); parameters `cursor.<column>`. */
  beyond(keys: Keys, descending: boolean): Knex.Raw;
}

const ENGINES: Readonly<Record<DialectName, Engine>> = { postgres, pglite, mysql, mariadb, sqlite };

function beyond(dialect: Dialect, keys: Keys, descending: boolean): Knex.Raw {
  const sign = descending ? '<' : '>';
  const [first, second] = keys;
  const a = `t.${first.name}`;
  const at = (): Knex.Raw => dialect.edge(first, `cursor.${first.name}`);
  if (second === undefined) return dialect.builder.raw(`?? ${sign} ?`, [a, at()]);
  const b = `t.${second.name}`;
  const id = dialect.edge(second, `cursor.${second.name}`);
  if (dialect.rowRange) return dialect.builder.raw(`(??, ??) ${sign} (?, ?)`, [a, b, at(), id]);
  return dialect.builder.raw(`?? ${sign}= ? and (?? ${sign} ? or ?? ${sign} ?)`, [a, at(), a, at(), b, id]);
}

function make(name: DialectName, schema: string, builder: Knex): Dialect {
  const engine = ENGINES[name];
  // Quoted here: knex takes a dot, ` as ` and blanks in a schema's name for something else.
  const home = engine.schemas ? `"${schema.replaceAll('"', '""')}"` : '';
  const place = engine.schemas ? `${home}.` : '';
  const dialect: Dialect = {
    ...engine,
    name,
    builder,
    home,
    from: (table, index) =>
      index === undefined || engine.indexHint === undefined
        ? builder.from(builder.raw(`${place}?? as ??`, [table.name, 't']))
        : builder.from(builder.raw(`?? as ?? ${engine.indexHint}`, [table.name, 't', index])),
    into: (table) => builder.table(builder.raw(`${place}??`, [table.name])),
    place: (name) => `${place}"${name}"`,
    routine: (name) => builder.raw(`${place}??`, [name]),
    parameter: (column, called = column.name) => builder.raw(engine.write[column.type], [parameter(called)]),
    edge: (column, called) => builder.raw(engine.edgeForm ?? '?', [dialect.parameter(column, called)]),
    columns: (columns, alias = 't') =>
      columns.map(({ name, type }) =>
        builder.raw(`${engine.read[type]} as ??`, [alias === '' ? name : `${alias}.${name}`, name]),
      ),
    beyond: (keys, descending) => beyond(dialect, keys, descending),
  };
  return Object.freeze(dialect);
}

const dialects = new Map<string, Promise<Dialect>>();

/** The dialect of an engine; `schema` holds the tables where {@link Engine.schemas}. One object for each pair. */
export function dialectFor(name: DialectName, schema = 'chronos'): Promise<Dialect> {
  const key = ENGINES[name].schemas ? `${name} ${schema}` : name;
  let dialect = dialects.get(key);
  if (!dialect) {
    dialect = builderFor(ENGINES[name].client).then((builder) => make(name, schema, builder));
    dialects.set(key, dialect);
  }
  return dialect;
}
