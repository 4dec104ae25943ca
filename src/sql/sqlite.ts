import { LATEST } from '../model/check.ts';
import type { Engine } from './engine.ts';

/** SQLite. Times are integer milliseconds since 1970. */
export const sqlite: Engine = Object.freeze({
  client: 'better-sqlite3',
  schemas: false,
  bulk: { form: 'each' },
  insertKeepsFirst: true,
  rowRange: true,
  // By a bare parameter it would prepare the statement anew at every call, whose plan may depend on the number.
  limit: { bound: '$1 + 0' },
  // SQLITE_MAX_LENGTH as it is compiled by default.
  rowBytes: 1_000_000_000,
  write: { key: '?', text: '?', json: '?', time: '?', int: '?' },
  read: { key: '??', text: '??', json: '??', time: '??', int: '??' },
  later: `max(?, min(?? + 1, ${LATEST}))`,
  returns: true,
  vectors: { kind: 'sqlite-vec', binary: true, concurrent: false },
  rowAddress: { column: 'rowid', among: 'rowid in (?)' },
  reclaim: {
    free: 'select freelist_count as pages from pragma_freelist_count',
    some: 'pragma incremental_vacuum(2000)',
    end: 'pragma wal_checkpoint(truncate)',
  },
  time: (ms) => ms,
  text: String,
} satisfies Engine);
