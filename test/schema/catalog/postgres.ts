import type { Query } from '../database.ts';
import { byName, type TableShape } from './shape.ts';

const SCHEMA = 'chronos';

const TABLES = `
  select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    (select json_agg(p.policyname || ' ' || p.permissive || ' ' || p.roles::text || ' ' || p.cmd
        || ' using ' || p.qual || ' check ' || coalesce(p.with_check, 'none'))
      from pg_policies p where p.schemaname = '${SCHEMA}' and p.tablename = c.relname) as policies
  from pg_class c
  where c.relnamespace = '${SCHEMA}'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'chronos_migration_log'`;

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
    (select collname from pg_collation where oid = a.attcollation) as collation,
    a.atthasdef or a.attidentity <> '' as computed
  from pg_attribute a
  where a.attrelid = ('${SCHEMA}.' || quote_ident($1))::regclass and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

const INDEXES = `
  select c.relname as name, i.indisunique as unique, i.indisprimary as primary, i.indisvalid as valid,
    i.indpred is not null or i.indexprs is not null or i.indnullsnotdistinct
      or 0 <> any (i.indoption) or m.amname <> 'btree' as special,
    (select json_agg(a.attname order by k.at) from unnest(i.indkey) with ordinality k (attnum, at)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
  where i.indrelid = ('${SCHEMA}.' || quote_ident($1))::regclass`;

interface IndexRow {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  readonly valid: boolean;
  readonly special: boolean;
  readonly columns: string[];
}

/** Our tables as Postgres or PGlite has them, all but the log. */
export async function postgresCatalog(query: Query): Promise<TableShape[]> {
  const tables = await query<{ name: string; secured: boolean; forced: boolean; policies: string[] | null }>(
    TABLES,
  );
  const shapes: TableShape[] = [];
  for (const { name, secured, forced, policies } of tables) {
    const columns = await query<{
      name: string;
      type: string;
      nullable: boolean;
      collation: string | null;
      computed: boolean;
    }>(COLUMNS, [name]);
    const indexes = await query<IndexRow>(INDEXES, [name]);
    shapes.push({
      name,
      columns: columns.map(({ computed, type, ...column }) => ({
        ...column,
        type: computed ? `${type}, computed` : type,
      })),
      primaryKey: indexes.find((index) => index.primary)?.columns ?? [],
      indexes: indexes
        .filter((index) => !index.primary)
        .map(indexShape)
        .sort(byName),
      traits: [`row security ${secured}, forced ${forced}`, ...(policies ?? [])],
    });
  }
  return shapes.sort(byName);
}

function indexShape({ name, unique, valid, special, columns }: IndexRow) {
  return { name: `${name}${valid ? '' : ' (invalid)'}${special ? ' (special)' : ''}`, unique, columns };
}
