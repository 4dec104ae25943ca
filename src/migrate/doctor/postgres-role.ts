import { fail, ok, warn } from '../checks.ts';
import { quoted } from '../engines/placeholders.ts';
import { type Grants, lackingStatements, postgresGrants } from '../grants/postgres.ts';
import { lackingWords } from '../grants/postgres-checks.ts';
import type { Check } from '../types.ts';

/** The role that is proposed where there is none for the service. */
const APP = 'chronos_app';
const UNBOUND = 'row-level security does not bind it';

/** What Postgres says of the role that is connected. */
export interface RoleFacts {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly bypasses: boolean;
  /** Of our tables; null = they are not there. */
  readonly owner: string | null;
  /** Whether it has the owner's rights as a member, and with them the exemption from row-level security. */
  readonly inheritsOwner: boolean;
  /** Roles that are bound and write. */
  readonly appRoles: readonly string[];
  /** Whether the role that would be proposed is there. */
  readonly appExists: boolean;
  /** The statement that lets it make our tables; null = it may. Asked while they are not there. */
  readonly creating: string | null;
  readonly grants: Grants;
  readonly schema: string;
  /** Our tables and functions that are there. */
  readonly present: { readonly tables: readonly string[]; readonly functions: readonly string[] };
}

/** Who is connected, and what row-level security means to it. */
export function roleChecks(facts: RoleFacts): Check[] {
  const { role, owner, isSuperuser, bypasses, inheritsOwner } = facts;
  const subject = `role ${role}`;
  if (isSuperuser) return [unbound(subject, 'a superuser', facts)];
  if (owner === null)
    return [creatingCheck(subject, facts), ...(bypasses ? [bypassCheck(subject, facts)] : [])];
  if (owner === role) return [unbound(subject, 'the owner of the tables, which migrates', facts)];
  if (inheritsOwner) return [memberCheck(subject, facts, owner)];
  const bound = ok(
    subject,
    'an app role: row-level security shows it the rows of the tenant that its transaction sets; a storage on connections of its own sets none yet',
  );
  return [bypasses ? bypassCheck(subject, facts) : bound, grantsCheck(subject, facts)];
}

/** Fine to migrate as; a service needs another. */
function unbound(subject: string, who: string, facts: RoleFacts): Check {
  const { appRoles, owner, schema, present, appExists } = facts;
  if (owner === null) return ok(subject, `${who}: ${UNBOUND}`);
  if (appRoles.length > 0)
    return ok(subject, `${who}: ${UNBOUND}; a service connects as ${appRoles.join(', ')}`);
  const create = appExists ? [] : [`create role ${quoted(APP)} login`];
  const mend = [...create, ...postgresGrants(schema, APP, present)].join('; ');
  return warn(
    subject,
    `${who}: ${UNBOUND}, and there is no role that it binds, for a service that sets the tenant in its own transactions`,
    mend,
  );
}

function bypassCheck(subject: string, { role }: RoleFacts): Check {
  const message = `BYPASSRLS: ${UNBOUND}, every tenant's rows are open to it`;
  return warn(subject, message, `alter role ${quoted(role)} nobypassrls`);
}

function memberCheck(subject: string, { role, schema, present }: RoleFacts, owner: string): Check {
  const message = `a member of the owner ${owner}: it inherits the owner's exemption, ${UNBOUND}`;
  const revoke = `revoke ${quoted(owner)} from ${quoted(role)}`;
  return warn(subject, message, [revoke, ...postgresGrants(schema, role, present)].join('; '));
}

function creatingCheck(subject: string, { creating }: RoleFacts): Check {
  if (creating === null) return ok(subject, 'may make the tables, and then owns them');
  return fail('PRIVILEGE', subject, 'may not make the tables', creating);
}

function grantsCheck(subject: string, { grants, schema, role }: RoleFacts): Check {
  const statements = lackingStatements(grants, schema, role);
  if (statements.length === 0) return ok(subject, 'has every grant that a service needs');
  return fail('PRIVILEGE', subject, `lacks ${lackingWords(grants)}`, statements.join('; '));
}
