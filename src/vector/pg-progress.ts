import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Row } from '../drivers/connection.ts';
import { statement } from '../sql/statement.ts';
import type { BuildOptions } from './engine.ts';
import type { IndexProgress } from './types.ts';

/** How often progress is read, in ms. */
const EVERY = 500;

const PROGRESS = statement(
  'vectors.build.progress',
  `select p.phase, p.tuples_done, p.tuples_total, p.blocks_done, p.blocks_total
from pg_catalog.pg_stat_progress_create_index as p where p.relid = pg_catalog.to_regclass($1::text)`,
  ['table'],
);

/** Tells how far the build on a table is until it is stopped. */
export function watch(
  connection: Connection,
  table: string,
  { onProgress }: BuildOptions,
): () => Promise<void> {
  if (onProgress === undefined) return async () => {};
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      try {
        const [found] = await connection.rows(PROGRESS, { table });
        if (found) onProgress(progressOf(found));
      } catch {
        // A pool without a free connection, or the observer's own mistake: the build goes on.
      }
      // The end of the build ends the pause by an error.
      await sleep(EVERY, undefined, { signal: ended.signal }).catch(() => {});
    }
  })();
  return async () => {
    ended.abort();
    await watching;
  };
}

function progressOf({ phase, tuples_done, tuples_total, blocks_done, blocks_total }: Row): IndexProgress {
  const byTuples = Number(tuples_total) > 0;
  return {
    phase: String(phase),
    done: Number(byTuples ? tuples_done : blocks_done),
    total: Number(byTuples ? tuples_total : blocks_total),
  };
}
