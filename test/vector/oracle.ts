import type { Filter } from '../../src/index.ts';

/** A row as a case keeps it beside the store. */
export interface Kept {
  readonly id: string;
  readonly vector: readonly number[];
  readonly metadata?: unknown;
}

interface Asked {
  readonly filter: Filter | undefined;
  readonly query: readonly number[];
  readonly topK: number;
  readonly metric: 'l2' | 'ip';
}

type Plain = Readonly<Record<string, unknown>>;

const bytes = (text: string) => Buffer.from(text);

/** The nearest rows by the words of the contract, without any of the library's code. */
export function nearest(rows: readonly Kept[], { filter, query, topK, metric }: Asked) {
  return rows
    .filter(({ metadata }) => filter === undefined || holds(filter, metadata))
    .map(({ id, vector }) => ({ id, score: scoreOf(metric, query, vector) }))
    .sort((a, b) => b.score - a.score || Buffer.compare(bytes(a.id), bytes(b.id)))
    .slice(0, topK);
}

function scoreOf(metric: Asked['metric'], a: readonly number[], b: readonly number[]): number {
  const pairs = a.map((one, i) => [one, b[i]!] as const);
  if (metric === 'ip') return pairs.reduce((sum, [x, y]) => sum + x * y, 0);
  return 1 / (1 + Math.sqrt(pairs.reduce((sum, [x, y]) => sum + (x - y) ** 2, 0)));
}

function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function holds(filter: unknown, metadata: unknown): boolean {
  return Object.entries(filter as Plain).every(([key, condition]) => {
    if (key === '$and') return (condition as unknown[]).every((one) => holds(one, metadata));
    if (key === '$or') return (condition as unknown[]).some((one) => holds(one, metadata));
    if (key === '$not') return !holds(condition, metadata);
    let value: unknown = metadata;
    for (const name of key.split('.')) value = isObject(value) ? value[name] : undefined;
    return meets(condition, value);
  });
}

function meets(condition: unknown, value: unknown): boolean {
  const operators = isObject(condition) ? Object.keys(condition).filter((one) => one.startsWith('$')) : [];
  if (operators.length === 0) return same(condition, value);
  return operators.every((word) => operator(word, (condition as Plain)[word], value));
}

function operator(word: string, operand: unknown, value: unknown): boolean {
  switch (word) {
    case '$eq':
      return same(operand, value);
    case '$ne':
      return !same(operand, value);
    case '$in':
      return (operand as unknown[]).some((one) => same(one, value));
    case '$nin':
      return !(operand as unknown[]).some((one) => same(one, value));
    case '$exists':
      return (value !== undefined) === operand;
    case '$contains':
      return Array.isArray(value) && value.some((one) => same(operand, one));
    case '$not':
      return !meets(operand, value);
    default:
      return ordered(word, operand, value);
  }
}

function ordered(word: string, operand: unknown, value: unknown): boolean {
  let order: number;
  if (typeof value === 'number' && typeof operand === 'number') order = value - operand;
  else if (typeof value === 'string' && typeof operand === 'string') {
    order = Buffer.compare(bytes(value), bytes(operand));
  } else return false;
  if (word.endsWith('e') && order === 0) return true;
  return word.startsWith('$gt') ? order > 0 : order < 0;
}

/** Equal as JSON values, whatever the order of keys. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => same(one, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}
