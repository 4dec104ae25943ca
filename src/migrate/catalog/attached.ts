import type { Connection } from '../../drivers/connection.ts';
import { languageOf } from '../../sql/dialect-name.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { warn } from '../checks.ts';
import type { Check } from '../types.ts';
import { everyName } from './expected.ts';

/** Triggers, rules and foreign keys of every table: a host's tables are few, and ours are picked out here. */
const POSTGRES = statement(
  'catalog.attached',
  `select c.relname::text as tab, 'rule' as kind, r.rulename::text as name
from pg_catalog.pg_rewrite r join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('r', 'p')
join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1
union all select c.relname::text, 'trigger', t.tgname::text
from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid and not t.tgisinternal
join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1
union all select c.relname::text, 'foreign key', k.conname::text
from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid and k.contype = 'f'
join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 order by 1, 2, 3`,
  ['schema'],
);
const MYSQL = statement(
  'catalog.attached',
  `select event_object_table as tab, 'trigger' as kind, trigger_name as name
from information_schema.triggers where event_object_schema = database()
union all select table_name, 'foreign key', constraint_name
from information_schema.referential_constraints where constraint_schema = database() order by 1, 2, 3`,
);
const SQLITE = statement(
  'catalog.attached',
  `select tbl_name as tab, 'trigger' as kind, name from main.sqlite_schema where type = 'trigger'
union all select s.name, 'foreign key', 'to ' || f."table" from main.sqlite_schema s
join pragma_foreign_key_list(s.name, 'main') f where s.type = 'table' and f.seq = 0 order by 1, 2, 3`,
);
const COLLECTION = /^chronos_vectors_\d+$/;

/** A warning for each trigger, rule and foreign key on our tables: no migration makes any, and each meddles with what a service writes. */
export async function attachedChecks(connection: Connection, schema: string): Promise<readonly Check[]> {
  const [text, values] = question(connection, schema);
  const ours = new Set(everyName(connection.dialectName).tables);
  const rows = await connection.rows(text, values);
  return rows
    .map(({ tab, kind, name }) => ({ table: String(tab), kind, name }))
    .filter(({ table }) => ours.has(table) || COLLECTION.test(table))
    .map(({ table, kind, name }) => warn(table, `${kind} ${name} is not ours`, null));
}

function question({ dialectName }: Connection, schema: string): [Statement, Record<string, string>] {
  switch (languageOf(dialectName)) {
    case 'postgres':
      return [POSTGRES, { schema }];
    case 'mysql':
      return [MYSQL, {}];
    case 'sqlite':
      return [SQLITE, {}];
  }
}
