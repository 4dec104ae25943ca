import { types } from 'node:util';
import { InvalidArgumentError } from '../errors.ts';
import { checkEach, checkPlain } from '../model/check.ts';
import { isBuiltIn, reading } from '../model/objects.ts';
import { asJson, canonical, checkStorable } from './metadata.ts';
import type { Json } from './types.ts';

/** How a value compares to another of its type. */
export type Sign = '>' | '>=' | '<' | '<=';

/**
 * A filter as one tree of what every engine can say. Each leaf is true or false, never unknown:
 *
 * | at the path | among | compare | contains | exists |
 * |---|---|---|---|---|
 * | nothing | false | false | false | false |
 * | an equal value (objects whatever the order of their keys) | true | by sign | false | true |
 * | another string or number, against one of its type | false | by sign | false | true |
 * | a value of another type: they never convert | false | false | false | true |
 * | an array | true if equal as a whole | false | true if it has an equal element | true |
 *
 * `$ne` and `$nin` are `not` around it, so they are true where there is nothing.
 */
export type Node =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly Node[] }
  | { readonly kind: 'not'; readonly node: Node }
  | { readonly kind: 'among'; readonly path: Path; readonly texts: readonly string[] }
  | { readonly kind: 'compare'; readonly path: Path; readonly sign: Sign; readonly value: string | number }
  | { readonly kind: 'contains'; readonly path: Path; readonly text: string }
  | { readonly kind: 'exists'; readonly path: Path };

/** Names of members, from the outermost object in. */
export type Path = readonly string[];

/** Nodes, and levels, that a filter may have: what the engines' own parsers bear with room to spare. */
const NODES = 1000;
const LEVELS = 50;
/** Names in one path, for the engines' stacks (PGlite's ends before 1000), and in all: a server takes 65 535 values. */
const NAMES = 100;
const ALL_NAMES = 10_000;

const SIGNS: Readonly<Record<string, Sign>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

/** Everything passes. */
export const ALL: Node = Object.freeze({ kind: 'and', nodes: Object.freeze([]) });

/** A filter as given, checked; absent = all. */
export function parseFilter(given: unknown): Node {
  if (given === undefined) return ALL;
  const node = reading('filter', () => filterNode('filter', given, 0));
  if (size(node) > NODES) throw new InvalidArgumentError('filter', `has more than ${NODES} conditions`);
  if (names(node) > ALL_NAMES) {
    throw new InvalidArgumentError('filter', `has more than ${ALL_NAMES} names in its paths`);
  }
  return node;
}

/** Rows whose metadata holds this text at this path. */
export function equals(path: string, value: string): Node {
  checkLength('path', path);
  return { kind: 'among', path: pathOf('path', path), texts: [canonical(value)] };
}

function size(node: Node): number {
  if (node.kind === 'not') return 1 + size(node.node);
  if (node.kind !== 'and' && node.kind !== 'or') return 1;
  return node.nodes.reduce((sum, one) => sum + size(one), 1);
}

function names(node: Node): number {
  if (node.kind === 'not') return names(node.node);
  if ('path' in node) return node.path.length;
  return node.nodes.reduce((sum, one) => sum + names(one), 0);
}

/** Refuses a path that is longer than the engines bear. */
function checkLength(argument: string, key: string): void {
  // A text this short has no room for so many names.
  if (key.length < NAMES || key.split('.', NAMES + 1).length <= NAMES) return;
  throw new InvalidArgumentError(argument, `has a path of more than ${NAMES} names`);
}

function filterNode(at: string, given: unknown, level: number): Node {
  if (level > LEVELS) throw new InvalidArgumentError('filter', `is nested deeper than ${LEVELS} levels`);
  const members = Object.entries(checkPlain(at, given));
  return all(members.map(([key, value]) => memberNode(at, key, value, level)));
}

function all(nodes: readonly Node[]): Node {
  return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'and', nodes };
}

