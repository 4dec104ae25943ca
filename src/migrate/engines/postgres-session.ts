import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { quoted } from './placeholders.ts';

/** `transaction_…` is this transaction's alone. */
const SETTINGS = statement(
  'migrate.settings',
  `select name, setting from pg_catalog.pg_settings where source = 'session' and name not like 'transaction%'`,
);
const SET = statement('migrate.set', 'select pg_catalog.set_config($1, $2, false)', ['name', 'value']);
const ROLES = statement(
  'migrate.roles',
  `select session_user::text as login, pg_catalog.current_setting('role') as role`,
);
const LEFT = statement(
  'migrate.left',
  `select case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind, relname::text as name
from pg_catalog.pg_class where relnamespace = pg_catalog.pg_my_temp_schema() and relkind in ('r', 'p', 'v', 'S')
union all select 'prepared', name from pg_catalog.pg_prepared_statements where from_sql
union all select 'channel', channel from pg_catalog.pg_listening_channels() as channel`,
);

/** Ends what a session has beside settings. Not `discard all`, which is refused in a transaction. */
const RESET = `reset session authorization; reset role; reset all; close all; unlisten *;
select pg_catalog.pg_advisory_unlock_all()`;

/** How a session was before a host's file ran in it. */
export interface SessionBefore {
  readonly settings: readonly Row[];
  readonly roles: Row | undefined;
  readonly left: readonly Row[];
}

/**
 * Reads it before we set anything. `ours` is a setting which the driver has set for the transaction only: its
 * value must not become the session's.
 */
export async function sessionBefore(tx: Connection, ours: readonly string[]): Promise<SessionBefore> {
  const settings = await tx.rows(SETTINGS, {});
  const [roles] = await tx.rows(ROLES, {});
  const left = await tx.rows(LEFT, {});
  return { settings: settings.filter(({ name }) => !ours.includes(String(name))), roles, left };
}

/**
 * Makes the session what it was, as part of the transaction: behind a pooler the next statement is another
 * client's. A variable of the host's own (`app.x`) is in no catalog and goes back to its default.
 */
export async function restoreSession(tx: Connection, before: SessionBefore): Promise<void> {
  await tx.script(RESET);
  const cleaning = cleaned(before.left, await tx.rows(LEFT, {}));
  if (cleaning.length > 0) await tx.script(cleaning.join('; '));
  for (const { name, setting } of before.settings) await set(tx, String(name), String(setting));
  const [now] = await tx.rows(ROLES, {});
  const { login, role } = before.roles ?? {};
  if (login !== undefined && login !== now?.login) await set(tx, 'session_authorization', String(login));
  if (role !== undefined && role !== now?.role) await set(tx, 'role', String(role));
}

async function set(tx: Connection, name: string, value: string): Promise<void> {
  await tx.rows(SET, { name, value });
}

function cleaned(before: readonly Row[], after: readonly Row[]): string[] {
  const had = new Set(before.map(({ kind, name }) => `${kind} ${name}`));
  const fresh = after.filter(({ kind, name }) => !had.has(`${kind} ${name}`) && kind !== 'channel');
  const listening = before.filter(({ kind }) => kind === 'channel');
  return [
    // One may go with another: a serial column's sequence with its table.
    ...fresh.map(({ kind, name }) =>
      kind === 'prepared'
        ? `deallocate ${quoted(String(name))}`
        : `drop ${kind} if exists pg_temp.${quoted(String(name))} cascade`,
    ),
    ...listening.map(({ name }) => `listen ${quoted(String(name))}`),
  ];
}
