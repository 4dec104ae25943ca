import { type ErrorFacts, InvalidArgumentError } from '../errors.ts';
import { isBuiltIn, reading, saysSomething } from './objects.ts';
import type { Column } from './tables.ts';

/** The earliest and latest moments that every engine holds: years 1000 to 9999. */
export const EARLIEST: number = Date.UTC(1000, 0, 1);
export const LATEST: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const DEFAULT_LIMIT = 100;
const GREATEST_LIMIT = 1000;

// Any surrogate or NUL: rare, so the exact test below runs on few texts.
const SUSPECT = /[\0\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a text holds a surrogate without its partner, which no UTF-8 database can store. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

function longerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
}

/** A text argument for `column`, refused with its `path` when the column could not hold it. */
export function checkText(path: string, value: unknown, column: Pick<Column, 'max' | 'filled'>): string {
  if (typeof value !== 'string') throw new InvalidArgumentError(path, 'must be a string');
  if (column.filled && value === '') throw new InvalidArgumentError(path, 'must not be empty');
  if (column.max !== undefined && longerThan(value, column.max)) {
    throw new InvalidArgumentError(path, `must have at most ${column.max} code points`);
  }
  if (SUSPECT.test(value)) {
    if (value.includes('\0')) throw new InvalidArgumentError(path, 'must not hold NUL (U+0000)');
    if (hasLoneSurrogate(value)) throw new InvalidArgumentError(path, 'must not hold a lone surrogate');
  }
  return value;
}

/** A Date as milliseconds since 1970 in UTC. */
export function checkDate(path: string, value: unknown): number {
  const ms = timeOf(value);
  if (ms === undefined) throw new InvalidArgumentError(path, 'must be a Date');
  if (Number.isNaN(ms)) throw new InvalidArgumentError(path, 'is an invalid Date');
  if (ms < EARLIEST || ms > LATEST) {
    throw new InvalidArgumentError(path, 'must lie in the years 1000 to 9999 (UTC)');
  }
  return ms;
}

/** The moment that a Date of any realm holds, whatever its class makes of `getTime`; undefined for what is none. */
function timeOf(value: unknown): number | undefined {
  try {
    return Date.prototype.getTime.call(value as Date);
  } catch {
    // The one way to ask for the inner slot that makes a Date: it throws for everything else.
    return undefined;
  }
}

/** The name of a Postgres schema: what any of the places that quote it would take for something else is refused. */
export function checkSchema(value: unknown): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value).length : 0;
  if (typeof value !== 'string' || bytes < 1 || bytes > 63) {
    throw new InvalidArgumentError('schema', 'must be a name of 1 to 63 bytes', { reason: 'USAGE' });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\0-\x1f\x7f?\\{}]/.test(value) || value.trim() !== value || hasLoneSurrogate(value)) {
    const problem = 'must not hold control characters, ? \\ { }, or blanks at its ends';
    throw new InvalidArgumentError('schema', problem, { reason: 'USAGE' });
  }
  if (value.startsWith('pg_')) {
    throw new InvalidArgumentError('schema', 'PostgreSQL keeps names with pg_ for itself', {
      reason: 'USAGE',
    });
  }
  return value;
}

/** A whole number that JavaScript holds exactly. */
export function checkInteger(path: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError(path, 'must be a whole number within ±(2^53−1)');
  }
  // -0 would come back as 0.
  return value === 0 ? 0 : value;
}

/** The number of rows to read: absent or ≤ 0 → 100, more than 1000 → 1000. */
export function clampLimit(limit?: number): number {
  if (limit === undefined || Number.isNaN(limit)) return DEFAULT_LIMIT;
  const whole = Math.trunc(limit);
  return whole <= 0 ? DEFAULT_LIMIT : Math.min(whole, GREATEST_LIMIT);
}

/** A `limit` argument, clamped. */
export function checkLimit(value: unknown): number {
  if (value !== undefined && typeof value !== 'number') {
    throw new InvalidArgumentError('limit', 'must be a number');
  }
  return clampLimit(value);
}

