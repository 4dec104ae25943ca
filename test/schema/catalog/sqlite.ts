import type { Query } from '../database.ts';
import { byName, type IndexShape, type TableShape } from './shape.ts';

const TABLES = `
  select name, strict, wr as rowless from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite%' and name <> 'chronos_migration_log'`;

const COLUMNS =
  'select name, type, "notnull", dflt_value as value, pk, hidden from pragma_table_xinfo(?) order by cid';

const INDEXES = 'select name, "unique", origin, partial from pragma_index_list(?)';

const PARTS = 'select name, "desc", coll from pragma_index_xinfo(?) where key order by seqno';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly value: string | null;
  readonly pk: number;
  readonly hidden: number;
}

/** Our tables as SQLite has them, all but the log. */
export async function sqliteCatalog(query: Query): Promise<TableShape[]> {
  const shapes: TableShape[] = [];
  for (const table of await query<{ name: string; strict: number; rowless: number }>(TABLES)) {
    const columns = await query<ColumnRow>(COLUMNS, [table.name]);
    const keys = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
    shapes.push({
      name: table.name,
      columns: columns.map((column) => ({
        name: column.name,
        type: column.value !== null || column.hidden !== 0 ? `${column.type}, computed` : column.type,
        nullable: column.notnull === 0,
        collation: null,
      })),
      primaryKey: keys.map((column) => column.name),
      indexes: await indexesOf(query, table.name),
      traits: [table.strict ? 'strict' : 'loose', table.rowless ? 'without rowid' : 'rowid'],
    });
  }
  return shapes.sort(byName);
}

async function indexesOf(query: Query, table: string): Promise<IndexShape[]> {
  const indexes: IndexShape[] = [];
  for (const index of await query<{ name: string; unique: number; origin: string; partial: number }>(
    INDEXES,
    [table],
  )) {
    if (index.origin === 'pk') continue;
    const parts = await query<{ name: string; desc: number; coll: string }>(PARTS, [index.name]);
    const special = (part: { desc: number; coll: string }) => part.desc !== 0 || part.coll !== 'BINARY';
    indexes.push({
      name: index.partial ? `${index.name} (partial)` : index.name,
      unique: index.unique === 1,
      columns: parts.map((part) => (special(part) ? `${part.name} (special)` : part.name)),
    });
  }
  return indexes.sort(byName);
}
