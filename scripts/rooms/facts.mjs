// What one source file reaches for, read from its syntax tree: imports of every form, globals, words.
import { parseSync } from 'vite';

/**
 * @typedef {object} Import
 * @property {string | undefined} specifier undefined = computed, nobody can tell
 * @property {'static' | 'dynamic' | 'type' | 'require'} how
 * @property {number} line
 */
/**
 * @typedef {object} Facts
 * @property {Import[]} imports
 * @property {{ name: string, member: string | undefined, line: number }[]} globals `process.env` → process, env
 * @property {{ word: string, line: number }[]} strings
 * @property {number[]} topLevelAwaits lines
 */
/** @typedef {{ type: string, start: number } & Record<string, unknown>} Node */

/** Names that reach beyond a file without an import. */
const GLOBALS = new Set(['process', 'console', 'require', 'global', 'eval', 'Function']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * @param {string} file
 * @param {string} text
 * @returns {Facts}
 */
export function factsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  /** @type {Facts} */
  const facts = { imports: [], globals: [], strings: [], topLevelAwaits: [] };
  visit(
    /** @type {Node} */ (/** @type {unknown} */ (program)),
    undefined,
    '',
    0,
    (node, parent, key, depth) => {
      const line = text.slice(0, node.start).split('\n').length;
      readImport(node, line, facts);
      readGlobal(node, parent, key, line, facts);
      const word = constant(node);
      if (word !== undefined) facts.strings.push({ word, line });
      const awaits =
        node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true);
      if (awaits && depth === 0) facts.topLevelAwaits.push(line);
    },
  );
  return facts;
}

/**
 * @param {Node} node
 * @param {Node | undefined} parent
 * @param {string} key
 * @param {number} depth functions around it
 * @param {(node: Node, parent: Node | undefined, key: string, depth: number) => void} see
 */
function visit(node, parent, key, depth, see) {
  see(node, parent, key, depth);
  const inside = FUNCTIONS.has(node.type) ? depth + 1 : depth;
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, node, name, inside, see);
    }
  }
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/**
 * @param {Node} node
 * @param {number} line
 * @param {Facts} facts
 */
function readImport(node, line, facts) {
  const specifier = isNode(node.source) ? constant(node.source) : undefined;
  switch (node.type) {
    case 'ImportDeclaration':
      // `import { type X }` keeps the import at run time (verbatimModuleSyntax); `import type` does not.
      facts.imports.push({ specifier, how: node.importKind === 'type' ? 'type' : 'static', line });
      break;
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      if (!isNode(node.source)) break;
      facts.imports.push({ specifier, how: node.exportKind === 'type' ? 'type' : 'static', line });
      break;
    case 'ImportExpression':
      facts.imports.push({ specifier, how: 'dynamic', line });
      break;
    case 'TSImportType':
      facts.imports.push({ specifier, how: 'type', line });
      break;
    case 'TSExternalModuleReference': {
      const required = isNode(node.expression) ? constant(node.expression) : undefined;
      facts.imports.push({ specifier: required, how: 'require', line });
    }
  }
}

/**
 * @param {Node} node
 * @param {Node | undefined} parent
 * @param {string} key
 * @param {number} line
 * @param {Facts} facts
 */
function readGlobal(node, parent, key, line, facts) {
  if (node.type !== 'Identifier' || typeof node.name !== 'string') return;
  const member = parent?.type === 'MemberExpression' ? parent : undefined;
  if (node.name === 'globalThis') {
    // `globalThis.process` is `process`; used whole, or by a computed name, it is anything.
    const name = member === undefined ? undefined : memberName(member);
    if (name === undefined || GLOBALS.has(name))
      facts.globals.push({ name: name ?? 'globalThis', member: undefined, line });
    return;
  }
  const named = parent?.computed !== true && (key === 'property' || key === 'key');
  if (!GLOBALS.has(node.name) || named) return;
  const used = member !== undefined && key === 'object' ? memberName(member) : undefined;
  facts.globals.push({ name: node.name, member: used, line });
}

/** @param {Node} member */
function memberName(member) {
  const { property } = member;
  if (!isNode(property)) return undefined;
  if (member.computed === true) return constant(property);
  return typeof property.name === 'string' ? property.name : undefined;
}

/**
 * The text of a string literal, or of a template without holes.
 * @param {Node} node
 * @returns {string | undefined}
 */
function constant(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1)
    return undefined;
  const [quasi] = node.quasis;
  const value = isNode(quasi) ? quasi.value : undefined;
  if (typeof value !== 'object' || value === null || !('cooked' in value)) return undefined;
  return typeof value.cooked === 'string' ? value.cooked : undefined;
}
