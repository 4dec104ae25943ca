// A service in one file, as esbuild makes it, in a folder where only SQLite's native driver is installed.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Consumer } from './consumer.mjs';
import { compare, PRINTED, program } from './uses.mjs';

/** What a bundle must leave out; the README prints the same list. */
export const EXTERNALS = [
  // Native.
  'better-sqlite3',
  // Drivers that are loaded when a target asks for them; one that is installed may be bundled.
  'pg',
  'mysql2',
  '@electric-sql/pglite',
  // knex asks for these and never gets that far.
  'mariadb',
  'mysql',
  'oracledb',
  'sqlite3',
  'tedious',
];

/** What {@link EXTERNALS} bundled needs beside it. */
const NATIVE = ['better-sqlite3', 'bindings', 'file-uri-to-path'];

/** CommonJS inside an ES module needs a `require`. */
const BANNER = {
  js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
};

/**
 * @param {Consumer} consumer where the package is installed
 * @param {string} folder for the bundles
 */
export async function bundles(consumer, folder) {
  /** @type {string[]} */
  const problems = [];
  const service = new Consumer(consumer.root, folder);
  mkdirSync(join(folder, 'node_modules'));
  for (const name of NATIVE) {
    cpSync(join(consumer.folder, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
    });
  }
  for (const format of /** @type {const} */ (['cjs', 'esm'])) {
    const file = `service.${format === 'cjs' ? 'cjs' : 'mjs'}`;
    const failures = await bundle(consumer, join(folder, file), format, EXTERNALS);
    problems.push(...failures);
    if (failures.length > 0) continue;
    const expected = { code: 0, stdout: PRINTED, stderr: '' };
    problems.push(...compare(`bundle (${format})`, service.run('node', file), expected));
  }
  for (const name of EXTERNALS.filter((external) => external !== 'better-sqlite3')) {
    const fewer = EXTERNALS.filter((external) => external !== name);
    const failures = await bundle(consumer, join(folder, 'fewer.cjs'), 'cjs', fewer);
    if (failures.length === 0) problems.push(`bundle: --external:${name} is not needed`);
  }
  return problems;
}

/**
 * @param {Consumer} consumer
 * @param {string} outfile
 * @param {'cjs' | 'esm'} format
 * @param {string[]} external
 * @returns {Promise<string[]>} errors and warnings
 */
async function bundle(consumer, outfile, format, external) {
  const contents = program(`import { openStorage } from 'chronos-storage';`, `service-${format}.db`);
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    stdin: { contents, resolveDir: consumer.folder },
    outfile,
    format,
    external,
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    ...(format === 'esm' ? { banner: BANNER } : {}),
  };
  try {
    const { warnings } = await build(options);
    return warnings.map(({ text }) => `bundle (${format}): ${text}`);
  } catch (error) {
    const errors = error instanceof Error && 'errors' in error ? error.errors : [error];
    return [`bundle (${format}): ${JSON.stringify(errors).slice(0, 500)}`];
  }
}

/** The README's list against ours. @param {string} root */
export function readmeProblems(root) {
  const printed = readFileSync(join(root, 'README.md'), 'utf8').matchAll(/--external:([@\w/-]+)/g);
  const names = new Set([...printed].map(([, name]) => name));
  return [
    ...EXTERNALS.filter((name) => !names.has(name)).map(
      (name) => `README.md does not print --external:${name}`,
    ),
    ...[...names]
      .filter((name) => !EXTERNALS.includes(name ?? ''))
      .map((name) => `README.md prints --external:${name}`),
  ];
}
