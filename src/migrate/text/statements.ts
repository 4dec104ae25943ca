import type { Language } from '../../sql/dialect-name.ts';
import { lineAt, type Token, tokens } from './tokens.ts';

/** One statement of a SQL text. */
export interface Statement {
  /** Without the semicolon and what stands before its first word. */
  readonly text: string;
  /** Line of its first word in the whole text, from 1. */
  readonly line: number;
  /** Its pieces but for blanks and comments. */
  readonly tokens: readonly Token[];
}

const ROUTINE =
  /^create (or replace )?(definer = \S+ (@ \S+ |\( \) )?)?(aggregate )?(procedure|function|trigger|event|package) /;
/** Pieces that hold the longest beginning of {@link ROUTINE}. */
const ROUTINE_REACH = 12;

/** Whether a semicolon behind these pieces belongs to the statement, as in a body. */
const GOES_ON: Readonly<Record<Language, (pieces: readonly Token[]) => boolean>> = {
  // As `psql` does: `create rule … do (a; b)`, and `begin atomic a; b; end`.
  postgres: (pieces) => openParentheses(pieces) > 0 || openAtomic(pieces) > 0,
  mysql: (pieces) => isBodied(pieces) && openBlocks(pieces) > 0,
  // As `sqlite3_complete` does: a trigger ends with an END that begins a statement of its body.
  sqlite: (pieces) => {
    if (!/^create (temp |temporary )?trigger /.test(beginning(pieces, 3))) return false;
    const last = pieces.findLastIndex(({ text }) => text === ';');
    return last < 0 || !isWord(pieces[last + 1], 'end');
  },
};

/** The statements of a text, in order. */
export function statementsOf(sql: string, language: Language): readonly Statement[] {
  const statements: Statement[] = [];
  let pieces: Token[] = [];
  // Lines are counted on from the last statement: from the start each time, a dump of a megabyte would take minutes.
  let line = 1;
  let counted = 0;
  const flush = (end: number) => {
    const at = pieces[0]?.at;
    if (at !== undefined) {
      const text = sql.slice(at, end).replace(/[\s;]+$/, '');
      line += lineAt(sql.slice(counted, at), at - counted) - 1;
      counted = at;
      statements.push({ text, line, tokens: pieces });
    }
    pieces = [];
  };
  for (const token of tokens(sql, language)) {
    if (token.kind === 'space' || token.kind === 'comment') continue;
    if (token.text === ';' && (pieces.length === 0 || !GOES_ON[language](pieces))) flush(token.at);
    else pieces.push(token);
  }
  flush(sql.length);
  return statements;
}

/** The leading words in small letters, as many as there are up to `count`. */
export function leadingWords({ tokens: pieces }: Statement, count: number): readonly string[] {
  const end = pieces.findIndex(({ kind }) => kind !== 'word');
  return pieces.slice(0, end < 0 ? count : Math.min(end, count)).map(spelled);
}

/** Whether a piece is this word. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && spelled(token) === word;
}

function spelled({ text }: Token): string {
  return text.toLowerCase();
}

/** The first pieces in small letters, each with a blank behind it, what is quoted as `q`. */
function beginning(pieces: readonly Token[], count: number): string {
  const shown = pieces
    .slice(0, count)
    .map((piece) => (/^(text|name)$/.test(piece.kind) ? 'q' : spelled(piece)));
  return `${shown.join(' ')} `;
}

/** Behind these a statement of a body may begin. */
const OPENERS = /^(;|:|begin|then|else|do|loop|repeat|row|deterministic|sql|data|invoker|definer|\))$/;
const BLOCKS = /^(begin|case|if|loop|while|repeat)$/;

function isBodied(pieces: readonly Token[]): boolean {
  const start = beginning(pieces, ROUTINE_REACH);
  return ROUTINE.test(start) || start.startsWith('begin not atomic ');
}

/**
 * How many blocks of a MySQL body have no `end` yet. `if` and `repeat` are functions too, and `case` an expression
 * that has an `end` as well: the others are blocks only where a statement may begin.
 */
function openBlocks(pieces: readonly Token[]): number {
  let depth = 0;
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    const last = before === undefined ? ';' : spelled(before);
    if (piece.kind !== 'word' || last === '.') continue;
    const word = spelled(piece);
    if (word === 'end') depth -= 1;
    else if (last === 'end' || !BLOCKS.test(word)) continue;
    else if (word === 'case' || word === 'begin' || (OPENERS.test(last) && isBlock(pieces, i))) depth += 1;
  }
  return depth;
}

/** `if` is a block where `then` comes before anything that ends an expression; `repeat` where it is not called. */
function isBlock(pieces: readonly Token[], at: number): boolean {
  const piece = pieces[at];
  if (isWord(piece, 'repeat')) return pieces[at + 1]?.text !== '(';
  if (!isWord(piece, 'if')) return true;
  const ends = pieces.slice(at + 1).find((each) => /^(then|;|end|when|else|exists)$/.test(spelled(each)));
  return isWord(ends, 'then');
}

function openParentheses(pieces: readonly Token[]): number {
  let depth = 0;
  for (const { text } of pieces) {
    if (text === '(') depth += 1;
    else if (text === ')') depth = Math.max(0, depth - 1);
  }
  return depth;
}

/** How many `begin atomic` and `case` have no `end` yet; behind `as` and a dot both are names. */
function openAtomic(pieces: readonly Token[]): number {
  if (!/^create (or replace )?(function|procedure) /.test(beginning(pieces, 4))) return 0;
  let depth = 0;
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1];
    if (isWord(before, 'as') || before?.text === '.') continue;
    if (depth === 0) depth = isWord(piece, 'atomic') && isWord(before, 'begin') ? 1 : 0;
    else if (isWord(piece, 'case')) depth += 1;
    else if (isWord(piece, 'end')) depth -= 1;
  }
  return depth;
}
