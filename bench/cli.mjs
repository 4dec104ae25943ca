// Whole processes, from start to exit: what a person or a container waits for.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { row } from './lib/measure.mjs';

const ROUNDS = 11;
const cli = resolve(import.meta.dirname, '../dist/cli/main.js');

/**
 * @param {string[]} args
 * @returns {number} ms
 */
function timed(args) {
  const from = process.hrtime.bigint();
  const ended = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - from) / 1e6;
  if (ended.status !== 0)
    throw new Error(`chronos-migrate ${args[0]} ended with ${ended.status}: ${ended.stderr}`);
  return ms;
}

/** @returns {Promise<import('./lib/measure.mjs').Row[]>} */
export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), 'chronos-bench-'));
  try {
    const help = [];
    const up = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const helpMs = timed(['--help']);
      const upMs = timed(['up', '--url', `sqlite:${join(folder, `${round}.db`)}`]);
      if (round < 0) continue;
      help.push(helpMs);
      up.push(upMs);
    }
    return [
      row('chronos-migrate --help', 'ms', 200, help),
      row('chronos-migrate up, empty SQLite file', 'ms', 600, up),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
