// npm run console [-- URL …]: a REPL with migrated storages: `db.sqlite`, `db.pglite`, one per CHRONOS_TEST_<NAME>_URL
// that is set (its own database chronos_console), and db.url1 … for the URLs given.
import repl from 'node:repl';
import * as chronos from '../dist/index.js';
import { createConsoleDatabase } from './console-database.mjs';

const SERVERS = ['postgres18', 'postgres15', 'mysql9', 'mariadb118', 'mariadb1011'];

/** @type {Map<string, string>} */
const targets = new Map([
  ['sqlite', 'sqlite::memory:'],
  ['pglite', 'pglite:memory'],
]);
for (const name of SERVERS) {
  const server = process.env[`CHRONOS_TEST_${name.toUpperCase()}_URL`];
  if (server !== undefined) targets.set(name, await createConsoleDatabase(server));
}
process.argv.slice(2).forEach((url, i) => {
  targets.set(`url${i + 1}`, url);
});

/** @type {Record<string, chronos.Storage>} */
const db = {};
for (const [name, target] of targets) {
  db[name] = await chronos.openStorage(target);
  await db[name].migrate();
}

console.log(
  `db: ${[...targets.keys()].join(', ')}. Everything that the package exports is here by name, for example`,
);
console.log("await db.sqlite.createSession({ id: newId(), agentId: 'a', status: 'running' })");
const shell = repl.start('chronos> ');
Object.assign(shell.context, chronos, { db });
shell.on('exit', async () => {
  for (const storage of Object.values(db)) await storage.close();
});