/** An `offset` argument; absent = 0. */
export function checkOffset(value: unknown): number {
  if (value === undefined) return 0;
  const offset = checkInteger('offset', value);
  if (offset < 0) throw new InvalidArgumentError('offset', 'must not be negative');
  return offset;
}

/** An optional switch; absent = `absent`. */
export function checkSwitch(path: string, value: unknown, absent = false): boolean {
  if (value === undefined) return absent;
  if (typeof value !== 'boolean') throw new InvalidArgumentError(path, 'must be true or false');
  return value;
}

/** A whole number within bounds. */
export function checkWithin(path: string, value: unknown, least: number, most: number): number {
  const number = checkInteger(path, value);
  if (number < least || number > most) {
    throw new InvalidArgumentError(path, `must lie between ${least} and ${most}`);
  }
  return number;
}

/** An object argument: a record, of any class of the caller's. */
export function checkObject(path: string, value: unknown): Readonly<Record<string, unknown>> {
  // Asking a revoked proxy whether it is an array throws.
  if (typeof value !== 'object' || value === null || reading(path, () => Array.isArray(value))) {
    throw new InvalidArgumentError(path, 'must be an object');
  }
  if (isBuiltIn(value)) throw new InvalidArgumentError(path, 'must be an object with members');
  return value as Readonly<Record<string, unknown>>;
}

/**
 * What is made of each element of an array argument, which is read once. A hole is undefined; what is refused ends it:
 * an array of nothing may say any length.
 */
export function checkEach<T>(path: string, value: unknown, make: (element: unknown, at: number) => T): T[] {
  const length = reading(path, () => (Array.isArray(value) ? value.length : undefined));
  if (length === undefined) throw new InvalidArgumentError(path, 'must be an array');
  const list = value as readonly unknown[];
  const made: T[] = [];
  for (let at = 0; at < length; at += 1) {
    const element = reading(path, () => list[at]);
    made.push(make(element, at));
  }
  return made;
}

/** An object of which every member may be absent: one that has none because it is something else is refused. */
export function checkPlain(path: string, value: unknown): Readonly<Record<string, unknown>> {
  const given = checkObject(path, value);
  if (reading(path, () => saysSomething(given))) return given;
  throw new InvalidArgumentError(path, 'must be a plain object');
}

/** All names of an options object: one that is forgotten does not compile. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/** An options argument, which may have no others than `names`; absent = none. Read once, as `checkFilter` does. */
export function checkOptions(
  value: unknown,
  names: Readonly<Record<string, true>>,
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  const given = checkPlain('options', value);
  return reading('options', () => membersOf('', given, names));
}

/** A filter argument: a misspelt member would let everything through. */
export function checkFilter(
  value: unknown,
  names: Readonly<Record<string, true>>,
): Readonly<Record<string, unknown>> {
  return checkMembers('filter', value, names);
}

/** An object inside an argument, or a policy: all that its members may be. */
export function checkMembers(
  path: string,
  value: unknown,
  names: Readonly<Record<string, true>>,
): Readonly<Record<string, unknown>> {
  const given = checkPlain(path, value);
  return reading(path, () => membersOf(path, given, names));
}

function membersOf(
  path: string,
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, true>>,
): Readonly<Record<string, unknown>> {
  checkNames(path, given, names);
  return Object.fromEntries(Object.keys(names).map((name) => [name, given[name]]));
}

/**
 * Refuses a member that is none of the `names`: a misspelt option would change nothing, in silence. One that is
 * undefined is absent. `path`: of the object, where it is inside another.
 */
export function checkNames(
  path: string,
  given: object,
  names: Readonly<Record<string, true>>,
  facts?: ErrorFacts,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const at = `${path === '' ? '' : `${path}.`}${brief(name)}`;
    throw new InvalidArgumentError(at, `is not known; known are ${Object.keys(names).join(', ')}`, facts);
  }
}

/** Code points of a caller's text that a message shows. */
const SHOWN = 64;

/** The beginning of a text, for a message. */
export function brief(text: string): string {
  return longerThan(text, SHOWN) ? `${[...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('')}…` : text;
}
