/** One statement of a SQL text. */
export interface SqlStatement {
  /** Without the semicolon and what stands before its first word. */
  readonly text: string;
  /** Line of its first word in the whole text, from 1. */
  readonly line: number;
}

// A body between BEGIN and END holds semicolons of its own, so a routine takes the rest of its text.
const ROUTINE =
  /^create\s+(or\s+replace\s+)?(definer\s*=\s*\S+\s+)?(aggregate\s+)?(procedure|function|trigger|event|package)\b/i;

/** Index just behind the quoted text that starts at `at`; a backslash escapes, except between backticks. */
function behindQuote(sql: string, at: number): number {
  const quote = sql[at];
  for (let i = at + 1; i < sql.length; i += 1) {
    if (sql[i] === '\\' && quote !== '`') i += 1;
    else if (sql[i] === quote) {
      if (sql[i + 1] !== quote) return i + 1;
      i += 1;
    }
  }
  return sql.length;
}

/** Index just behind the comment that starts at `at`, or `at` where there is none. */
function behindComment(sql: string, at: number): number {
  const two = sql.slice(at, at + 2);
  if (sql[at] === '#' || (two === '--' && (at + 2 >= sql.length || /\s/.test(sql[at + 2] ?? '')))) {
    const end = sql.indexOf('\n', at);
    return end < 0 ? sql.length : end + 1;
  }
  // `/*!` and `/*M!` hold code that the server runs: no comment.
  if (two !== '/*' || /^\/\*M?!/.test(sql.slice(at, at + 4))) return at;
  const end = sql.indexOf('*/', at + 2);
  return end < 0 ? sql.length : end + 2;
}

/** Index behind the piece of text at `at` that must not be searched for a semicolon. */
function behindPiece(sql: string, at: number): number {
  const character = sql[at] ?? '';
  if (`'"\``.includes(character)) return behindQuote(sql, at);
  if (sql.startsWith('/*!', at) || sql.startsWith('/*M!', at)) {
    const end = sql.indexOf('*/', at);
    return end < 0 ? sql.length : end + 2;
  }
  return Math.max(at + 1, behindComment(sql, at));
}

/** Index of the first character that belongs to a statement. */
function nextWord(sql: string, from: number): number {
  let at = from;
  while (at < sql.length) {
    const behind = behindComment(sql, at);
    if (behind > at) at = behind;
    else if (/[\s;]/.test(sql[at] ?? '')) at += 1;
    else break;
  }
  return at;
}

function endOf(sql: string, start: number): number {
  if (ROUTINE.test(sql.slice(start, start + 500))) return sql.length;
  let at = start;
  while (at < sql.length && sql[at] !== ';') at = behindPiece(sql, at);
  return Math.min(at, sql.length);
}

/**
 * The statements of a MySQL or MariaDB text, in order. Quotes, backticks and comments are seen; a statement
 * that creates a routine, trigger or event takes the rest of the text.
 */
export function split(sql: string): readonly SqlStatement[] {
  const statements: SqlStatement[] = [];
  for (let at = nextWord(sql, 0); at < sql.length; ) {
    const end = endOf(sql, at);
    const text = sql.slice(at, end).replace(/[\s;]+$/, '');
    statements.push({ text, line: sql.slice(0, at).split('\n').length });
    at = nextWord(sql, end);
  }
  return statements;
}
