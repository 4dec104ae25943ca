import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { isWord, statementsOf } from '../text/statements.ts';
import type { Token } from '../text/tokens.ts';
import {
  byName,
  type ColumnShape,
  type IndexShape,
  type NamedText,
  type Shape,
  type TableShape,
} from './shape.ts';

const NAME = ['name'];
// Of `main`, always: a host may have temporary tables of the same names, and attached databases.
const TABLE = statement(
  'catalog.table',
  `select s.sql, l.strict, l.wr from main.sqlite_schema s join pragma_table_list(s.name) l on l.schema = 'main'
where s.type = 'table' and s.name = ?`,
  NAME,
);
const COLUMNS = statement(
  'catalog.columns',
  `select name, type, "notnull" as filled, dflt_value as fill, pk, hidden from pragma_table_xinfo(?, 'main') order by cid`,
  NAME,
);
const INDEXES = statement(
  'catalog.indexes',
  `select l.name, l."unique" as single, l.origin, l.partial, s.sql from pragma_index_list(?, 'main') l
left join main.sqlite_schema s on s.type = 'index' and s.name = l.name`,
  NAME,
);
const PARTS = statement(
  'catalog.parts',
  `select name, "desc" as falls, coll from pragma_index_xinfo(?, 'main') where key order by seqno`,
  NAME,
);

/** The tables of these names, as SQLite has them. */
export async function sqliteShape(connection: Connection, names: readonly string[]): Promise<Shape> {
  const tables: TableShape[] = [];
  for (const name of names) {
    const [row] = await connection.rows(TABLE, { name });
    if (row !== undefined) tables.push(await tableShape(connection, name, row));
  }
  return { tables: tables.sort(byName), functions: [] };
}

async function tableShape(connection: Connection, name: string, table: Row): Promise<TableShape> {
  const columns = await connection.rows(COLUMNS, { name });
  const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const indexes: IndexShape[] = [];
  for (const row of await connection.rows(INDEXES, { name })) {
    if (row.origin !== 'pk') indexes.push(await indexShape(connection, row));
  }
  return {
    name,
    columns: columns.map(columnShape),
    primaryKey: keys.map((column) => String(column.name)),
    indexes: indexes.sort(byName),
    checks: checksIn(tokensOf(table)),
    policies: [],
    traits: {
      strict: Number(table.strict) ? 'yes' : 'no',
      rowid: Number(table.wr) ? 'no' : 'yes',
      collation: collationIn(tokensOf(table)),
    },
  };
}

function columnShape({ name, type, filled, fill, hidden }: Row): ColumnShape {
  const computed = Number(hidden) === 0 ? null : 'computed';
  return {
    name: String(name),
    type: String(type),
    nullable: Number(filled) === 0,
    collation: null,
    fill: fill === null ? computed : String(fill),
  };
}

async function indexShape(connection: Connection, { name, single, partial, sql }: Row): Promise<IndexShape> {
  const parts = await connection.rows(PARTS, { name: String(name) });
  const odd = [
    ...(parts.some(({ falls }) => Number(falls) !== 0) ? ['other order'] : []),
    ...(parts.some(({ coll }) => coll !== 'BINARY') ? ['other collation'] : []),
    ...(Number(partial) === 0 ? [] : [/\bwhere\b.*$/is.exec(String(sql))?.[0] ?? 'partial']),
  ];
  return {
    name: String(name),
    unique: Number(single) === 1,
    columns: parts.map((part) => (part.name === null ? 'expression' : String(part.name))),
    special: odd.length === 0 ? null : odd.join(', '),
    valid: true,
  };
}

function tokensOf({ sql }: Row): readonly Token[] {
  return statementsOf(String(sql), 'sqlite')[0]?.tokens ?? [];
}

/** Those that columns are given beside the usual one; no catalog has them. */
function collationIn(tokens: readonly Token[]): string {
  const named = tokens
    .filter((_, i) => isWord(tokens[i - 1], 'collate'))
    .map(({ text }) => text.toLowerCase());
  return [...new Set(named)].filter((name) => name !== 'binary').join(', ') || 'binary';
}

/** SQLite has no catalog of checks: they stand in the text of the table. Without a name, the text is the name. */
function checksIn(tokens: readonly Token[]): NamedText[] {
  const checks: NamedText[] = [];
  for (const [i, token] of tokens.entries()) {
    if (!isWord(token, 'check') || tokens[i + 1]?.text !== '(') continue;
    const text = inside(tokens.slice(i + 1));
    const named = tokens[i - 2]?.text.toLowerCase() === 'constraint' ? tokens[i - 1]?.text : undefined;
    checks.push({ name: named ?? text, text });
  }
  return checks.sort(byName);
}

/** What stands in the parentheses that the first piece opens, with one blank between its pieces. */
function inside(pieces: readonly Token[]): string {
  let depth = 0;
  const end = pieces.findIndex(({ text }) => {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return depth === 0;
  });
  return pieces
    .slice(1, end)
    .map(({ text }) => text)
    .join(' ');
}
