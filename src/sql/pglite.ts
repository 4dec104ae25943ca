import type { Engine } from './engine.ts';
import { postgres } from './postgres.ts';

/** PGlite: PostgreSQL, whose text results lose a leading U+FEFF; so text is read in JSON form. */
export const pglite: Engine = Object.freeze({
  ...postgres,
  read: { ...postgres.read, key: 'to_json(??)::text', text: 'to_json(??)::text' },
  // Its parameters cross no wire, and only as text; it has one session.
  vectors: { kind: 'pgvector', binary: false, concurrent: false },
  text: (raw) => String(JSON.parse(String(raw))),
} satisfies Engine);
