import type { Language } from '../../sql/dialect-name.ts';
import { isWord, leadingWords, type Statement, statementsOf } from './statements.ts';
import type { Token } from './tokens.ts';

/** What running a text would destroy. */
export interface Destroyed {
  /** Tables dropped, by name as written: safe to stand in a query of ours. */
  readonly tables: readonly string[];
  /** Whatever else takes data away, a line each, without literals. */
  readonly others: readonly string[];
}

/** The placeholder between double quotes is an identifier to every tokenizer, whatever schema it stands for. */
const SCHEMA = '{{schema}}';
const NEUTRAL = `"${SCHEMA}"`;

const TAKES =
  /^(drop (?!index|policy|trigger|function)|delete |truncate |update |alter table .*\bdrop (?!key|index)|merge )/i;

/** Reads a text whose placeholders are not filled yet: what fills them may hold quotes and semicolons. */
export function destroyed(sql: string, language: Language): Destroyed {
  const tables: string[] = [];
  const others: string[] = [];
  for (const statement of statementsOf(sql.replaceAll(SCHEMA, NEUTRAL), language)) {
    const names = droppedTables(statement);
    const line = withoutLiterals(statement);
    if (names !== undefined) tables.push(...names);
    else if (TAKES.test(line)) others.push(line);
  }
  return { tables: tables.map(unfilled), others: others.map(unfilled) };
}

function unfilled(text: string): string {
  return text.replaceAll(NEUTRAL, SCHEMA);
}

/** The names of a DROP TABLE; none where it is another statement or anything but names follows. */
function droppedTables(statement: Statement): readonly string[] | undefined {
  const words = leadingWords(statement, 4).join(' ');
  if (!/^drop table( |$)/.test(words)) return undefined;
  const rest = statement.tokens.slice(words === 'drop table if exists' ? 4 : 2);
  const last = rest.at(-1);
  if (rest.length > 1 && (isWord(last, 'cascade') || isWord(last, 'restrict'))) rest.pop();
  const names = parted(rest);
  return names.every(isName) ? names.map((name) => name.map(({ text }) => text).join('')) : undefined;
}

function parted(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === ',') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** A plain or quoted name, perhaps with what it belongs to. */
function isName(tokens: readonly Token[]): boolean {
  return (
    tokens.length % 2 === 1 &&
    tokens.every(({ kind, text }, i) => (i % 2 === 1 ? text === '.' : kind === 'word' || kind === 'name'))
  );
}

function withoutLiterals({ tokens }: Statement): string {
  let line = '';
  let end = tokens[0]?.at ?? 0;
  for (const { kind, text, at } of tokens) {
    if (at > end) line += ' ';
    line += kind === 'text' ? "''" : text.replace(/\s+/g, ' ');
    end = at + text.length;
  }
  return line;
}
