// What a user does first, each in the installed package; every function gives the problems that it met.
import { join } from 'node:path';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */
/** @typedef {import('./consumer.mjs').Ended} Ended */

/** Migrates a new file, appends, reads back; `load` binds openStorage. @type {(load: string, file: string) => string} */
export const program = (load, file) => `${load}
async function main() {
  const storage = await openStorage('sqlite:${file}');
  await storage.migrate();
  const now = new Date();
  await storage.createSession({ id: 's', agentId: 'a', status: 'running', createdAt: now, updatedAt: now });
  const { seqNum } = await storage.appendEvent({
    id: 'e', sessionId: 's', seqNum: 1, type: 'said', payload: { text: 'hi' },
  });
  const [event] = await storage.listEvents('s');
  await storage.close();
  console.log(JSON.stringify([seqNum, event.payload]));
}
main();
`;

/** What {@link program} prints. */
export const PRINTED = '[1,{"text":"hi"}]\n';

/**
 * @param {string} what
 * @param {Ended} ended
 * @param {Partial<Ended>} expected
 * @returns {string[]}
 */
export function compare(what, ended, expected) {
  const differs = Object.entries(expected).some(([key, value]) => Reflect.get(ended, key) !== value);
  return differs ? [`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(ended)}`] : [];
}

/** @param {Consumer} consumer */
export function fromModules(consumer) {
  consumer.write('esm.mjs', program(`import { openStorage } from 'chronos-storage';`, 'esm.db'));
  consumer.write('cjs.cjs', program(`const { openStorage } = require('chronos-storage');`, 'cjs.db'));
  consumer.write(
    'entries.cjs',
    `for (const entry of ['', '/vector', '/migrate', '/conformance']) require('chronos-storage' + entry);
     const loaded = Object.keys(require.cache).filter((file) => /node_modules.(pg|mysql2|better-sqlite3|knex|umzug)./.test(file));
     if (loaded.length > 0) throw new Error('an import alone loaded ' + loaded);`,
  );
  const fine = { code: 0, stdout: PRINTED, stderr: '' };
  return [
    ...compare('import', consumer.run('node', 'esm.mjs'), fine),
    ...compare('require', consumer.run('node', 'cjs.cjs'), fine),
    ...compare('require of every entry', consumer.run('node', 'entries.cjs'), {
      code: 0,
      stdout: '',
      stderr: '',
    }),
  ];
}

/**
 * Types, as a strict user without any driver's types compiles them.
 * @param {Consumer} consumer
 */
export function fromTypeScript(consumer) {
  consumer.write(
    'types.mts',
    `import { openStorage } from 'chronos-storage';
import { createMigrator, type Report } from 'chronos-storage/migrate';
import { conformance } from 'chronos-storage/conformance';
export const open = () => openStorage('sqlite:types.db');
export const status = (): Promise<Report> => createMigrator('sqlite:types.db').status();
export const suite: typeof conformance = conformance;
`,
  );
  const types = join(consumer.root, 'node_modules/@types');
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
    '--typeRoots',
    types,
    '--types',
    'node',
  ];
  const tsc = join(consumer.root, 'node_modules/typescript/bin/tsc');
  return [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ].flatMap(([module = '', resolution = '']) => {
    const how = ['--module', module, '--moduleResolution', resolution];
    const ended = consumer.run('node', tsc, ...flags, ...how, 'types.mts');
    return compare(`types with ${resolution}`, ended, { code: 0, stdout: '' });
  });
}

/**
 * The command, with no driver but SQLite's.
 * @param {Consumer} consumer
 */
export function fromCommandLine(consumer) {
  const up = consumer.run('npx', '--no-install', 'chronos-migrate', 'up');
  const check = consumer.run('npx', '--no-install', 'chronos-migrate', 'status', '--check', '--json');
  return [
    ...compare('npx chronos-migrate up', up, { code: 0 }),
    ...(up.stdout.includes('applied chronos:0001_ledger in ') ? [] : [`up printed ${up.stdout}`]),
    ...compare('npx chronos-migrate status --check', check, { code: 0, stderr: up.stderr }),
  ];
}

/**
 * Each driver that is not there: what is said names the package.
 * @param {Consumer} consumer
 * @param {readonly (readonly [target: string, name: string])[]} missing
 */
export function withoutDrivers(consumer, missing) {
  return missing.flatMap(([target, name]) => {
    const ended = consumer.run('npx', '--no-install', 'chronos-migrate', 'up', '--json', '--url', target);
    const { error = {} } = JSON.parse(ended.stdout);
    const said = `${error.message} ${error.hint}`;
    const named = said.includes(name) && /npm (install|rebuild)/.test(said);
    return ended.code === 2 && error.code === 'DRIVER_MISSING' && named
      ? []
      : [`without ${name}: ${ended.stdout}`];
  });
}
