import type { Language } from '../../sql/dialect-name.ts';

/**
 * What a piece of SQL is: `text` a literal, `name` a quoted identifier, `word` a bare one or a keyword, `code`
 * a comment that the server runs, `other` one character.
 */
export type TokenKind = 'space' | 'comment' | 'text' | 'name' | 'code' | 'word' | 'other';

/** A piece of SQL; all of them in order are the whole text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Index of its first character. */
  readonly at: number;
  /** Whether it has no end: the text ended first. */
  readonly open: boolean;
}

/** Where a piece ends; -1 where nothing closes it. */
type Piece = { readonly kind: TokenKind; readonly end: number };

interface Quote {
  readonly kind: 'text' | 'name';
  /** What closes it; written twice it is itself, but for `]`. */
  readonly close: string;
  readonly backslash: boolean;
}

interface Lexicon {
  readonly quotes: Readonly<Record<string, Quote>>;
  readonly space: RegExp;
  readonly lineComment: RegExp;
  /** Whether block comments stand inside each other. */
  readonly nests: boolean;
  /** What only this language has. */
  readonly own: (sql: string, at: number) => Piece | undefined;
}

// Not \s and \w: the engines take a no-break space, and every other character beyond ASCII, for a letter.
const SPACE = /[ \t\n\v\f\r]+/y;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
// A number is kept whole so that the `e` of `1e'` opens nothing.
const NUMBER = /[0-9][A-Za-z0-9_.\u0080-\uffff]*/y;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
/** What continues a Postgres literal on a later line, with the escapes that it began with. */
const CONTINUED = /(?:[ \t\v\f]|--[^\n\r]*)*[\n\r](?:[ \t\n\v\f\r]|--[^\n\r]*[\n\r])*'/y;

const text = (close: string, backslash = false): Quote => ({ kind: 'text', close, backslash });
const name = (close: string): Quote => ({ kind: 'name', close, backslash: false });

/** Postgres with standard_conforming_strings, MySQL with backslash escapes and without ANSI_QUOTES: their defaults. */
const LEXICONS: Readonly<Record<Language, Lexicon>> = {
  postgres: {
    quotes: { "'": text("'"), '"': name('"') },
    space: SPACE,
    lineComment: /--[^\n\r]*/y,
    nests: true,
    own: (sql, at) => escapeText(sql, at) ?? dollarText(sql, at),
  },
  mysql: {
    quotes: { "'": text("'", true), '"': text('"', true), '`': name('`') },
    space: SPACE,
    lineComment: /#[^\n]*|--(?=[\p{Cc} ]|$)[^\n]*/uy,
    nests: false,
    own: (sql, at) =>
      /^\/\*M?!/.test(sql.slice(at, at + 4)) ? { kind: 'code', end: blockEnd(sql, at) } : undefined,
  },
  sqlite: {
    quotes: { "'": text("'"), '"': name('"'), '`': name('`'), '[': name(']') },
    // SQLite takes a BOM between two tokens for a blank.
    space: /[ \t\n\v\f\r\uFEFF]+/y,
    lineComment: /--[^\n]*/y,
    nests: false,
    own: () => undefined,
  },
};

/** The pieces of a SQL text as the engine's own scanner cuts them. */
export function tokens(sql: string, language: Language): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const { kind, end } = pieceAt(sql, at, LEXICONS[language]);
    const behind = end < 0 ? sql.length : end;
    found.push({ kind, text: sql.slice(at, behind), at, open: end < 0 });
    at = behind;
  }
  return found;
}

/** Line of the character at `at`, from 1. */
export function lineAt(sql: string, at: number): number {
  return sql.slice(0, at).split('\n').length;
}

function pieceAt(sql: string, at: number, lexicon: Lexicon): Piece {
  const own = lexicon.own(sql, at);
  if (own !== undefined) return own;
  const quote = lexicon.quotes[sql[at] ?? ''];
  if (quote !== undefined) return { kind: quote.kind, end: quoteEnd(sql, at + 1, quote) };
  if (sql.startsWith('/*', at)) {
    return { kind: 'comment', end: lexicon.nests ? nestedEnd(sql, at) : blockEnd(sql, at) };
  }
  const spaceEnd = match(lexicon.space, sql, at);
  if (spaceEnd > at) return { kind: 'space', end: spaceEnd };
  const commentEnd = match(lexicon.lineComment, sql, at);
  if (commentEnd > at) return { kind: 'comment', end: commentEnd };
  const wordEnd = match(WORD, sql, at);
  if (wordEnd > at) return { kind: 'word', end: wordEnd };
  return { kind: 'other', end: Math.max(at + 1, match(NUMBER, sql, at)) };
}

/** Index behind what a sticky expression finds at `at`, or `at`. */
function match(expression: RegExp, sql: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(sql) ? expression.lastIndex : at;
}

function quoteEnd(sql: string, from: number, { close, backslash }: Quote): number {
  for (let at = from; at < sql.length; at += 1) {
    if (backslash && sql[at] === '\\') at += 1;
    else if (sql[at] === close) {
      if (close === ']' || sql[at + 1] !== close) return at + 1;
      at += 1;
    }
  }
  return -1;
}

function blockEnd(sql: string, at: number): number {
  const end = sql.indexOf('*/', at + 2);
  return end < 0 ? -1 : end + 2;
}

function nestedEnd(sql: string, at: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  let depth = 0;
  for (let found = edge.exec(sql); found !== null; found = edge.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return -1;
}

function escapeText(sql: string, at: number): Piece | undefined {
  if (!/^[eE]'/.test(sql.slice(at, at + 2))) return undefined;
  let end = quoteEnd(sql, at + 2, text("'", true));
  while (end >= 0) {
    const next = match(CONTINUED, sql, end);
    if (next === end) break;
    end = quoteEnd(sql, next, text("'", true));
  }
  return { kind: 'text', end };
}

function dollarText(sql: string, at: number): Piece | undefined {
  const behind = match(DOLLAR, sql, at);
  if (behind === at) return undefined;
  const tag = sql.slice(at, behind);
  const end = sql.indexOf(tag, behind);
  return { kind: 'text', end: end < 0 ? -1 : end + tag.length };
}
