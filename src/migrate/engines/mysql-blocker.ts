import type { Connection, Row } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { holderText } from './holder.ts';

const ID = statement('migrate.id', 'select connection_id() as id');
const PROCESS = 'p.id, p.user, p.host, p.state, p.info from information_schema.processlist p';
const WAITS = `exists (select 1 from information_schema.processlist me
  where me.id = ? and me.state like 'Waiting for%')`;
/** MySQL counts who holds which table, as long as its performance schema is on, as it is by default. */
const BY_LOCK = statement(
  'migrate.blocker',
  `select ${PROCESS} join performance_schema.threads t on t.processlist_id = p.id
join performance_schema.metadata_locks h on h.owner_thread_id = t.thread_id and h.lock_status = 'GRANTED'
join performance_schema.metadata_locks w on w.object_type = h.object_type and w.object_schema = h.object_schema
  and w.object_name = h.object_name and w.lock_status = 'PENDING'
join performance_schema.threads me on me.thread_id = w.owner_thread_id
where me.processlist_id = ? and p.id <> me.processlist_id limit 1`,
  ['id'],
);
/** MariaDB tells of transactions only: the oldest one of this database is the likely one. */
const BY_AGE = statement(
  'migrate.blocker_by_age',
  `select ${PROCESS} join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
where p.db = database() and ${WAITS} and p.id <> ? order by t.trx_started limit 1`,
  ['id', 'id'],
);

/** The number by which the server knows a session. */
export async function idOf(session: Connection): Promise<number> {
  const [row] = await session.rows(ID, {});
  return Number(row?.id);
}

/** Who blocks a session, in words; undefined = nobody that this role may see. */
export async function blockerOfId(on: Connection, id: number): Promise<string | undefined> {
  const look = on.dialectName === 'mysql' ? BY_LOCK : BY_AGE;
  const [row] = await on.rows(look, { id });
  return row === undefined ? undefined : sessionText(row);
}

/** A row of the process list in words. */
export function sessionText(row: Row): string {
  const { id, user, host, state, info } = lowered(row);
  return holderText({ session: `connection ${id}`, user, address: host, state, query: info });
}

/** Column names come in the case in which each server has them. */
function lowered(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}
