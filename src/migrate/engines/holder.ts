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

const QUERY_LIMIT = 80;

/** Who has the lock and what runs there, in one line; quoted text is left out. */
export function holderText({ session, user, name, address, state, query }: Holder): string {
  const who = [name, user].filter(said).join(' as ');
  const from = said(address) ? ` from ${address}` : '';
  const what = said(query) ? `: ${brief(String(query))}` : '';
  const how = said(state) ? `, ${state}` : '';
  return `${session} (${who}${from})${how}${what}`;
}

function said(word: Word): boolean {
  return word !== undefined && word !== null && word !== '';
}

function brief(query: string): string {
  const line = query
    .replace(/'(?:[^']|'')*'?/g, "'…'")
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= QUERY_LIMIT ? line : `${line.slice(0, QUERY_LIMIT)}…`;
}
