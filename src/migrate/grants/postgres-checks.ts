import type { Connection } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { everyName } from '../catalog/expected.ts';
import { fail, warn } from '../checks.ts';
import { quoted } from '../engines/placeholders.ts';
import type { Check } from '../types.ts';
import { type Grants, lackingStatements, readGrants, revokeLog } from './postgres.ts';
import { unknownRole } from './unknown-role.ts';

const ROLE = statement('grants.role', 'select 1 as found from pg_catalog.pg_roles where rolname = $1', [
  'role',
]);
const APP_ROLES = statement(
  'grants.app_roles',
  `select r.rolname::text as name,
  max(case when a.privilege_type in ('INSERT', 'UPDATE', 'DELETE') then 1 else 0 end) as writes
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join pg_catalog.aclexplode(c.relacl) a join pg_catalog.pg_roles r on r.oid = a.grantee
where n.nspname = $1 and c.relname = any($2::text[]) and a.grantee <> c.relowner
group by 1 having max(case when c.relname = 'chronos_sessions' then 1 else 0 end) = 1 order by 1`,
  ['schema', 'names'],
);

/** A role that somebody granted something on our sessions. */
export interface AppRole {
  readonly name: string;
  /** Whether it may change anything of ours; else it is a reader. */
  readonly writes: boolean;
}

/** Every role but the owner that has a grant of its own on `chronos_sessions`. */
export async function appRoles(connection: Connection, schema: string): Promise<readonly AppRole[]> {
  const { tables } = everyName(connection.dialectName);
  const rows = await connection.rows(APP_ROLES, { schema, names: tables });
  return rows.map(({ name, writes }) => ({ name: String(name), writes: Number(writes) === 1 }));
}

/** Throws InvalidArgumentError USAGE where the server has no such role. */
export async function checkRole(connection: Connection, argument: string, role: string): Promise<void> {
  const rows = await connection.rows(ROLE, { role });
  if (rows.length === 0) throw unknownRole(argument, `make it: create role ${quoted(role)} login`);
}

/** What the app roles lack, or one role that is named; and who may write the log. */
export async function roleChecks(
  connection: Connection,
  schema: string,
  named: string | undefined,
): Promise<readonly Check[]> {
  if (named !== undefined) await checkRole(connection, 'appRole', named);
  const roles = named === undefined ? await appRoles(connection, schema) : [{ name: named, writes: true }];
  const checks: Check[] = [];
  for (const role of roles) {
    const grants = await readGrants(connection, schema, role.name);
    checks.push(...lackingChecks(role, grants, schema), ...logChecks(role, grants, schema));
  }
  return checks;
}

function lackingChecks({ name, writes }: AppRole, grants: Grants, schema: string): readonly Check[] {
  const statements = lackingStatements(grants, schema, name);
  if (statements.length === 0) return [];
  const mend = statements.join('; ');
  const what = lackingWords(grants);
  return writes
    ? [fail('DRIFT', `role ${name}`, `lacks ${what}`, mend)]
    : [warn(`role ${name}`, `only reads; for a service it lacks ${what}`, mend)];
}

/** `insert on chronos_events, usage of the schema`. */
export function lackingWords({ usage, lacking, uncallable }: Grants): string {
  return [
    ...(usage ? [] : ['usage of the schema']),
    ...[...lacking].map(([table, verbs]) => `${verbs.join(', ')} on ${table}`),
    ...uncallable.map((name) => `execute of ${name.replace(/\(.*/s, '')}`),
  ].join('; ');
}

function logChecks({ name }: AppRole, { logWrites }: Grants, schema: string): readonly Check[] {
  if (logWrites.length === 0) return [];
  const verbs = logWrites.join(', ');
  const message = `may ${verbs} on chronos_migration_log, which a service only reads`;
  return [warn(`role ${name}`, message, revokeLog(verbs, schema, name))];
}
