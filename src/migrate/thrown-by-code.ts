import { inspect, types } from 'node:util';
import { ChronosError } from '../errors.ts';
import { type DialectName, languageOf } from '../sql/dialect-name.ts';
import { CodeError } from './code-error.ts';
import { databaseWords } from './text/engine-words.ts';
import { sentOf } from './text/sent.ts';
import { tokens } from './text/tokens.ts';

/** Longest text told of what code threw. */
const LIMIT = 1000;
/** Causes below causes may be a circle. */
const DEPTH = 5;
/** Before the SQL in messages of knex itself. */
const QUERY = /\bquery: /i;

/** Where code threw. */
export interface Thrower {
  readonly dialect: DialectName;
  /** What the database answered to the code before, caught or not. */
  readonly answers: readonly Error[];
}

/** What code threw, as an error to go on with: a database's own stays as it is, and so does one of ours. */
export function thrownByCode(thrown: unknown, thrower: Thrower): unknown {
  try {
    if (thrown instanceof ChronosError || isDatabases(thrown)) return thrown;
    const text = isError(thrown) ? messages(thrown, thrower) : `the code threw ${shown(thrown)}`;
    return new CodeError(bounded(text), { cause: thrown });
  } catch {
    // A getter or a proxy of it threw: nobody could read it further on either.
    return new CodeError('the code threw something that cannot be read');
  }
}

function messages(thrown: Error, thrower: Thrower): string {
  const parts: string[] = [];
  let depth = 0;
  // Code may throw a ring of causes.
  for (let error: unknown = thrown; isError(error) && depth < DEPTH; error = error.cause) {
    const text = isDatabases(error) ? databaseWords(error) : ownWords(error, thrower);
    if (!parts.some((part) => part.includes(text))) parts.push(text);
    depth += 1;
  }
  return parts.join(': ');
}

/** Without the values that stand in a database's message or in SQL, where the code or knex repeats them. */
function ownWords({ name, message }: Error, { dialect, answers }: Thrower): string {
  const told = answers.reduce((text, answer) => {
    const words = databaseWords(answer);
    const own = sentOf(answer)?.message ?? '';
    const whole = text.replaceAll(answer.message, () => words);
    return own === '' ? whole : whole.replaceAll(own, () => words);
  }, String(message));
  const [query] = QUERY.exec(told) ?? [];
  const at = query === undefined ? told.length : told.indexOf(query);
  const text =
    `${told.slice(0, at)}${withoutLiterals(told.slice(at), dialect)}` || 'an error without a message';
  return name === 'Error' || typeof name !== 'string' || name === '' ? text : `${name}: ${text}`;
}

function withoutLiterals(text: string, dialect: DialectName): string {
  return tokens(text, languageOf(dialect))
    .map((token) => (token.kind === 'text' ? "'…'" : token.text))
    .join('');
}

/** Without what is nested: nobody knows what an object carries along. */
function shown(thrown: unknown): string {
  return inspect(thrown, { depth: 0, breakLength: Number.POSITIVE_INFINITY, customInspect: false });
}

function bounded(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/:\/\/[^\s@/]*@/g, '://…@');
  return line.length <= LIMIT ? line : `${line.slice(0, LIMIT)}…`;
}

/** Code may come from another realm, where `Error` is another. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || types.isNativeError(thrown);
}

/** Through our query builder, or by a database package that the code brought along. */
function isDatabases(thrown: unknown): thrown is Error {
  if (!isError(thrown)) return false;
  const has = (field: string) => typeof Reflect.get(thrown, field) === 'string';
  return (
    sentOf(thrown) !== undefined ||
    thrown.name === 'SqliteError' ||
    ['severity', 'sqlState', 'sqlMessage'].some(has)
  );
}
