// npm run bench [-- NAME …]: measures, prints a table, writes JSON and SVG, exits 1 when a path is over its target.
// CHRONOS_BENCH_ENGINES=postgres,sqlite measures the storage on these alone.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, resolve } from 'node:path';
import { bound } from './lib/measure.mjs';
import { plot } from './lib/plot.mjs';
import { endServers } from './lib/servers.mjs';

/** @typedef {import('./lib/measure.mjs').Row} Row */

const BENCHES = ['cli', 'storage', 'large', 'vectors'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`no bench named ${unknown.join(', ')}; there are: ${BENCHES.join(', ')}`);
  process.exit(2);
}

/**
 * Where only some engines were asked for, what was measured of the others stays.
 * @param {string} file
 * @param {Row[]} measured
 * @returns {Promise<Row[]>}
 */
async function joined(file, measured) {
  if (process.env.CHRONOS_BENCH_ENGINES === undefined) return measured;
  /** @type {{ rows: Row[] }} */
  const before = JSON.parse(await readFile(file, 'utf8'));
  const now = new Map(measured.map((row) => [row.path, row]));
  const kept = before.rows.map((row) => now.get(row.path) ?? row);
  return [...kept, ...measured.filter((row) => !kept.includes(row))];
}

const results = resolve(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
let over = 0;
for (const name of asked.length > 0 ? asked : BENCHES) {
  const { rows } = await import(`./${name}.mjs`);
  /** @type {Row[]} */
  const measured = await rows();
  console.log(`\n${name}`);
  for (const row of measured) {
    const good = row.median <= bound(row);
    if (!good) over += 1;
    const floor = row.floor === undefined ? '' : `, floor by hand ${row.floor.toFixed(2)}`;
    const spread = `${row.min.toFixed(2)}–${row.max.toFixed(2)}`;
    console.log(
      `  ${good ? 'ok  ' : 'OVER'} ${row.path.padEnd(56)} ${row.median.toFixed(2).padStart(8)} ${row.unit.padEnd(3)} target ${row.target}${floor} (${spread}, ${row.rounds} rounds)`,
    );
  }
  const file = resolve(results, `${basename(name)}.json`);
  const all = await joined(file, measured);
  const facts = { node: process.version, cores: cpus().length, platform: process.platform, rows: all };
  await writeFile(file, `${JSON.stringify(facts, null, 2)}\n`);
  await writeFile(resolve(results, `${basename(name)}.svg`), plot(name, all));
}
endServers();
if (over > 0) {
  console.error(`${over} over target`);
  process.exitCode = 1;
}
