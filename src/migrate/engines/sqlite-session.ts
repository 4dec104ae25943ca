import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { quoted } from './placeholders.ts';

/** Settings of a connection that may change inside a transaction. `query_only` first: it forbids what follows. */
const PRAGMAS = [
  'query_only',
  'busy_timeout',
  'cache_size',
  'cell_size_check',
  'ignore_check_constraints',
  'legacy_alter_table',
  'recursive_triggers',
  'reverse_unordered_selects',
  'secure_delete',
  'trusted_schema',
  'writable_schema',
] as const;

const TEMPORARY = statement(
  'migrate.temporary',
  `select type, name from temp.sqlite_master where type in ('view', 'trigger', 'table') and name not like 'sqlite_%'
order by type desc`,
);

/** How a connection was before a host's file ran on it. */
export interface SessionBefore {
  readonly pragmas: ReadonlyMap<string, number>;
  readonly temporary: readonly Row[];
}

export async function sessionBefore(connection: Connection): Promise<SessionBefore> {
  const pragmas = new Map<string, number>();
  for (const name of PRAGMAS) {
    const [row] = await connection.rows(statement(`migrate.${name}`, `pragma ${name}`), {});
    if (row !== undefined) pragmas.set(name, Number(Object.values(row)[0]));
  }
  return { pragmas, temporary: await connection.rows(TEMPORARY, {}) };
}

/** Makes the connection what it was: the next file, and a host's own statements, run on it too. */
export async function restoreSession(connection: Connection, before: SessionBefore): Promise<void> {
  for (const [name, value] of before.pragmas) {
    await connection.rows(statement(`migrate.set_${name}`, `pragma ${name} = ${value}`), {});
  }
  const had = new Set(before.temporary.map(({ type, name }) => `${type} ${name}`));
  for (const { type, name } of await connection.rows(TEMPORARY, {})) {
    if (had.has(`${type} ${name}`)) continue;
    await connection.script(`drop ${type} if exists temp.${quoted(String(name))}`);
  }
}
