import type { Connection } from '../../drivers/connection.ts';
import { statement as prepared } from '../../sql/statement.ts';
import { isWord, type Statement } from '../text/statements.ts';
import type { Token } from '../text/tokens.ts';
import { quoted } from './placeholders.ts';

/** An index that a statement builds or drops without a transaction. */
export interface ConcurrentIndex {
  readonly makes: boolean;
  /** As SQL names it; of a build without the schema, which is its table's. */
  readonly name: string;
  /** Table as SQL names it; '' for a drop. */
  readonly table: string;
}

/** The index of CREATE or DROP INDEX CONCURRENTLY that has a name; else undefined. */
export function concurrentIndexOf({ tokens }: Statement): ConcurrentIndex | undefined {
  const words = tokens.filter((_, i) => !isIfExists(tokens, i));
  let at = 1;
  if (isWord(words[at], 'unique')) at += 1;
  if (!isWord(words[at], 'index') || !isWord(words[at + 1], 'concurrently')) return undefined;
  const name = nameAt(words, at + 2);
  if (isWord(words[0], 'drop')) return name === '' ? undefined : { makes: false, name, table: '' };
  const on = words.findIndex((token) => isWord(token, 'on'));
  if (!isWord(words[0], 'create') || name === '' || isWord(words[at + 2], 'on') || on < 0) return undefined;
  return { makes: true, name, table: nameAt(words, isWord(words[on + 1], 'only') ? on + 2 : on + 1) };
}

/** `if exists` and `if not exists` say nothing about which index is meant. */
function isIfExists(tokens: readonly Token[], i: number): boolean {
  const isIf = (at: number) => isWord(tokens[at], 'if') && isWord(tokens[at - 1], 'concurrently');
  const word = tokens[i];
  return (
    isIf(i) ||
    (isWord(word, 'not') && isIf(i - 1)) ||
    (isWord(word, 'exists') && (isIf(i - 1) || isIf(i - 2)))
  );
}

/** A name with what it belongs to, as written. */
function nameAt(tokens: readonly Token[], from: number): string {
  let name = '';
  for (let i = from; tokens[i]?.kind === 'word' || tokens[i]?.kind === 'name'; i += 2) {
    name += tokens[i]?.text;
    if (tokens[i + 1]?.text !== '.') return name;
    name += '.';
  }
  return name;
}

/** A name too long is cut as the server cuts it, by the cast. */
const BUILT = prepared(
  'migrate.index_built',
  `select n.nspname::text as schema, c.relname::text as name, i.indisvalid::text as valid
from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace
join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = (parse_ident($2)::name[])[1]
join pg_catalog.pg_index i on i.indexrelid = c.oid and i.indrelid = t.oid
where t.oid = to_regclass($1)`,
  ['table', 'name'],
);
const THERE = prepared('migrate.index_there', 'select to_regclass($1)::text as found', ['name']);

/** `valid`, `invalid` as a build that was cut off leaves it, or `absent`. */
export async function stateOfIndex(
  on: Connection,
  { makes, name, table }: ConcurrentIndex,
): Promise<{ readonly state: 'valid' | 'invalid' | 'absent'; readonly drop: string }> {
  if (!makes) {
    const [row] = await on.rows(THERE, { name });
    return { state: row?.found == null ? 'absent' : 'valid', drop: '' };
  }
  const [row] = await on.rows(BUILT, { table, name });
  if (row === undefined) return { state: 'absent', drop: '' };
  const whole = `${quoted(String(row.schema))}.${quoted(String(row.name))}`;
  return {
    state: row.valid === 'true' ? 'valid' : 'invalid',
    drop: `drop index concurrently if exists ${whole}`,
  };
}
