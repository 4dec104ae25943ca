import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkRooms } from '../../scripts/check-rooms.mjs';

/** A crossing, and what is said about it. */
const CROSSINGS: readonly (readonly [file: string, text: string, problem: RegExp])[] = [
  ['errors.ts', `import './model/tables.ts';`, /errors does not see/],
  ['errors.ts', `import type { Stats } from 'node:fs';`, /errors imports nothing/],
  ['model/json.ts', `import { readFileSync } from 'node:fs';`, /model has no business with node:fs/],
  ['model/json.ts', `import fs from 'fs';`, /model has no business with node:fs/],
  ['model/json.ts', `export const at = process.pid;`, /process\.pid belongs to cli/],
  ['model/json.ts', `export type K = import('knex').Knex;`, /knex belongs to sql/],
  ['model/json.ts', `import type { Row } from '../drivers/connection.ts';`, /model does not see/],
  ['model/json.ts', `export * from '../sql/dialect.ts';`, /model does not see sql\/dialect.ts/],
  ['sql/rows.ts', `import { open } from '../drivers/open.ts';`, /sql does not see drivers\/open.ts/],
  ['sql/rows.ts', `import { x } from '../drivers/connection.ts';`, /but as a type/],
  ['repositories/events.ts', `import { postgres } from '../drivers/pg.ts';`, /repositories does not see/],
  ['repositories/events.ts', `export const name = 'postgres';`, /names the dialect postgres/],
  ['repositories/events.ts', 'export const name = `sqlite`;', /names the dialect sqlite/],
  [
    'repositories/events.ts',
    `export const load = () => import('../migrate/index.ts');`,
    /does not see migrate/,
  ],
  ['model/json.ts', `import 'node:timers/promises';`, /no business with node:timers/],
  ['retention/trim.ts', `import 'node:net';`, /no business with node:net/],
  ['vector/store.ts', `export const is = (name: string) => name === 'mysql';`, /names the dialect mysql/],
  ['migrate/migrator.ts', `import knex from 'knex';`, /knex belongs to sql and migrate\/knex-host.ts/],
  ['migrate/files.ts', `import { Umzug } from 'umzug';`, /umzug belongs to/],
  ['migrate/files.ts', `export const load = () => import('pg');`, /pg belongs to drivers/],
  [
    'migrate/files.ts',
    'export const load = () => import(`@electric-sql/pglite`);',
    /pglite belongs to drivers/,
  ],
  ['migrate/files.ts', `export const load = (name: string) => import(name);`, /a computed import/],
  ['migrate/files.ts', `export const a = process.env.HOME;`, /process\.env belongs to cli/],
  ['migrate/files.ts', `export const a = process['argv'];`, /process\.argv belongs to cli/],
  ['migrate/files.ts', `const { env } = process; export const a = env;`, /process belongs to cli/],
  ['migrate/files.ts', `export const a = globalThis.process.env;`, /process belongs to cli/],
  ['migrate/files.ts', `import { env } from 'node:process'; export const a = env;`, /not node:process/],
  ['migrate/files.ts', `export const end = () => process.exit(1);`, /process\.exit belongs to cli/],
  ['migrate/files.ts', `export const say = () => console.log(1);`, /console\.log belongs to cli\/print/],
  ['cli/run.ts', `export const say = () => console.log(1);`, /console\.log belongs to cli\/print/],
  ['drivers/pg.ts', `export const say = process.stdout.write('');`, /process\.stdout belongs to cli/],
  ['storage.ts', `import { print } from './cli/print.ts';`, /only cli knows cli/],
  ['storage.ts', `import fs = require('node:fs'); export const a = fs;`, /require in an ES module/],
  ['storage.ts', `export const load = () => require('pg');`, /require: nobody can tell/],
  ['storage.ts', `export const a = eval('1');`, /eval: nobody can tell/],
  ['storage.ts', `export const a = await Promise.resolve(1);`, /a top-level await/],
  ['conformance/index.ts', `import { it } from 'vitest'; it.only;`, /vitest is no dependency/],
];

/** What comes close to a crossing and is none. */
const FINE: Readonly<Record<string, string>> = {
  'errors.ts': `export const word = 'console'; // process.env is only mentioned`,
  'model/tenant.ts': `import { AsyncLocalStorage } from 'node:async_hooks'; export const a = AsyncLocalStorage;`,
  'model/keys.ts': `export const a = { process: 1, console: 2 }; export const b = a.process + a.console;`,
  'sql/postgres.ts': `import knex from 'knex';
    import type { Value } from '../drivers/connection.ts';
    export const a = (v: Value) => [knex, v, 'postgres'];`,
  'repositories/events.ts': `import type { Connection } from '../drivers/connection.ts';
    // postgres is only mentioned
    export const f = async (c: Connection) => { await c.close(); };`,
  'drivers/connection.ts': `export interface Connection { close(): Promise<void> } export type Value = string;`,
  'drivers/pg.ts': `import pg from 'pg'; export const a = pg;`,
  'drivers/open.ts': `export const open = async () => (await import('./pg.ts')).a;`,
  'migrate/knex-host.ts': `import knex from 'knex'; export const a = knex;`,
  'migrate/log.ts': `import os from 'node:os'; export const who = [process.pid, os.hostname()];`,
  'migrate/run-steps.ts': `import { Umzug } from 'umzug'; export const a = Umzug;`,
  'cli/print.ts': `export const say = () => console.log(process.env.NO_COLOR);`,
  'cli/main.ts': `import { say } from './print.ts'; say(); void import('../migrate/run-steps.ts');`,
  'index.ts': `export { open } from './drivers/open.ts';`,
};

let src = '';
beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), 'chronos-rooms-'));
});
afterEach(() => rmSync(src, { recursive: true }));

function write(tree: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(src, file)), { recursive: true });
    writeFileSync(join(src, file), text);
  }
}

describe('check-rooms', () => {
  it.each(CROSSINGS)('%s: %s', (file, text, problem) => {
    write({ ...FINE, [file]: text });
    const found = checkRooms(src).filter((one) => one.file === file);
    expect(found.map((one) => one.problem)).toContainEqual(expect.stringMatching(problem));
    expect(found[0]?.line).toBe(1);
  });

  it('says nothing where no border is crossed', () => {
    write(FINE);
    expect(checkRooms(src)).toEqual([]);
  });

  it('follows static imports from an entry to a driver, through any number of files', () => {
    write({ ...FINE, 'drivers/open.ts': `import { a } from './pg.ts'; export const open = a;` });
    expect(checkRooms(src)).toEqual([
      { file: 'drivers/pg.ts', line: 1, problem: expect.stringContaining('index.ts loads pg through this') },
    ]);
  });

  it('keeps everything off the path of --help', () => {
    write({ ...FINE, 'cli/main.ts': `import { a } from '../migrate/run-steps.ts'; a;` });
    expect(checkRooms(src)).toEqual([
      { file: 'migrate/run-steps.ts', line: 1, problem: expect.stringContaining('cli/main.ts loads umzug') },
    ]);
  });

  it('holds for this repository', () => {
    expect(checkRooms(resolve(import.meta.dirname, '../../src'))).toEqual([]);
  });
});
