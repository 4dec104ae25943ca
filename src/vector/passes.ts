import type { Node, Path, Sign } from './filter.ts';
import { canonical, isList } from './metadata.ts';
import type { Json } from './types.ts';

/** Whether metadata passes: what the SQL says, for rows that are here. */
export function passes(node: Node, metadata: Json | undefined): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((one) => passes(one, metadata));
    case 'or':
      return node.nodes.some((one) => passes(one, metadata));
    case 'not':
      return !passes(node.node, metadata);
    default:
      return leafPasses(node, valueAt(metadata, node.path));
  }
}

type Leaf = Exclude<Node, { kind: 'and' | 'or' | 'not' }>;

function leafPasses(node: Leaf, value: Json | undefined): boolean {
  if (value === undefined) return false;
  switch (node.kind) {
    case 'among':
      return node.texts.includes(canonical(value));
    case 'contains':
      return isList(value) && value.some((one) => canonical(one) === node.text);
    case 'compare':
      return typeof value === typeof node.value && compares(value as string | number, node.sign, node.value);
    case 'exists':
      return true;
  }
}

function compares(value: string | number, sign: Sign, other: string | number): boolean {
  const order =
    typeof value === 'string'
      ? Buffer.compare(Buffer.from(value), Buffer.from(String(other)))
      : value - Number(other);
  if (order === 0) return sign === '>=' || sign === '<=';
  return order > 0 === sign.startsWith('>');
}

function valueAt(metadata: Json | undefined, path: Path): Json | undefined {
  let value = metadata;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || isList(value)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[name];
  }
  return value;
}
