import { InvalidArgumentError } from '../errors.ts';

/** The deepest nesting that a JSON field may have. */
export const GREATEST_DEPTH = 1000;

/** Why a value cannot be written as JSON, and where. */
interface Fault {
  readonly path: string;
  readonly problem: string;
}

/**
 * The JSON text of a value as `JSON.stringify` writes it. A value that has none (a BigInt, a cycle, undefined at
 * the top) or is nested too deeply is refused with the path of what is at fault.
 */
export function jsonText(path: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    const fault = whereIn(path, value) ?? { path, problem: 'cannot be written as JSON' };
    throw new InvalidArgumentError(fault.path, fault.problem, { cause });
  }
  if (text === undefined) {
    throw new InvalidArgumentError(path, value === undefined ? 'is required' : 'has no JSON form');
  }
  // A text this short has no room for so many pairs of brackets.
  if (text.length > 2 * GREATEST_DEPTH && deeperThan(text, GREATEST_DEPTH)) throw tooDeep(path);
  return text;
}

const TOO_DEEP = `must be nested at most ${GREATEST_DEPTH} levels deep`;

function tooDeep(path: string): InvalidArgumentError {
  return new InvalidArgumentError(path, TOO_DEEP);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function deeperThan(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

interface Place {
  /** The field itself. */
  readonly root: string;
  readonly path: string;
  readonly key: string;
  /** The objects around it, outermost first. */
  readonly above: readonly unknown[];
}

function whereIn(path: string, value: unknown): Fault | undefined {
  try {
    return findFault({ root: path, path, key: '', above: [] }, value);
  } catch {
    // A proxy that does not let itself be looked at.
    return undefined;
  }
}

/** Walks as `JSON.stringify` does, only after it threw, to say where. */
function findFault(place: Place, given: unknown): Fault | undefined {
  const { root, path, above } = place;
  let value: unknown;
  try {
    value = ownForm(place.key, given);
  } catch {
    return { path, problem: 'its toJSON method threw' };
  }
  if (typeof value === 'bigint') return { path, problem: 'is a BigInt, which JSON has no form for' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return { path, problem: 'is a cycle: it holds itself' };
  if (above.length >= GREATEST_DEPTH) return { path: root, problem: TOO_DEEP };
  return findFaultInside(place, value);
}

function findFaultInside({ root, path, above }: Place, value: object): Fault | undefined {
  const inside = [...above, value];
  for (const key of membersOf(value)) {
    const place = { root, path: pathOf(path, key, Array.isArray(value)), key, above: inside };
    let member: unknown;
    try {
      member = Reflect.get(value, key);
    } catch {
      return { path: place.path, problem: 'reading it threw' };
    }
    const fault = findFault(place, member);
    if (fault) return fault;
  }
  return undefined;
}

function ownForm(key: string, value: unknown): unknown {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'bigint') return value;
  const { toJSON } = value as { toJSON?: unknown };
  const form: unknown = typeof toJSON === 'function' ? toJSON.call(value, key) : value;
  return form instanceof BigInt ? form.valueOf() : form;
}

function membersOf(value: object): readonly string[] {
  return Array.isArray(value) ? Array.from(value, (_, index) => String(index)) : Object.keys(value);
}

function pathOf(path: string, member: string, inArray: boolean): string {
  if (inArray) return `${path}[${member}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(member)
    ? `${path}.${member}`
    : `${path}[${JSON.stringify(member)}]`;
}
