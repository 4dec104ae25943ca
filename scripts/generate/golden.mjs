// What each built-in migration leaves, by language: for Postgres and SQLite the embedded engine is migrated step by step and
// its catalog is read by the code that `verify` reads it with; MySQL has no embedded engine, so there the text is read.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { applyMysql } from './golden-mysql.mjs';

/** @typedef {import('../../src/migrate/catalog/shape.ts').Shape} Shape */
/** @typedef {import('../../src/migrate/catalog/expected.ts').GoldenStep} GoldenStep */
/** @typedef {Record<string, Shape>} States the whole shape after each step, in order */

const LOG = 'log';
const EMPTY = { tables: [], functions: [] };

/** The sources that a walk needs, as one module. */
const ENTRY = `
export { openConnection } from './src/drivers/open.ts';
export { migratorOn } from './src/migrate/migrator.ts';
export { postgresShape } from './src/migrate/catalog/postgres.ts';
export { sqliteShape } from './src/migrate/catalog/sqlite.ts';
export { LOG_TEXTS } from './src/migrate/log-texts.ts';
export { statement } from './src/sql/statement.ts';
`;

/**
 * What is being written may not be there yet, or be wrong; nothing of a walk needs it.
 * @type {import('esbuild').Plugin}
 */
const WITHOUT_GOLDEN = {
  name: 'without golden',
  setup({ onLoad }) {
    onLoad({ filter: /\/golden\.ts$/ }, () => ({ contents: 'export const GOLDEN = {};', loader: 'ts' }));
  },
};

/** @param {string} root @returns {Promise<Map<string, string>>} path → text */
export async function golden(root) {
  const folder = await mkdtemp(join(root, 'node_modules/.chronos-golden-'));
  try {
    const outfile = join(folder, 'sources.mjs');
    await build({
      stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      packages: 'external',
      plugins: [WITHOUT_GOLDEN],
      platform: 'node',
      format: 'esm',
    });
    const sources = await import(pathToFileURL(outfile).href);
    const names = await migrationsOf(root, 'postgres');
    const languages = {
      postgres: deltas(await walkPostgres(sources, names)),
      mysql: deltas(await readMysql(sources, root)),
      sqlite: deltas(await walkSqlite(sources, names)),
    };
    return new Map([['src/migrate/catalog/golden.ts', moduleOf(languages)]]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string} root @param {string} language @returns {Promise<string[]>} `NNNN_name`, in order */
async function migrationsOf(root, language) {
  const files = await readdir(join(root, 'migrations', language));
  return files
    .filter((name) => name.endsWith('.up.sql'))
    .map((name) => name.slice(0, -'.up.sql'.length))
    .sort();
}

/** @param {Record<string, any>} sources @param {string[]} names @returns {Promise<States>} */
function walkPostgres(sources, names) {
  return walk(sources, names, 'pglite:memory', async (connection) => {
    const list = async (/** @type {string} */ text) =>
      (await connection.rows(sources.statement('golden.list', text), {})).map(
        (/** @type {any} */ row) => row.name,
      );
    return sources.postgresShape(connection, 'chronos', {
      tables: await list(
        `select relname as name from pg_class where relnamespace = 'chronos'::regnamespace and relkind = 'r'`,
      ),
      functions: await list(
        `select proname as name from pg_proc where pronamespace = 'chronos'::regnamespace`,
      ),
    });
  });
}

/** @param {Record<string, any>} sources @param {string[]} names @returns {Promise<States>} */
function walkSqlite(sources, names) {
  return walk(sources, names, 'sqlite::memory:', async (connection) => {
    const text = `select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`;
    const rows = await connection.rows(sources.statement('golden.list', text), {});
    return sources.sqliteShape(
      connection,
      rows.map((/** @type {any} */ row) => row.name),
    );
  });
}

/**
 * @param {Record<string, any>} sources
 * @param {string[]} names
 * @param {string} target
 * @param {(connection: any) => Promise<Shape>} read
 * @returns {Promise<States>}
 */
async function walk({ openConnection, migratorOn }, names, target, read) {
  const connection = await openConnection(target);
  const migrator = migratorOn(connection);
  try {
    /** @type {States} */
    const states = {};
    for (const name of names) {
      await migrator.up({ to: name });
      states[name] = await read(connection);
    }
    // The log is made with the first migration and stays.
    const log =
      states[names[0] ?? '']?.tables.filter((table) => table.name === 'chronos_migration_log') ?? [];
    return { [LOG]: { tables: log, functions: [] }, ...states };
  } finally {
    await connection.close();
  }
}

/** @param {Record<string, any>} sources @param {string} root @returns {Promise<States>} */
async function readMysql({ LOG_TEXTS }, root) {
  let tables = applyMysql(new Map(), LOG_TEXTS.mysql.create.replace('{{log}}', 'chronos_migration_log'));
  const shape = () => ({
    tables: [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    functions: [],
  });
  /** @type {States} */
  const states = { [LOG]: shape() };
  for (const name of await migrationsOf(root, 'mysql')) {
    tables = applyMysql(tables, await readFile(join(root, 'migrations/mysql', `${name}.up.sql`), 'utf8'));
    states[name] = shape();
  }
  return states;
}

/** @param {States} states @returns {Record<string, GoldenStep>} */
function deltas(states) {
  /** @type {Record<string, GoldenStep>} */
  const steps = {};
  /** @type {Shape} */
  let before = EMPTY;
  for (const [name, now] of Object.entries(states)) {
    const left = [...now.tables, ...now.functions].map((thing) => thing.name);
    steps[name] = {
      tables: fresh(before.tables, now.tables),
      functions: fresh(before.functions, now.functions),
      gone: [...before.tables, ...before.functions]
        .map((thing) => thing.name)
        .filter((each) => !left.includes(each)),
    };
    before = now;
  }
  return steps;
}

/** @template {{ name: string }} T @param {readonly T[]} before @param {readonly T[]} now @returns {T[]} */
function fresh(before, now) {
  return now.filter(
    (thing) =>
      !isDeepStrictEqual(
        thing,
        before.find(({ name }) => name === thing.name),
      ),
  );
}

/** @param {Record<string, Record<string, GoldenStep>>} languages */
function moduleOf(languages) {
  return [
    '// Written by `npm run generate` from migrations/; do not edit.',
    "import type { Language } from '../../sql/dialect-name.ts';",
    "import type { GoldenStep } from './expected.ts';",
    '',
    '/** Language → `log` or a migration → what it leaves. */',
    `export const GOLDEN: Readonly<Record<Language, Readonly<Record<string, GoldenStep>>>> = ${literal(languages, '')};`,
    '',
  ].join('\n');
}

/** JSON with a line for whatever fits on one. @param {unknown} value @param {string} indent @returns {string} */
function literal(value, indent) {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= 200) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((item) => `${inner}${literal(item, inner)},`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${literal(item, inner)},`);
  return [isList ? '[' : '{', ...lines, `${indent}${isList ? ']' : '}'}`].join('\n');
}
