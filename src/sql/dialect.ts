import type { Knex } from 'knex';
import type { Column, ColumnType, Table } from '../model/tables.ts';
import { builderFor, type Client } from './builder.ts';
import { mariadb } from './mariadb.ts';
import { mysql } from './mysql.ts';
import { pglite } from './pglite.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';
import { parameter } from './statement.ts';

/** The SQL languages that statements are compiled for. PGlite and MariaDB each differ in a fact or two from their family. */
export type DialectName = 'postgres' | 'pglite' | 'mysql' | 'mariadb' | 'sqlite';

/** The families that share migration files. */
export type Language = 'postgres' | 'mysql' | 'sqlite';

const LANGUAGES: Readonly<Record<DialectName, Language>> = {
  postgres: 'postgres',
  pglite: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
};

/** Which migration files and model a dialect uses. */
export function languageOf(name: DialectName): Language {
  return LANGUAGES[name];
}

/** A piece of a query. */
export type Fragment = Knex.Raw;

/** A raw value of a row, as a driver gives it. */
export type Raw = string | number | bigint;

/**
 * How many rows reach a table at once: `arrays`, one for each column and `element` the type inside; `rows`, VALUES of
 * a few fixed sizes, greatest first; `each`, one statement run once for each row.
 */
export type BulkForm =
  | { readonly form: 'arrays'; readonly element: Readonly<Record<ColumnType, string>> }
  | { readonly form: 'rows'; readonly sizes: readonly number[] }
  | { readonly form: 'each' };

/** What an engine is: facts, and the SQL forms in which it takes and gives each type of column. */
export interface Engine {
  readonly client: Client;
  /** Whether tables are qualified with the schema. */
  readonly schemas: boolean;
  /** How many rows reach a table at once. */
  readonly bulk: BulkForm;
  /** Whether an INSERT can leave a stored key alone; else it is refused with AlreadyExistsError. */
  readonly insertKeepsFirst: boolean;
  /** Whether `(a, b) > (?, ?)` is an index range. */
  readonly rowRange: boolean;
  /**
   * How a read is held to an index; `??` is its name. Absent where the planner finds the index of an order by
   * itself: MySQL takes another one and sorts, MariaDB starts from the order's end and skips what the cursor passed.
   */
  readonly indexHint?: string;
  /**
   * Whether the planner may not see how many rows a read is bounded to. PostgreSQL sorts where a bound takes nearly
   * all rows or is absent; not knowing it, it expects a tenth to be taken and walks the index.
   */
  readonly hidesLimit: boolean;
  /** Greatest size of a row in bytes, or the query that asks the server (one row, column `bytes`). */
  readonly rowBytes: number | string;
  /** How a parameter of a type is written; `?` is its place. */
  readonly write: Readonly<Record<ColumnType, string>>;
  /** How a column of a type is read; `??` is its place. */
  readonly read: Readonly<Record<ColumnType, string>>;
  /**
   * The later of a time parameter `?` and a column `??` plus one millisecond, at most the last moment. Absent where
   * an UPDATE cannot give back the row that it wrote.
   */
  readonly later?: string;
  /** A moment in milliseconds as a parameter. */
  readonly time: (ms: number) => string | number;
  /** A text column as read. */
  readonly text: (raw: Raw) => string;
}

/** An {@link Engine} with its query builder: all that a repository needs to make its statements. */
export interface Dialect extends Engine {
  readonly name: DialectName;
  readonly builder: Knex;
  /** Begins a query on a table, under the alias `t` when it reads; `index` is the one whose order it walks. */
  from(table: Table, index?: string): Knex.QueryBuilder;
  into(table: Table): Knex.QueryBuilder;
  /** A parameter in the form in which a column takes it. */
  parameter(column: Pick<Column, 'name' | 'type'>, name?: string): Knex.Raw;
  /** The select list for columns; `alias` is that of the table. */
  columns(columns: readonly Column[], alias?: string): Knex.Raw[];
  /** The rows beyond a position in the order of `keys` (all ascending or all descending); parameters `cursor.<column>`. */
  beyond(keys: readonly [Column, Column], descending: boolean): Knex.Raw;
}

const ENGINES: Readonly<Record<DialectName, Engine>> = { postgres, pglite, mysql, mariadb, sqlite };

function beyond(dialect: Dialect, keys: readonly [Column, Column], descending: boolean): Knex.Raw {
  const sign = descending ? '<' : '>';
  const [first, second] = keys;
  const [a, b] = [`t.${first.name}`, `t.${second.name}`];
  const at = (): Knex.Raw => dialect.parameter(first, `cursor.${first.name}`);
  const id = dialect.parameter(second, `cursor.${second.name}`);
  if (dialect.rowRange) return dialect.builder.raw(`(??, ??) ${sign} (?, ?)`, [a, b, at(), id]);
  return dialect.builder.raw(`?? ${sign}= ? and (?? ${sign} ? or ?? ${sign} ?)`, [a, at(), a, at(), b, id]);
}

function make(name: DialectName, schema: string, builder: Knex): Dialect {
  const engine = ENGINES[name];
  const scoped = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    engine.schemas ? query.withSchema(schema) : query;
  const dialect: Dialect = {
    ...engine,
    name,
    builder,
    from: (table, index) =>
      index === undefined || engine.indexHint === undefined
        ? scoped(builder.from(`${table.name} as t`))
        : builder.from(builder.raw(`?? as ?? ${engine.indexHint}`, [table.name, 't', index])),
    into: (table) => scoped(builder.table(table.name)),
    parameter: (column, called = column.name) => builder.raw(engine.write[column.type], [parameter(called)]),
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
