import { InvalidArgumentError } from '../errors.ts';
import { checkObject, checkPlain, hasLoneSurrogate } from '../model/check.ts';
import { jsonText } from '../model/json.ts';
import { reading } from '../model/objects.ts';
import type { Json } from './types.ts';

/** A JSON value with its keys in one order. */
function inOrder(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(inOrder);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}

/** `Array.isArray` for a readonly array, which it does not tell from an object. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text of a JSON value, the same for all equal ones. */
export function canonical(value: Json): string {
  return JSON.stringify(inOrder(value));
}

/** Refuses NUL and lone surrogates: no engine takes them in JSON that it can look into. */
export function checkStorable(path: string, text: string): void {
  if (text.includes('\0')) throw new InvalidArgumentError(path, 'must not hold NUL (U+0000)');
  if (hasLoneSurrogate(text)) throw new InvalidArgumentError(path, 'must not hold a lone surrogate');
}

function checkTexts(path: string, value: Json): void {
  if (typeof value === 'string') checkStorable(path, value);
  else if (isList(value)) for (const one of value) checkTexts(path, one);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      checkStorable(path, key);
      checkTexts(path, one);
    }
  }
}

/** The escapes that `JSON.stringify` writes of them, or text that looks like these. */
const SUSPECT = /\\u(0000|d[89a-f])/;

/** The JSON text of a value, without what no engine can store in JSON. */
function storableText(path: string, value: unknown): string {
  const text = jsonText(path, value);
  if (SUSPECT.test(text)) checkTexts(path, JSON.parse(text) as Json);
  return text;
}

/** A value as JSON has it: what `toJSON` makes of it, without members that are undefined. */
export function asJson(path: string, value: unknown): Json {
  return JSON.parse(storableText(path, value)) as Json;
}

/** The metadata of an embedding as JSON text; absent = null. */
export function metadataText(path: string, value: unknown): string | null {
  if (value === undefined) return null;
  const given = checkObject(path, value);
  // What says by toJSON what it holds may have no members.
  if (typeof reading(path, () => given.toJSON) !== 'function') checkPlain(path, given);
  const text = storableText(path, given);
  // An object whose toJSON gives something else.
  if (!text.startsWith('{')) checkObject(path, JSON.parse(text));
  return text;
}

/** JSON text as {@link canonical} writes it. */
export function canonicalText(text: string): string {
  return canonical(JSON.parse(text) as Json);
}
