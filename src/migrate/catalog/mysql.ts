import type { Connection, Row } from '../../drivers/connection.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { byName, type ColumnShape, type IndexShape, type NamedText, type Shape } from './shape.ts';

const TABLES = `select table_name as name, engine, row_format as format, table_collation as collation
from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' and table_name in (?)`;
const COLUMNS = `select table_name as tab, column_name as name, column_type as type, is_nullable as nullable,
  collation_name as collation, column_default as fill, extra
from information_schema.columns where table_schema = database() and table_name in (?) order by ordinal_position`;
const PARTS = `select table_name as tab, index_name as name, non_unique as repeats, column_name as col,
  collation as direction, sub_part as part, index_type as kind, {{unused}} as unused
from information_schema.statistics where table_schema = database() and table_name in (?)
order by table_name, index_name, seq_in_index`;
/** What an index is called that the server keeps and reads nothing by. */
export const INVISIBLE = 'invisible';
/** Whether the server keeps an index and reads nothing by it. */
const UNUSED = { mysql: "is_visible = 'NO'", mariadb: "ignored = 'YES'" };
/** MariaDB shows the constraints of a table, its primary key among them, only to who may do more than read it. */
const CONSTRAINED = `select distinct table_name as tab from information_schema.table_constraints
where table_schema = database() and table_name in (?)`;
const CHECKS = `select t.table_name as tab, c.constraint_name as name, c.check_clause as text
from information_schema.check_constraints c join information_schema.table_constraints t
  on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name and t.constraint_type = 'CHECK'
where c.constraint_schema = database() and t.table_name in (?)`;

/** The tables of these names, as MySQL or MariaDB has them, spelled as MySQL does. */
export async function mysqlShape(connection: Connection, names: readonly string[]): Promise<Shape> {
  const read = async (word: string, text: string): Promise<readonly Row[]> => {
    const values = Object.fromEntries(names.map((name, i) => [`n${i}`, name]));
    return (await connection.rows(listed(word, text, Object.keys(values)), values)).map(lowered);
  };
  const tables = await read('tables', TABLES);
  const columns = await read('columns', COLUMNS);
  const unused = UNUSED[connection.dialectName === 'mariadb' ? 'mariadb' : 'mysql'];
  const parts = await read('indexes', PARTS.replace('{{unused}}', unused));
  const checks = await read('checks', CHECKS);
  const constrained = await read('constrained', CONSTRAINED);
  const shapes = tables.map(({ name, engine, format, collation }) => {
    const own = (rows: readonly Row[]) => rows.filter(({ tab }) => tab === name);
    const indexes = gather(own(parts));
    return {
      name: String(name),
      columns: own(columns).map(columnShape),
      primaryKey: indexes.find((index) => index.name === 'PRIMARY')?.columns ?? [],
      indexes: indexes.filter((index) => index.name !== 'PRIMARY').sort(byName),
      checks: own(constrained).length === 0 ? null : uniqueNames(own(checks).map(checkShape)),
      policies: [],
      traits: { engine: String(engine), 'row format': String(format), collation: String(collation) },
    };
  });
  return { tables: shapes.sort(byName), functions: [] };
}

function listed(word: string, text: string, order: readonly string[]): Statement {
  const marks = order.map(() => '?').join(', ');
  return statement(`catalog.${word}`, text.replace('(?)', `(${marks})`), order);
}

/** MySQL gives some columns of its information_schema in capitals, whatever was asked for. */
function lowered(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}

function columnShape(row: Row): ColumnShape {
  return {
    name: String(row.name),
    type: typeOf(String(row.type)),
    nullable: row.nullable === 'YES',
    collation: row.collation === null ? null : String(row.collation),
    fill: fillOf(row),
  };
}

// What follows is the list of known differences: MariaDB's spelling of what both have becomes MySQL's.

/** MariaDB shows the display width of a whole number. */
function typeOf(type: string): string {
  return type.replace(/^((?:tiny|small|medium|big)?int)\(\d+\)/, '$1');
}

/**
 * MySQL shows the text of a literal and marks an expression; MariaDB shows both as SQL, and NULL where there
 * is none.
 */
function fillOf({ type, fill, extra }: Row): string | null {
  const words = String(extra ?? '').toLowerCase();
  const made = words.replace(/\bdefault_generated\b/, '').trim();
  if (made !== '') return fill === null || fill === 'NULL' ? made : `${fill} ${made}`;
  if (fill === null || fill === 'NULL') return null;
  const value = String(fill);
  const isSql = words !== '' || value.startsWith("'") || /^[a-z_]+\(/i.test(value);
  const isNumber = /int|decimal|float|double/.test(String(type));
  return isSql || isNumber ? value : `'${value.replaceAll("'", "''")}'`;
}

/** MySQL adds parentheses, the character set of each literal and backslashes before its quotes. */
function checkShape({ name, text }: Row): NamedText {
  const plain = String(text)
    .replaceAll("\\'", "'")
    .replace(/_utf8mb4'/g, "'")
    .replace(/, '/g, ",'")
    .replace(/^\((.*)\)$/, '$1');
  return { name: String(name), text: plain };
}

/** Names of checks are a table's own on MariaDB and a database's on MySQL: the join may find one twice. */
function uniqueNames(checks: readonly NamedText[]): NamedText[] {
  return [...new Map(checks.map((check) => [check.name, check])).values()].sort(byName);
}

function gather(parts: readonly Row[]): IndexShape[] {
  const indexes = new Map<string, { unique: boolean; columns: string[]; special: Set<string> }>();
  for (const { name, repeats, col, direction, part, kind, unused } of parts) {
    const empty = { unique: Number(repeats) === 0, columns: [], special: new Set<string>() };
    const index = indexes.get(String(name)) ?? empty;
    indexes.set(String(name), index);
    index.columns.push(col === null ? 'expression' : `${col}${part === null ? '' : `(${part})`}`);
    if (kind !== 'BTREE') index.special.add(`using ${kind}`);
    else if (direction !== 'A') index.special.add('other order');
    if (Number(unused) === 1) index.special.add(INVISIBLE);
  }
  return [...indexes].map(([name, { unique, columns, special }]) => {
    return { name, unique, columns, special: [...special].join(', ') || null, valid: true };
  });
}
