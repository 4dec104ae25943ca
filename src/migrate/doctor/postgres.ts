import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { everyName } from '../catalog/expected.ts';
import { postgresShape } from '../catalog/postgres.ts';
import { fail, ok, warn } from '../checks.ts';
import { quoted } from '../engines/placeholders.ts';
import { readGrants } from '../grants/postgres.ts';
import { appRoles } from '../grants/postgres-checks.ts';
import type { Check } from '../types.ts';
import { connectionsCheck } from './connections.ts';
import { type RoleFacts, roleChecks } from './postgres-role.ts';

/** The oldest version that is expected to work. */
const OLDEST = 130_000;

const SERVER = statement(
  'doctor.server',
  `select current_setting('server_version_num') as number, d.datname::text as db,
  pg_catalog.pg_encoding_to_char(d.encoding) as encoding, current_setting('TimeZone') as zone,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int as most,
  (select source from pg_catalog.pg_settings where name = 'max_connections') as most_source, d.datconnlimit as db_limit, r.rolconnlimit as role_limit,
  (select extversion from pg_catalog.pg_extension where extname = 'vector') as vector,
  (select default_version from pg_catalog.pg_available_extensions where name = 'vector') as vector_available,
  (select count(*) from pg_catalog.pg_language where lanname = 'plpgsql') as plpgsql
from pg_catalog.pg_database d, pg_catalog.pg_roles r
where d.datname = current_database() and r.rolname = current_user`,
);
const ROLE = statement(
  'doctor.role',
  `select current_user::text as role, case when r.rolsuper then 1 else 0 end as super,
  case when r.rolbypassrls then 1 else 0 end as bypasses, o.rolname::text as owner,
  case when pg_catalog.pg_has_role(r.oid, o.oid, 'usage') then 1 else 0 end as inherits,
  (select count(*) from pg_catalog.pg_roles where rolname = 'chronos_app') as app,
  case when n.oid is null then 0 else 1 end as schema_there,
  case when n.oid is null then pg_catalog.has_database_privilege(current_database(), 'create')
    else pg_catalog.has_schema_privilege(n.oid, 'create') and pg_catalog.has_schema_privilege(n.oid, 'usage') end as creates
from pg_catalog.pg_roles r left join pg_catalog.pg_namespace n on n.nspname = $1
left join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = 'chronos_sessions' and c.relkind in ('r', 'p')
left join pg_catalog.pg_roles o on o.oid = c.relowner where r.rolname = current_user`,
  ['schema'],
);

/** Version, encoding, extensions, the role and row-level security, time zone, connections. */
export async function postgresChecks(connection: Connection, schema: string): Promise<Check[]> {
  const [server = {}] = await connection.rows(SERVER, {});
  const facts = await roleFacts(connection, schema, String(server.db));
  // PGlite is in this process: whoever opens the folder is its superuser, and nobody else connects.
  const isServer = connection.dialectName === 'postgres';
  return [
    versionCheck(connection.server.version, Number(server.number)),
    encodingCheck(server),
    plpgsqlCheck(Number(server.plpgsql) > 0),
    vectorCheck(server),
    ...(isServer || !facts.isSuperuser
      ? roleChecks(facts)
      : [ok(`role ${facts.role}`, 'the superuser of a database in this process')]),
    ok('time zone', `${server.zone}; of no matter, times are stored as moments`),
    ...(isServer ? [connectionsCheck(limits(server, facts.role))] : []),
  ];
}

async function roleFacts(connection: Connection, schema: string, database: string): Promise<RoleFacts> {
  const [row = {}] = await connection.rows(ROLE, { schema });
  const role = String(row.role);
  const present = await postgresShape(connection, schema, everyName(connection.dialectName));
  const roles = await appRoles(connection, schema);
  return {
    role,
    schema,
    isSuperuser: Number(row.super) === 1,
    bypasses: Number(row.bypasses) === 1,
    owner: row.owner === null || row.owner === undefined ? null : String(row.owner),
    inheritsOwner: Number(row.inherits) === 1,
    appRoles: roles.filter(({ writes }) => writes).map(({ name }) => name),
    appExists: Number(row.app) > 0,
    creating: isTrue(row.creates) ? null : creatingStatement(row, role, schema, database),
    grants: await readGrants(connection, schema, role),
    present: {
      tables: present.tables.map(({ name }) => name),
      functions: present.functions.map(({ name }) => name),
    },
  };
}

function creatingStatement(row: Row, role: string, schema: string, database: string): string {
  return Number(row.schema_there) === 1
    ? `grant usage, create on schema ${quoted(schema)} to ${quoted(role)}`
    : `grant create on database ${quoted(database)} to ${quoted(role)}`;
}

function versionCheck(version: string, number: number): Check {
  const message = `PostgreSQL ${version}`;
  return number >= OLDEST
    ? ok('server version', message)
    : warn(
        'server version',
        `${message} is older than any that is expected to work`,
        'upgrade to 13 or newer',
      );
}

/** In SQL_ASCII a character is a byte: lengths, order and JSON of anything beyond ASCII are wrong. */
export function encodingCheck({ encoding, db }: Row): Check {
  if (encoding === 'UTF8') return ok('encoding', 'UTF8');
  const copy = quoted(`${db}_utf8`.slice(-63));
  const mend = `create database ${copy} with template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`;
  return fail('DATABASE_ERROR', 'encoding', `${encoding}; a database keeps it: move to one in UTF8`, mend);
}

function plpgsqlCheck(isThere: boolean): Check {
  if (isThere) return ok('extension plpgsql', 'installed');
  const message = 'missing: the function that appends events is written in it';
  return fail('EXTENSION_MISSING', 'extension plpgsql', message, 'create extension plpgsql');
}

function vectorCheck({ vector, vector_available: available }: Row): Check {
  if (vector !== null) return ok('extension vector', `${vector}, installed`);
  return ok(
    'extension vector',
    available === null
      ? 'not on this server; only vectors need it'
      : `${available}, available; only vectors need it`,
  );
}

function limits(row: Row, role: string) {
  const named = [
    {
      name: 'the limit of the database',
      value: Number(row.db_limit),
      mend: `alter database ${quoted(String(row.db))}`,
    },
    { name: `the limit of ${role}`, value: Number(row.role_limit), mend: `alter role ${quoted(role)}` },
  ];
  return [
    { name: 'max_connections (read at start)', most: Number(row.most), mend: mostMend(row) },
    ...named
      .filter(({ value }) => value >= 0)
      .map(({ name, value, mend }) => ({ name, most: value, mend: `${mend} connection limit -1` })),
  ];
}

/** What the server was started with on its command line wins over every file. */
function mostMend({ most_source: source }: Row): string {
  return source === 'command line'
    ? 'start the server with -c max_connections=100'
    : 'alter system set max_connections = 100';
}

/** Text of a boolean, or what a driver makes of it. */
function isTrue(value: Row[string] | undefined): boolean {
  return value === 't' || value === 'true' || value === 1;
}
