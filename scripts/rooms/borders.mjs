// The borders of the house, as rules over what a file reaches for. `src/`-relative paths; '' = no complaint.
/** @typedef {import('./facts.mjs').Facts} Facts */
/** @typedef {import('./facts.mjs').Import} Import */
/**
 * An import with where it leads: a file of ours, or a package.
 * @typedef {Import & { file?: string, package?: string }} Lead
 */
/** @typedef {{ file: string, line: number, problem: string }} Problem */

const DATABASE_PACKAGES =
  /^(pg|pg-.*|postgres|mysql2?|mariadb|better-sqlite3|sqlite3|sqlite-vec|node:sqlite|@electric-sql\/.*|@prisma\/.*)$/;
/** The other packages that a user has. */
const OWN_DEPENDENCIES = new Set(['knex', 'umzug']);
/** Loads what a host wrote, in TypeScript too. */
const CODE_FILES = 'migrate/code-files.ts';
const DIALECTS = /^(postgres|postgresql|pglite|mysql2?|mariadb|sqlite)$/;
/** Built-ins that touch nothing outside the process, by room. */
const PURE_BUILTINS = /^node:(async_hooks|buffer|crypto|util)$/;
const QUIET_BUILTINS = /^node:(async_hooks|buffer|crypto|util|timers|timers\/promises)$/;
/** @type {Readonly<Record<string, RegExp>>} */
const BUILTINS = {
  model: PURE_BUILTINS,
  sql: PURE_BUILTINS,
  repositories: QUIET_BUILTINS,
  retention: QUIET_BUILTINS,
  vector: QUIET_BUILTINS,
};
/** What of `process` is no input, no output and no end. */
const HARMLESS = new Set(['pid', 'platform', 'arch', 'version', 'versions', 'hrtime', 'nextTick', 'cwd']);
/** `migrate` writes down who ran it; `drivers` ask whether the process that left a lock file is alive. */
/** @type {Readonly<Record<string, ReadonlySet<string>>>} */
const MAY = {
  migrate: new Set([...HARMLESS, 'getuid', 'features']),
  drivers: new Set([...HARMLESS, 'kill']),
};

/** @param {string} file */
export function roomOf(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, '');
}

/** Which rooms a room may import, where it is told; `!` = as a type only. */
/** @type {Readonly<Record<string, readonly string[]>>} */
const SEES = {
  errors: [],
  model: ['model', 'errors'],
  sql: ['sql', 'model', 'errors', '!drivers/connection.ts'],
  repositories: ['repositories', 'sql', 'model', 'errors', '!drivers/connection.ts'],
  retention: ['retention', 'repositories', 'sql', 'model', 'errors', '!drivers/connection.ts'],
  vector: ['vector', 'repositories', 'sql', 'model', 'errors', '!drivers/connection.ts'],
};
/** What a room's front door for users shows beside what is in it. */
const SHOWS = new Set(['vector/index.ts open-vector-store.ts']);

/**
 * @param {string} file
 * @param {Lead} lead
 * @returns {string}
 */
export function importProblem(file, lead) {
  const room = roomOf(file);
  if (lead.specifier === undefined && room !== 'drivers' && file !== CODE_FILES)
    return 'a computed import cannot be checked or bundled';
  if (lead.specifier === undefined && file === CODE_FILES) return '';
  if (lead.how === 'require' && room !== 'drivers') return 'require in an ES module';
  if (lead.file !== undefined) return seesProblem(file, lead.file, lead.how);
  const name = lead.package ?? '';
  const builtin = name.startsWith('node:');
  if (room === 'errors') return `errors imports nothing, not ${name}`;
  if (builtin && BUILTINS[room]?.test(name) === false) return `${room} has no business with ${name}`;
  if (name === 'node:process' || name === 'node:console')
    return `use the global, which this script can follow, not ${name}`;
  if (name === 'knex' && room !== 'sql' && file !== 'migrate/knex-host.ts')
    return 'knex belongs to sql and migrate/knex-host.ts';
  if (name === 'umzug' && file !== 'migrate/run-steps.ts') return 'umzug belongs to migrate/run-steps.ts';
  if (name === 'jiti' && file === CODE_FILES) return '';
  if (DATABASE_PACKAGES.test(name) && room !== 'drivers') return `${name} belongs to drivers`;
  if (!builtin && ['model', 'repositories', 'retention', 'vector'].includes(room))
    return `${room} imports no package, not ${name}`;
  if (!builtin && !OWN_DEPENDENCIES.has(name) && !DATABASE_PACKAGES.test(name)) {
    return `${name} is no dependency of this package`;
  }
  return '';
}

/**
 * @param {string} file
 * @param {string} target
 * @param {Import['how']} how
 */
function seesProblem(file, target, how) {
  const room = roomOf(file);
  const sees = SEES[room];
  if (SHOWS.has(`${file} ${target}`)) return '';
  if (sees === undefined) {
    return room !== 'cli' && roomOf(target) === 'cli' ? 'only cli knows cli' : '';
  }
  if (sees.includes(roomOf(target)) || (how === 'type' && sees.includes(`!${target}`))) return '';
  return `${room} does not see ${target}${sees.includes(`!${target}`) ? ' but as a type' : ''}`;
}

/**
 * @param {string} file
 * @param {Facts} facts
 * @returns {{ line: number, problem: string }[]}
 */
export function globalProblems(file, facts) {
  const room = roomOf(file);
  /** @type {{ line: number, problem: string }[]} */
  const problems = [];
  for (const { name, member, line } of facts.globals) {
    const seen = member === undefined ? name : `${name}.${member}`;
    if (name === 'process') {
      const may = MAY[room] ?? HARMLESS;
      const fine = room === 'cli' || (!['errors', 'model', 'sql'].includes(room) && may.has(member ?? ''));
      if (!fine) problems.push({ line, problem: `${seen} belongs to cli` });
    } else if (name === 'console') {
      if (file !== 'cli/print.ts') problems.push({ line, problem: `${seen} belongs to cli/print.ts` });
    } else problems.push({ line, problem: `${seen}: nobody can tell what it reaches` });
  }
  for (const line of facts.topLevelAwaits)
    problems.push({ line, problem: 'a top-level await: require() would fail' });
  return problems;
}

/**
 * @param {string} file
 * @param {Facts} facts
 * @returns {{ line: number, problem: string }[]}
 */
export function dialectProblems(file, facts) {
  const room = roomOf(file);
  const shared = room === 'vector' && !/\/(pgvector|sqlite-vec)\.ts$/.test(file);
  if (!['repositories', 'retention'].includes(room) && !shared) return [];
  return facts.strings
    .filter(({ word }) => DIALECTS.test(word))
    .map(({ word, line }) => ({ line, problem: `${room} names the dialect ${word}: ask what it supports` }));
}

/** What may not be loaded by an import of an entry alone. */
/** @type {readonly { entries: RegExp, packages: RegExp, why: string }[]} */
export const LAZY = [
  {
    entries: /^(index|migrate\/index|conformance\/index|prisma\/index|vector\/index)\.ts$/,
    packages: DATABASE_PACKAGES,
    why: 'drivers are loaded when a target asks for them',
  },
  {
    entries: /^(index|conformance\/index)\.ts$/,
    packages: /^umzug$/,
    why: 'umzug is not on the path of openStorage',
  },
  { entries: /^cli\/main\.ts$/, packages: /^(?!node:)/, why: '--help answers before anything is loaded' },
];
