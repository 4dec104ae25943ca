import pg from 'pg';
import { TENANT } from './types.mjs';

/** @typedef {import('./types.mjs').RawEvent} RawEvent */

const SESSION = 'id, agent_id, status, metadata, created_at, updated_at';
const CHECKPOINT = 'id, session_id, run_id, node_id, state, seq_num, created_at';
const EVENT = 'id, session_id, seq_num, type, payload, created_at';

/**
 * @param {string} url
 * @returns {Promise<import('./types.mjs').Raw>}
 */
export async function rawPg(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  /** @param {string} name @param {string} text @param {unknown[]} values */
  const query = (name, text, values) => pool.query({ name, text, values });
  return {
    getSession: async (id) =>
      (
        await query(
          's',
          `select tenant_id, ${SESSION} from chronos.chronos_sessions where tenant_id = $1 and id = $2`,
          [TENANT, id],
        )
      ).rows[0],
    latestCheckpoint: async (sessionId) =>
      (
        await query(
          'c',
          `select tenant_id, ${CHECKPOINT} from chronos.chronos_checkpoints where tenant_id = $1 and session_id = $2
           order by seq_num desc limit 1`,
          [TENANT, sessionId],
        )
      ).rows[0],
    append: async (event) => {
      await query(
        'a',
        `insert into chronos.chronos_events (tenant_id, ${EVENT}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict do nothing`,
        [TENANT, ...fields(event)],
      );
    },
    appendMany: async (events) => {
      const rows = events.map(fields);
      const columns = [0, 1, 2, 3, 4, 5].map((at) => rows.map((row) => row[at]));
      await query(
        'm',
        `insert into chronos.chronos_events (tenant_id, ${EVENT})
         select $1, r.id, r.session_id, r.seq_num, r.type, r.payload::json, r.created_at
         from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])
           as r(${EVENT}) on conflict do nothing`,
        [TENANT, ...columns],
      );
    },
    page: async (sessionId, afterSeq, limit) =>
      (
        await query(
          'p',
          `select tenant_id, ${EVENT} from chronos.chronos_events where tenant_id = $1 and session_id = $2 and seq_num > $3
           order by seq_num, id limit $4`,
          [TENANT, sessionId, afterSeq, limit],
        )
      ).rows,
    trim: async (before, batch) =>
      (
        await query(
          't',
          `delete from chronos.chronos_events where ctid = any(array(
             select ctid from chronos.chronos_events where tenant_id = $1 and created_at < $2
             order by created_at, id limit $3))`,
          [TENANT, before, batch],
        )
      ).rowCount ?? 0,
    close: () => pool.end(),
  };
}

/**
 * @param {RawEvent} event
 * @returns {unknown[]}
 */
function fields({ id, sessionId, seqNum, type, payload, createdAt }) {
  return [id, sessionId, seqNum, type, JSON.stringify(payload), createdAt];
}
