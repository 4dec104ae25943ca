import Database from 'better-sqlite3';
import { TENANT } from './types.mjs';

/** @typedef {import('./types.mjs').RawEvent} RawEvent */

const SESSION = 'id, agent_id, status, metadata, created_at, updated_at';
const CHECKPOINT = 'id, session_id, run_id, node_id, state, seq_num, created_at';
const EVENT = 'id, session_id, seq_num, type, payload, created_at';

/**
 * @param {string} url
 * @returns {Promise<import('./types.mjs').Raw>}
 */
export async function rawSqlite(url) {
  const db = new Database(url.slice('sqlite:'.length));
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = full');
  const session = db.prepare(
    `select tenant_id, ${SESSION} from chronos_sessions where tenant_id = ? and id = ?`,
  );
  const checkpoint = db.prepare(
    `select tenant_id, ${CHECKPOINT} from chronos_checkpoints where tenant_id = ? and session_id = ? order by seq_num desc limit 1`,
  );
  const insert = db.prepare(
    `insert into chronos_events (tenant_id, ${EVENT}) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const page = db.prepare(
    `select tenant_id, ${EVENT} from chronos_events where tenant_id = ? and session_id = ? and seq_num > ?
     order by seq_num, id limit ?`,
  );
  const trim = db.prepare(
    `delete from chronos_events where rowid in (
       select rowid from chronos_events where tenant_id = ? and created_at < ? order by created_at, id limit ?)`,
  );
  const many = db.transaction((/** @type {RawEvent[]} */ events) => {
    for (const event of events) insert.run(TENANT, ...fields(event));
  });
  return {
    getSession: async (id) => parsed(session.get(TENANT, id), 'metadata', 'updated_at'),
    latestCheckpoint: async (sessionId) => parsed(checkpoint.get(TENANT, sessionId), 'state'),
    append: async (event) => void insert.run(TENANT, ...fields(event)),
    appendMany: async (events) => many.immediate(events),
    page: async (sessionId, afterSeq, limit) =>
      page.all(TENANT, sessionId, afterSeq, limit).map((row) => parsed(row, 'payload')),
    trim: async (before, batch) => trim.run(TENANT, before.getTime(), batch).changes,
    close: async () => void db.close(),
  };
}

/**
 * @param {unknown} row
 * @param {string} column
 * @param {string} [time]
 */
function parsed(row, column, time) {
  const found = /** @type {Record<string, unknown>} */ (row);
  if (typeof found[column] === 'string') found[column] = JSON.parse(found[column]);
  for (const name of ['created_at', ...(time ? [time] : [])]) found[name] = new Date(Number(found[name]));
  return found;
}

/**
 * @param {RawEvent} event
 * @returns {unknown[]}
 */
function fields({ id, sessionId, seqNum, type, payload, createdAt }) {
  return [id, sessionId, seqNum, type, JSON.stringify(payload), createdAt.getTime()];
}
