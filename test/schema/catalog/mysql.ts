import type { Query } from '../database.ts';
import { byName, type IndexShape, type TableShape } from './shape.ts';

const TABLES = `
  select table_name as name, concat(engine, ' ', row_format, ' ', table_collation) as trait
  from information_schema.tables
  where table_schema = database() and table_type = 'BASE TABLE' and table_name <> 'chronos_migration_log'`;

const COLUMNS = `
  select column_name as name, column_type as type, is_nullable as nullable, collation_name as collation,
    column_default as value, extra as extra
  from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position`;

const INDEXES = `
  select index_name as name, non_unique as repeats, column_name as col, collation as direction,
    sub_part as part, index_type as kind
  from information_schema.statistics where table_schema = database() and table_name = ?
  order by index_name, seq_in_index`;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly nullable: string;
  readonly collation: string | null;
  readonly value: string | null;
  readonly extra: string;
}

interface PartRow {
  readonly name: string;
  readonly repeats: number;
  readonly col: string;
  readonly direction: string;
  readonly part: number | null;
  readonly kind: string;
}

/** Our tables as MySQL or MariaDB has them, all but the log. */
export async function mysqlCatalog(query: Query): Promise<TableShape[]> {
  const shapes: TableShape[] = [];
  for (const { name, trait } of await query<{ name: string; trait: string }>(TABLES)) {
    const columns = await query<ColumnRow>(COLUMNS, [name]);
    const parts = await query<PartRow>(INDEXES, [name]);
    const indexes = gather(parts);
    shapes.push({
      name,
      columns: columns.map((column) => ({
        name: column.name,
        type: columnType(column),
        nullable: column.nullable === 'YES',
        collation: column.collation,
      })),
      primaryKey: indexes.find((index) => index.name === 'PRIMARY')?.columns ?? [],
      indexes: indexes.filter((index) => index.name !== 'PRIMARY').sort(byName),
      traits: [trait],
    });
  }
  return shapes.sort(byName);
}

function columnType({ type, value, extra }: ColumnRow): string {
  // MariaDB shows a display width, and the default of a nullable column as the word NULL.
  const plain = type.replace(/^(bigint|int)\(\d+\)/, '$1');
  const computed = (value !== null && value !== 'NULL') || extra !== '';
  return computed ? `${plain}, computed` : plain;
}

function gather(parts: readonly PartRow[]): IndexShape[] {
  const indexes = new Map<string, { unique: boolean; columns: string[] }>();
  for (const part of parts) {
    const index = indexes.get(part.name) ?? { unique: Number(part.repeats) === 0, columns: [] };
    const plain = part.direction === 'A' && part.part === null && part.kind === 'BTREE';
    index.columns.push(plain ? part.col : `${part.col} (special)`);
    indexes.set(part.name, index);
  }
  return [...indexes].map(([name, index]) => ({ name, ...index }));
}
