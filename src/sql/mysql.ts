import type { Engine } from './engine.ts';
import { timeText } from './time-text.ts';

/** MySQL. Times are UTC in DATETIME(3): the session's time zone does not touch them. */
export const mysql: Engine = Object.freeze({
  client: 'mysql2',
  schemas: false,
  bulk: { form: 'rows', sizes: [1000, 300, 100, 30, 10, 3, 1] },
  // `insert ignore` would hide truncation and NOT NULL errors too.
  insertKeepsFirst: false,
  shareToSee: true,
  rowRange: false,
  indexHint: 'force index (??)',
  rowBytes: 'select @@max_allowed_packet as bytes',
  write: { key: '?', text: '?', json: '?', time: '?', int: '?' },
  read: {
    key: '??',
    text: '??',
    json: '??',
    time: "timestampdiff(microsecond, '1970-01-01', ??) div 1000",
    int: '??',
  },
  returns: false,
  time: (ms) => timeText(ms, ' '),
  text: String,
} satisfies Engine);
