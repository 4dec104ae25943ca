import mysql from 'mysql2/promise';
import { TENANT } from './types.mjs';

/** @typedef {import('./types.mjs').RawEvent} RawEvent */

const SESSION = 'id, agent_id, status, metadata, created_at, updated_at';
const CHECKPOINT = 'id, session_id, run_id, node_id, state, seq_num, created_at';
const EVENT = 'id, session_id, seq_num, type, payload, created_at';
const INSERT = `insert into chronos_events (tenant_id, ${EVENT}) values (?, ?, ?, ?, ?, ?, ?)`;

/**
 * @param {string} url
 * @returns {Promise<import('./types.mjs').Raw>}
 */
export async function rawMysql2(url) {
  const pool = mysql.createPool({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    connectionLimit: 10,
    timezone: 'Z',
  });
  const [[server]] = /** @type {any} */ (await pool.query('select version() as version'));
  const maria = /mariadb/i.test(server.version);
  /** @param {string} sql @param {unknown[]} values */
  const rows = async (sql, values) => {
    const [found] = await pool.execute(sql, /** @type {any} */ (values));
    return /** @type {any[]} */ (found);
  };
  return {
    getSession: async (id) =>
      (
        await rows(`select tenant_id, ${SESSION} from chronos_sessions where tenant_id = ? and id = ?`, [
          TENANT,
          id,
        ])
      ).map((row) => parsed(row, 'metadata'))[0],
    latestCheckpoint: async (sessionId) =>
      (
        await rows(
          `select tenant_id, ${CHECKPOINT} from chronos_checkpoints where tenant_id = ? and session_id = ?
           order by seq_num desc limit 1`,
          [TENANT, sessionId],
        )
      ).map((row) => parsed(row, 'state'))[0],
    append: async (event) => {
      await rows(INSERT, [TENANT, ...fields(event)]);
    },
    appendNext: async (event) => {
      const connection = await pool.getConnection();
      try {
        await connection.query('start transaction');
        const key = [TENANT, event.sessionId];
        const take = `insert into chronos_event_heads (tenant_id, session_id, head) values (?, ?, 1)
          on duplicate key update head = head + 1${maria ? ' returning head' : ''}`;
        let [found] = await connection.execute(take, key);
        if (!maria) {
          const look =
            'select head from chronos_event_heads where tenant_id = ? and session_id = ? for update';
          [found] = await connection.execute(look, key);
        }
        const { head } = /** @type {any} */ (found)[0];
        const values = /** @type {any} */ ([TENANT, ...fields({ ...event, seqNum: head })]);
        await connection.execute(INSERT, values);
        await connection.query('commit');
      } finally {
        connection.release();
      }
    },
    appendMany: async (events) => {
      const values = events.flatMap((event) => [TENANT, ...fields(event)]);
      const places = events.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
      await rows(`insert into chronos_events (tenant_id, ${EVENT}) values ${places}`, values);
    },
    page: async (sessionId, afterSeq, limit) =>
      (
        await rows(
          `select tenant_id, ${EVENT} from chronos_events force index (chronos_events_by_place)
           where tenant_id = ? and session_id = ? and seq_num > ? order by seq_num, id limit ?`,
          [TENANT, sessionId, afterSeq, String(limit)],
        )
      ).map((row) => parsed(row, 'payload')),
    trim: async (before, batch) => {
      const [done] = await pool.execute(
        'delete from chronos_events where tenant_id = ? and created_at < ? order by created_at, id limit ?',
        [TENANT, before, String(batch)],
      );
      return /** @type {{ affectedRows: number }} */ (/** @type {unknown} */ (done)).affectedRows;
    },
    close: () => pool.end(),
  };
}

/**
 * @param {Record<string, unknown>} row
 * @param {string} column
 */
function parsed(row, column) {
  if (typeof row[column] === 'string') row[column] = JSON.parse(row[column]);
  return row;
}

/**
 * @param {RawEvent} event
 * @returns {unknown[]}
 */
function fields({ id, sessionId, seqNum, type, payload, createdAt }) {
  return [id, sessionId, seqNum, type, JSON.stringify(payload), createdAt];
}
