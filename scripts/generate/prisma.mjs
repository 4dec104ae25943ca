import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const SOURCE = 'prisma/schema.prisma';

/**
 * @typedef {object} Variant
 * @property {string} path
 * @property {string} provider
 * @property {readonly string[]} notes lines of the head
 * @property {(line: string, max: string | undefined) => string} native the native type of a field, or ''
 */

/** @type {readonly Variant[]} */
const VARIANTS = [
  {
    path: 'prisma/schema.mysql.prisma',
    provider: 'mysql',
    notes: [
      'For MySQL and MariaDB. JSON fields stand on LONGTEXT columns, where values come back as they were written.',
    ],
    native: mysqlType,
  },
  {
    path: 'prisma/schema.sqlite.prisma',
    provider: 'sqlite',
    notes: [
      'Times are integers: the adapter needs `timestampFormat: "unixepoch-ms"`. With its default format the STRICT tables',
      'refuse every write, and filters on times match nothing, without an error.',
    ],
    native: () => '',
  },
];

/**
 * The MySQL and SQLite variants of prisma/schema.prisma.
 *
 * @param {string} root the repository
 * @returns {Promise<Map<string, string>>} path → text
 */
export async function prismaVariants(root) {
  const source = (await readFile(resolve(root, SOURCE), 'utf8')).replace(/\r\n/g, '\n');
  return new Map(VARIANTS.map((variant) => [variant.path, derive(source, variant)]));
}

/** @param {string} source @param {Variant} variant */
function derive(source, variant) {
  const body = source.slice(source.search(/^datasource /m));
  const head = ['Derived from schema.prisma by `npm run generate`: edit that one.', ...variant.notes];
  /** @type {string[]} */
  const lines = [];
  /** @type {string | undefined} the "At most n" of the comment above a field */
  let max;
  for (const line of body.split('\n')) {
    // Other providers have no schemas.
    if (/^\s*(@@schema\(|schemas\s*=)/.test(line)) continue;
    lines.push(line.trimStart().startsWith('///') ? line : convert(line, max, variant));
    max = /^\s*\/\/\/.*At most (\d+)\./.exec(line)?.[1];
  }
  return [...head.map((line) => `// ${line}`), '', ...align(lines)].join('\n');
}

/** @param {string} line @param {string | undefined} max @param {Variant} variant */
function convert(line, max, { provider, native }) {
  return (
    line
      .replace(/^(\s*provider\s*= )"\w+"/, `$1"${provider}"`)
      // A primary key has no name of its own on MySQL and SQLite.
      .replace(/(@@id\(\[[^\]]*\]), map: "[^"]*"\)/, '$1)')
      .replace(/@id\(map: "[^"]*"\)/, '@id')
      .replace(/\s*@db\.\w+(\(\d+\))?/, '') + native(line, max)
  );
}

/** @param {string} line @param {string | undefined} max */
function mysqlType(line, max) {
  if (max !== undefined) return ` @db.VarChar(${max})`;
  return /@db\.Timestamptz/.test(line) ? ' @db.DateTime(3)' : '';
}

const FIELD = /^ {2}(\w+)\s+([A-Z][\w?[\]]*)\s*(@.*)?$/;

/** Lines up types and attributes inside each run of fields, as `prisma format` does. @param {string[]} lines */
function align(lines) {
  /** @type {string[][]} */
  const runs = [[]];
  for (const line of lines) {
    if (FIELD.test(line) || line.startsWith('  ///')) runs.at(-1)?.push(line);
    else runs.push([line], []);
  }
  return runs.flatMap(alignRun);
}

/** @param {string[]} run */
function alignRun(run) {
  const fields = run.map((line) => FIELD.exec(line));
  const width = (/** @type {1 | 2} */ part) =>
    Math.max(0, ...fields.map((field) => field?.[part]?.length ?? 0));
  const [name, type] = [width(1), width(2)];
  return run.map((line, at) => {
    const field = fields[at];
    if (!field) return line;
    return `  ${field[1]?.padEnd(name)} ${field[2]?.padEnd(type)} ${field[3] ?? ''}`.trimEnd();
  });
}
