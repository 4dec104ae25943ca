import { ChronosError } from '../../errors.ts';
import { causes } from '../causes.ts';
import { CodeError } from '../code-error.ts';
import { quotedWords, wordsBeforeLiterals } from './quoted-words.ts';
import { type Sent, sentOf, wordsOf } from './sent.ts';

const LIMIT = 300;

/** Codes of messages that the SQL wrote and not the engine: RAISE, ASSERT, SIGNAL, SQLite's RAISE(). */
const RAISED = /^(P0001|P0004|45000|SQLITE_CONSTRAINT_TRIGGER)$/;
const RAISED_TEXT = 'raised by the SQL itself; the text is in the cause of the error';

/** Behind these words the engines quote a name; behind `near` the piece of the statement that they do not understand. */
const NOUNS =
  'attribute|class|column|columns|collation|constraint|database|domain|drop|encoding|engine|extension|function|index|key|' +
  'language|method|name|near|operator|parameter|policy|procedure|relation|role|rule|schema|sequence|server|statistics|' +
  'table|tablespace|trigger|type|user|view';
const NAMED = new RegExp(`\\b(${NOUNS})(?:[ ]name)? $`, 'i');
const NAME = /^[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*)*$/u;
/** Longest name of an engine, MySQL's. */
const NAME_LIMIT = 64;
/**
 * A quote that opens: the one in `doesn't` stands inside a word, and `'me'@'%'` is
 * one name. Between backticks the engines put names only.
 */
const OPENING = /(?<![\p{L}\p{N}_@%'"])['"]/gu;
/** What MySQL says behind a value. */
const TAIL = /(?: for (?:key|column) '[\w$.]+')?(?: at (?:row|line) \d+)?$/;

/** SQL that a message may repeat, and what was bound to it. */
type Source = Pick<Sent, 'sql' | 'values'>;

/**
 * Code and text of the innermost error that has them: the engine's own, without values of `sql` or the data; or what
 * a migration's code threw by itself.
 */
export function engineWords(thrown: unknown, sql: string): { code: string | undefined; text: string } {
  let found: { code: string | undefined; text: string } = { code: undefined, text: 'an unknown error' };
  for (const error of causes(thrown)) {
    if (error instanceof CodeError) return { code: undefined, text: error.message };
    const code = error instanceof ChronosError ? found.code : textField(error, 'code');
    found = { code, text: databaseWords(error, sql) };
  }
  return found;
}

/** The words of one error of a database, without values of the `sql` that it answers or of the data. */
export function databaseWords(error: Error, sql = ''): string {
  const isRaised = ['code', 'sqlState'].some((field) => RAISED.test(textField(error, field) ?? ''));
  const sent = sentOf(error) ?? { sql, values: [], message: error.message };
  return isRaised ? RAISED_TEXT : tidy(sent.message, sent);
}

function textField(error: Error, field: string): string | undefined {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}

/**
 * One line without values. The engines quote names, data and pieces of the statement alike, and escape no
 * quote in them, so a quoted part stays only where it stands behind a noun for a thing with a name, is a
 * name by its letters and length, and is no word of a literal of the statement (see {@link secret}); behind `near`
 * where it is code for certain (see {@link wordsBeforeLiterals}). From the first that is not, everything up to the
 * last quote of its kind is `…`, but for MySQL's ` for key '…' at row 1`.
 */
function tidy(message: string, source: Source): string {
  const line = message
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/:\/\/[^\s@/]*@/g, '://…@');
  const text = masked(line, source);
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT)}…`;
}

function masked(line: string, source: Source): string {
  let behind = 0;
  for (const { index, 0: quote } of line.matchAll(OPENING)) {
    if (index < behind) continue;
    const end = line.indexOf(quote, index + 1);
    const part = line.slice(index + 1, end < 0 ? undefined : end);
    const [, noun] = NAMED.exec(line.slice(0, index)) ?? [];
    if (end < 0 || noun === undefined || !isShown(part, noun.toLowerCase(), source))
      return cut(line, index, quote, source);
    behind = end + 1;
  }
  return line;
}

function isShown(part: string, noun: string, source: Source): boolean {
  if (noun === 'near') return /^[(),;=]$/.test(part) || wordsBeforeLiterals(source.sql).has(part);
  return isName(part) && !secret(part, noun, source);
}

function isName(part: string): boolean {
  return NAME.test(part) && part.split('.').every((piece) => piece.length <= NAME_LIMIT);
}

/**
 * Whether a part that looks like a name may be a value: it stands in a literal of the statement, or was bound to it;
 * or it is called a column and stands in double quotes, as a literal does that was quoted wrongly.
 */
function secret(part: string, noun: string, { sql, values }: Source): boolean {
  const quoted = quotedWords(sql, noun === 'column');
  const isBound = (piece: string) =>
    values.some((value) => value.includes(piece) && wordsOf(value).includes(piece));
  return part.split('.').some((piece) => quoted.has(piece) || isBound(piece));
}

function cut(line: string, at: number, quote: string, source: Source): string {
  const [tail = ''] = TAIL.exec(line) ?? [];
  const body = line.slice(0, line.length - tail.length);
  const last = body.lastIndexOf(quote);
  const rest = last > at ? masked(body.slice(last + 1), source) : '';
  return `${line.slice(0, at)}${quote}…${quote}${rest}${tail}`;
}
