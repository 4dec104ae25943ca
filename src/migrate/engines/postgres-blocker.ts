import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { holderText } from './holder.ts';

const COLUMNS = `b.pid, b.usename as user, b.application_name as app, b.client_addr as address, b.state, b.query
from pg_catalog.pg_stat_activity b`;
const BY_PID = statement(
  'migrate.blocker',
  `select ${COLUMNS} where b.pid = any(pg_catalog.pg_blocking_pids($1::int)) order by b.xact_start limit 1`,
  ['pid'],
);
/** Behind a pooler nobody knows the pid, but the statement is seen. */
const BY_SQL = statement(
  'migrate.blocker_of',
  `select ${COLUMNS} where b.pid = any(select unnest(pg_catalog.pg_blocking_pids(a.pid))
  from pg_catalog.pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid()
  and a.state = 'active' and left(a.query, 500) = left($1, 500)) order by b.xact_start limit 1`,
  ['sql'],
);

/** Who blocks a session, in words; undefined = nobody. */
export async function blockerOfPid(on: Connection, pid: number): Promise<string | undefined> {
  return textOf(await on.rows(BY_PID, { pid }));
}

/** Who blocks the session that runs this statement, in words; undefined = nobody. */
export async function blockerOfSql(on: Connection, sql: string): Promise<string | undefined> {
  return textOf(await on.rows(BY_SQL, { sql }));
}

/** A row of pg_stat_activity in words. */
export function sessionText({ pid, user, app, address, state, query }: Row): string {
  return holderText({ session: `pid ${pid}`, user, name: app, address, state, query });
}

function textOf([row]: readonly Row[]): string | undefined {
  return row === undefined ? undefined : sessionText(row);
}
