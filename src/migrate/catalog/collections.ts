import type { Connection, Row } from '../../drivers/connection.ts';
import { languageOf } from '../../sql/dialect-name.ts';
import { statement } from '../../sql/statement.ts';
import { fail, warn } from '../checks.ts';
import { quoted } from '../engines/placeholders.ts';
import type { Check } from '../types.ts';

/** Every collection with its table, and every table that is called like one of a collection. */
const POSTGRES = (registry: string) =>
  statement(
    'verify.collections',
    `select coalesce(v.name, '') as name, coalesce('chronos_vectors_' || v.number, c.relname::text) as tab,
  case when v.number is null then 0 else 1 end as registered, case when c.oid is null then 0 else 1 end as there,
  case when c.relrowsecurity then 1 else 0 end as secured, case when c.relpersistence = 'u' then 1 else 0 end as unlogged,
  (select count(*) from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = 'chronos_tenant') as policies,
  case when v.index_kind = 'none' then 'none' else (select case when x.indisvalid then 'valid' else 'invalid' end
    from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
    where x.indrelid = c.oid and i.relname = c.relname || '_hnsw') end as index
from ${registry} v full join (select c.* from pg_catalog.pg_class c join pg_catalog.pg_namespace n
  on n.oid = c.relnamespace where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname ~ '^chronos_vectors_[0-9]+$') c
  on c.relname = 'chronos_vectors_' || v.number order by 2`,
    ['schema'],
  );
const SQLITE = statement(
  'verify.collections',
  `select v.name, 'chronos_vectors_' || v.number as tab, 1 as registered, s.name is not null as there,
  1 as secured, 0 as unlogged, 1 as policies, 'none' as "index"
from chronos_vector_collections v left join sqlite_schema s on s.name = 'chronos_vectors_' || v.number
union all select '', name, 0, 1, 1, 0, 1, 'none' from sqlite_schema where type = 'table'
  and name glob 'chronos_vectors_[0-9]*' and substr(name, 17) not in (select number from chronos_vector_collections)
order by 2`,
);
const OURS = `tenant_id = nullif(current_setting('chronos.tenant_id', true), '')`;

/** What is wrong with the tables of vector collections, which no migration makes. */
export async function collectionChecks(connection: Connection, schema: string): Promise<readonly Check[]> {
  const language = languageOf(connection.dialectName);
  if (language === 'mysql') return [];
  const home = language === 'postgres' ? `${quoted(schema)}.` : '';
  const found =
    language === 'postgres'
      ? await connection.rows(POSTGRES(`${home}chronos_vector_collections`), { schema })
      : await connection.rows(SQLITE, {});
  return found.flatMap((row) => checksOf(row, `${home}${row.tab}`));
}

function checksOf(row: Row, table: string): Check[] {
  const { name, tab, registered, there, secured, unlogged, policies, index } = row;
  const subject = String(tab);
  const collection = `collection ${JSON.stringify(name)}`;
  const drift = (message: string, mend: string) => fail('DRIFT', subject, message, mend);
  if (Number(registered) === 0) {
    return [warn(subject, 'belongs to no collection', `drop table ${table}`)];
  }
  if (Number(there) === 0) {
    const mend = 'put it back from a backup, or call dropCollection and createCollection';
    return [drift(`the table of ${collection} is missing`, mend)];
  }
  const rebuild = 'call ensureIndex of the vector store';
  return [
    ...(Number(secured) === 1
      ? []
      : [drift('row-level security is disabled', `alter table ${table} enable row level security`)]),
    ...(Number(unlogged) === 0
      ? []
      : [drift('storage is unlogged, not logged', `alter table ${table} set logged`)]),
    ...(Number(policies) === 1
      ? []
      : [
          drift(
            'the policy chronos_tenant is missing',
            `create policy chronos_tenant on ${table} using (${OURS}) with check (${OURS})`,
          ),
        ]),
    ...(index === 'none' || index === 'valid'
      ? []
      : [drift(`the index of ${collection} is ${index === null ? 'missing' : 'invalid'}`, rebuild)]),
  ];
}
