import type { Engine } from './engine.ts';
import { timeText } from './time-text.ts';

/** PostgreSQL. Values come as text, whatever parsers the host set. */
export const postgres: Engine = Object.freeze({
  client: 'pg',
  schemas: true,
  bulk: {
    form: 'arrays',
    element: { key: 'text', text: 'text', json: 'text', time: 'timestamptz', int: 'bigint' },
  },
  insertKeepsFirst: true,
  rowRange: true,
  // It sorts where a bound takes nearly all rows or is absent; into a sub-select it does not look, and expects a tenth.
  limit: { bound: '(select $1::bigint)', none: '(select null::bigint)' },
  // With the value in sight, few rows seem to be left beyond a position that is deep, and it plans each page anew.
  edgeForm: '(select ?)',
  // A value or message may have 1 GB.
  rowBytes: 1_000_000_000,
  write: { key: '?', text: '?', json: '?', time: '?::timestamptz', int: '?::bigint' },
  read: {
    key: '??',
    text: '??',
    // As text, which no host's parser takes apart.
    json: '??::text',
    // A whole number: neither the session's time zone nor its DateStyle shows.
    time: '(extract(epoch from ??) * 1000)::bigint',
    int: '??',
  },
  later: "greatest(?::timestamptz, least(?? + interval '1 millisecond', '9999-12-31T23:59:59.999Z'))",
  returns: true,
  appendFunction: 'chronos_append_event',
  vectors: { kind: 'pgvector', binary: true, concurrent: true },
  rowAddress: { column: 'ctid', among: 'ctid = any(array(?))' },
  time: (ms) => `${timeText(ms, 'T')}Z`,
  text: String,
} satisfies Engine);
