import type { Connection } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { everyName } from '../catalog/expected.ts';
import { quoted } from '../engines/placeholders.ts';

/** What an app role does with our tables. */
const VERBS = ['select', 'insert', 'update', 'delete'] as const;
/** What it must not do with the log. */
const WRITES = ['insert', 'update', 'delete', 'truncate'] as const;
const LOG = 'chronos_migration_log';
const TABLES = statement(
  'grants.tables',
  `select c.relname::text as name, v.verb, case when pg_catalog.has_table_privilege($3::name, c.oid, v.verb) then 1 else 0 end as has
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join unnest($4::text[]) with ordinality v (verb, place)
where n.nspname = $1 and c.relname = any($2::text[]) and c.relkind in ('r', 'p') order by 1, v.place`,
  ['schema', 'names', 'role', 'verbs'],
);
const FUNCTIONS = statement(
  'grants.functions',
  `select p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as name,
  case when pg_catalog.has_function_privilege($3::name, p.oid, 'execute') then 1 else 0 end as has
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname = $1 and p.proname = any($2::text[]) order by 1`,
  ['schema', 'names', 'role'],
);
const SCHEMA = statement(
  'grants.schema',
  `select case when pg_catalog.has_schema_privilege($2::name, oid, 'usage') then 1 else 0 end as has
from pg_catalog.pg_namespace where nspname = $1`,
  ['schema', 'role'],
);

/** What a role may and may not do with what is ours. */
export interface Grants {
  /** Whether our schema is there. */
  readonly schemaExists: boolean;
  readonly usage: boolean;
  /** Verbs by table, those that it lacks. */
  readonly lacking: ReadonlyMap<string, readonly string[]>;
  /** Functions, with their argument types, that it may not call. */
  readonly uncallable: readonly string[];
  /** Verbs beyond reading that it has on the log. */
  readonly logWrites: readonly string[];
}

/** Reads what a role has, whichever way it has it: by itself, through a group, or as PUBLIC. */
export async function readGrants(connection: Connection, schema: string, role: string): Promise<Grants> {
  const { tables, functions } = everyName(connection.dialectName);
  const [found] = await connection.rows(SCHEMA, { schema, role });
  const values = { schema, role, names: tables, verbs: [...VERBS, 'truncate'] };
  const rows = await connection.rows(TABLES, values);
  const routines = await connection.rows(FUNCTIONS, { schema, role, names: functions });
  const lacking = new Map<string, string[]>();
  const logWrites: string[] = [];
  for (const { name, verb, has } of rows) {
    const isLog = name === LOG;
    const [word, table, may] = [String(verb), String(name), Number(has) === 1];
    if (isLog && may && WRITES.some((write) => write === word)) logWrites.push(word);
    const needs = isLog ? word === 'select' : word !== 'truncate';
    if (needs && !may) lacking.set(table, [...(lacking.get(table) ?? []), word]);
  }
  return {
    schemaExists: found !== undefined,
    usage: Number(found?.has ?? 0) === 1,
    lacking,
    uncallable: routines.filter(({ has }) => Number(has) !== 1).map(({ name }) => String(name)),
    logWrites,
  };
}

/** The statements that give a role what it lacks; none = it lacks nothing. */
export function lackingStatements(grants: Grants, schema: string, role: string): readonly string[] {
  const byVerbs = new Map<string, string[]>();
  for (const [table, verbs] of grants.lacking) {
    const words = verbs.join(', ');
    byVerbs.set(words, [...(byVerbs.get(words) ?? []), table]);
  }
  return [
    ...(grants.usage || !grants.schemaExists ? [] : [usage(schema, role)]),
    ...[...byVerbs].map(([verbs, tables]) => onTables(verbs, tables, schema, role)),
    ...grants.uncallable.map((name) => execute(name, schema, role)),
  ];
}

/** The statements that give a role all that it needs on these tables and functions, and on the log no more than reading. */
export function postgresGrants(
  schema: string,
  role: string,
  { tables, functions }: { readonly tables: readonly string[]; readonly functions: readonly string[] },
): readonly string[] {
  const own = tables.filter((name) => name !== LOG);
  return [
    usage(schema, role),
    ...(own.length === 0 ? [] : [onTables(VERBS.join(', '), own, schema, role)]),
    ...functions.map((name) => execute(name, schema, role)),
    revokeLog('all', schema, role),
    onTables('select', [LOG], schema, role),
  ];
}

/** Takes verbs on the log from a role. */
export function revokeLog(verbs: string, schema: string, role: string): string {
  return `revoke ${verbs} on ${quoted(schema)}.${LOG} from ${quoted(role)}`;
}

function usage(schema: string, role: string): string {
  return `grant usage on schema ${quoted(schema)} to ${quoted(role)}`;
}

function onTables(verbs: string, tables: readonly string[], schema: string, role: string): string {
  const list = tables.map((table) => `${quoted(schema)}.${table}`).join(', ');
  return `grant ${verbs} on ${list} to ${quoted(role)}`;
}

function execute(name: string, schema: string, role: string): string {
  return `grant execute on function ${quoted(schema)}.${name} to ${quoted(role)}`;
}
