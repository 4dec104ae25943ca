// Packs the package, installs it in an empty folder and uses it as its users do; exits 1 with what is wrong.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundles, readmeProblems } from './package/bundle.mjs';
import { Consumer } from './package/consumer.mjs';
import { attwProblems, pack, publintProblems } from './package/pack.mjs';
import { fromCommandLine, fromModules, fromTypeScript, withoutDrivers } from './package/uses.mjs';

const root = resolve(import.meta.dirname, '..');
const temporary = mkdtempSync(join(tmpdir(), 'chronos-package-'));

/** @type {readonly (readonly [string, string])[]} */
const SERVERS = [
  ['postgres://me@localhost/app', 'pg'],
  ['mysql://me@localhost/app', 'mysql2'],
  ['mariadb://me@localhost/app', 'mysql2'],
  ['pglite:./data', '@electric-sql/pglite'],
];

try {
  const { tarball, problems: packed } = pack(root, temporary);
  const consumer = new Consumer(root, join(temporary, 'consumer'));
  /** @type {readonly (readonly [title: string, check: () => string[] | void | Promise<string[]>])[]} */
  const checks = [
    ['packed files', () => packed],
    ['publint', () => publintProblems(tarball)],
    ['attw', () => attwProblems(root, tarball)],
    ['install', () => consumer.install(tarball)],
    ['without drivers', () => withoutDrivers(consumer, [...SERVERS, ['sqlite:x.db', 'better-sqlite3']])],
    ['native SQLite', () => consumer.addNativeSqlite()],
    ['import and require', () => fromModules(consumer)],
    ['types', () => fromTypeScript(consumer)],
    ['command line', () => fromCommandLine(consumer)],
    ['bundle', () => bundles(consumer, join(temporary, 'service'))],
    ['README', () => readmeProblems(root)],
  ];
  for (const [title, check] of checks) {
    const problems = (await check()) ?? [];
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${title}`);
    for (const problem of problems) console.error(`     ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