function memberNode(at: string, key: string, value: unknown, level: number): Node {
  checkLength('filter', key);
  const inside = `${at}.${key}`;
  if (!key.startsWith('$')) return conditionNode(inside, pathOf(inside, key), value, level);
  if (key === '$not') return { kind: 'not', node: filterNode(inside, value, level + 1) };
  if (key !== '$and' && key !== '$or') throw unknownOperator(inside);
  const nodes = checkEach(inside, value, (one, at) => filterNode(`${inside}[${at}]`, one, level + 1));
  return { kind: key === '$and' ? 'and' : 'or', nodes };
}

function pathOf(at: string, key: string): Path {
  checkStorable(at, key);
  return key.split('.');
}

/** A value to equal, or an object of operators. */
function conditionNode(at: string, path: Path, given: unknown, level: number): Node {
  if (level > LEVELS) throw new InvalidArgumentError('filter', `is nested deeper than ${LEVELS} levels`);
  const operators = operatorsOf(at, given);
  if (operators === undefined) return among(path, [jsonOf(at, given)]);
  return all(operators.map(([word, value]) => operatorNode(`${at}.${word}`, path, [word, value], level)));
}

function operatorsOf(at: string, given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const members = Object.entries(given);
  const words = members.filter(([key]) => key.startsWith('$'));
  if (words.length === 0) return undefined;
  if (words.length < members.length) {
    throw new InvalidArgumentError(at, 'mixes operators with members of a value');
  }
  return members;
}

function operatorNode(at: string, path: Path, [word, value]: [string, unknown], level: number): Node {
  switch (word) {
    case '$eq':
      return among(path, [jsonOf(at, value)]);
    case '$ne':
      return not(among(path, [jsonOf(at, value)]));
    case '$in':
      return among(path, listOf(at, value));
    case '$nin':
      return not(among(path, listOf(at, value)));
    case '$contains':
      return { kind: 'contains', path, text: canonical(jsonOf(at, value)) };
    case '$exists':
      if (typeof value !== 'boolean') throw new InvalidArgumentError(at, 'must be true or false');
      return value ? { kind: 'exists', path } : not({ kind: 'exists', path });
    case '$not':
      return not(conditionNode(at, path, value, level + 1));
    default:
      return compareNode(at, path, word, value);
  }
}

function compareNode(at: string, path: Path, word: string, given: unknown): Node {
  const sign = Object.hasOwn(SIGNS, word) ? SIGNS[word] : undefined;
  if (sign === undefined) throw unknownOperator(at);
  const value = jsonOf(at, given);
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new InvalidArgumentError(at, 'must be a string or a number');
  }
  return { kind: 'compare', path, sign, value };
}

function among(path: Path, values: readonly Json[]): Node {
  return { kind: 'among', path, texts: values.map(canonical) };
}

function not(node: Node): Node {
  return { kind: 'not', node };
}

function listOf(at: string, given: unknown): readonly Json[] {
  return checkEach(at, given, (one, i) => jsonOf(`${at}[${i}]`, one));
}

/**
 * A value as JSON. What JSON writes as null, or as an object without members, without being it is refused: it would find
 * the rows that hold these.
 */
function jsonOf(at: string, given: unknown): Json {
  const json = asJson(at, given);
  JSON.stringify(given, function (this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidArgumentError(at, 'must not be or hold NaN or an infinity: JSON has none');
    }
    if (value === null && types.isDate(this[key])) {
      throw new InvalidArgumentError(at, 'must not be or hold an invalid Date');
    }
    if (typeof value === 'object' && value !== null && isBuiltIn(value) && !types.isBoxedPrimitive(value)) {
      throw new InvalidArgumentError(
        at,
        'must not be or hold a Map, a Set or the like: JSON has no form for it',
      );
    }
    return value;
  });
  return json;
}

function unknownOperator(at: string): InvalidArgumentError {
  return new InvalidArgumentError(at, 'is no operator that is known');
}
