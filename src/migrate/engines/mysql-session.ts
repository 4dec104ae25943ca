import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';

const BEFORE = statement(
  'migrate.session',
  `select database() as db, @@session.sql_mode as mode, @@character_set_client as charset,
  @@collation_connection as collation`,
);

/** How a session was before a host's statement ran in it. */
export type SessionBefore = Row;

export async function sessionBefore(session: Connection): Promise<SessionBefore> {
  const [row] = await session.rows(BEFORE, {});
  return row ?? {};
}

/**
 * Makes what a statement left open last, or undoes it, and then whatever a row of the log depends on as it
 * was; the session serves nobody afterwards. `lock tables` forbids the log, an open transaction would take
 * the row along when it is rolled back, and a temporary table would stand before the log.
 */
export async function settle(session: Connection, end: 'commit' | 'rollback', before: Row): Promise<void> {
  await session.script(end);
  await session.script('unlock tables');
  await session.script(
    `set session autocommit = 1, session timestamp = default, session sql_mode = '${before.mode ?? ''}'`,
  );
  await session.script('set session transaction read write');
  await session.script(`set names ${before.charset} collate ${before.collation}`);
  if (before.db !== null && before.db !== undefined) {
    await session.script(`use \`${String(before.db).replaceAll('`', '``')}\``);
  }
  await session.script('drop temporary table if exists chronos_migration_log');
}
