import type { Row } from '../../drivers/connection.ts';

type Word = Row[string] | undefined;

/** What a server shows of the session that has the lock. */
export interface Holder {
  readonly session: string;
  readonly user: Word;
  readonly name?: Word;
  readonly address: Word;
  readonly state: Word;
  readonly query: Word;
}

/** Leading words of statements that are shown. */
const VERBS =
  'alter|analyze|begin|call|column|commit|concurrently|create|database|delete|drop|event|exclusive|execute|exists|' +
  'explain|extension|from|fulltext|function|grant|if|ignore|immediate|index|insert|into|lock|materialized|not|only|' +
  'optimize|or|policy|prepare|procedure|refresh|reindex|rename|replace|rollback|schema|select|sequence|set|show|' +
  'start|table|tables|temp|temporary|transaction|trigger|truncate|type|unique|unlogged|update|vacuum|view|with';
const VERB = new RegExp(`^(?:${VERBS})(?![\\w$])`, 'i');
/** Behind these words stands the name of an object and never a literal. */
const NAMES =
  /^(?:concurrently|exists|from|function|index|into|only|policy|procedure|schema|sequence|table|trigger|truncate|type|update|view)$/i;
const NAME =
  /^(?:[A-Za-z_][\w$]*|"[A-Za-z_][\w$]*"|`[A-Za-z_][\w$]*`)(?:\.(?:[A-Za-z_][\w$]*|"[A-Za-z_][\w$]*"|`[A-Za-z_][\w$]*`))*(?=[\s(;]|$)/;
/** Blanks and comments. */
const GAP = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const QUERY_LIMIT = 80;

/** Who has the lock and what runs there, in one line; of a statement only its leading keywords and a name. */
export function holderText({ session, user, name, address, state, query }: Holder): string {
  const who = [name, user].filter(said).join(' as ');
  const from = said(address) ? ` from ${address}` : '';
  const words = said(query) ? brief(String(query)) : '';
  const what = words === '' ? '' : `: ${words}`;
  const how = said(state) ? `, ${state}` : '';
  return `${session} (${who}${from})${how}${what}`;
}

function said(word: Word): boolean {
  return word !== undefined && word !== null && word !== '';
}

/**
 * `create table widgets` of a whole statement: everybody who waits reads it, and whatever else it holds may be
 * data. Nothing where it does not begin with a keyword that is known.
 */
function brief(query: string): string {
  const shown: string[] = [];
  let rest = query.replace(GAP, '');
  for (let verb = VERB.exec(rest)?.[0]; verb !== undefined; verb = VERB.exec(rest)?.[0]) {
    shown.push(verb.toLowerCase());
    rest = rest.slice(verb.length).replace(GAP, '');
  }
  const [name] = (NAMES.test(shown.at(-1) ?? '') ? NAME.exec(rest) : null) ?? [];
  return [...shown, ...(name === undefined ? [] : [name])].join(' ').slice(0, QUERY_LIMIT);
}
