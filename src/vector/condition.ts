import type { Node, Path, Sign } from './filter.ts';

/** The verbs of an engine: SQL that is true or false, never null. */
export interface FilterSql {
  among(path: Path, texts: readonly string[]): string;
  compare(path: Path, sign: Sign, value: string | number): string;
  contains(path: Path, text: string): string;
  exists(path: Path): string;
}

/** So many conditions stand in one row: SQLite takes a row of n for a tree n deep, and no tree deeper than 1000. */
const IN_A_ROW = 16;

function joined(conditions: readonly string[], word: 'and' | 'or'): string {
  if (conditions.length <= IN_A_ROW) return `(${conditions.join(` ${word} `)})`;
  const half = conditions.length >> 1;
  return `(${joined(conditions.slice(0, half), word)} ${word} ${joined(conditions.slice(half), word)})`;
}

/** A filter as SQL; values become parameters in the order of the text. */
export function conditionOf(node: Node, sql: FilterSql): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      if (node.nodes.length === 0) return node.kind === 'and' ? 'true' : 'false';
      return joined(
        node.nodes.map((one) => conditionOf(one, sql)),
        node.kind,
      );
    case 'not':
      return `(not ${conditionOf(node.node, sql)})`;
    case 'among':
      return sql.among(node.path, node.texts);
    case 'compare':
      return sql.compare(node.path, node.sign, node.value);
    case 'contains':
      return sql.contains(node.path, node.text);
    case 'exists':
      return sql.exists(node.path);
  }
}
