// Which format a file has.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { langfuse } from './langfuse.mjs';
import { sweAgent } from './swe-agent.mjs';
import { tauBench } from './tau-bench.mjs';

/**
 * A format of files. `name` names what is in a file, for ids; `at` is the moment that stands for times which the
 * format does not have.
 * @typedef {{
 *   format: string,
 *   recognizes(json: unknown): boolean,
 *   runsOf(json: unknown, name: string, at: Date): Run[],
 * }} Format
 * @typedef {import('./store.mjs').Run} Run
 */

/** @type {readonly Format[]} */
const FORMATS = [sweAgent, tauBench, langfuse];

/**
 * The runs in a file; one that ends in `.gz` is unpacked.
 * @param {string} file
 * @returns {Promise<{ format: string, runs: Run[] }>}
 */
export async function readRuns(file) {
  const bytes = await readFile(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return runsIn(parsed(file, text), basename(file).replace(/(\.trace)?(\.(traj|json))?(\.gz)?$/, ''));
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {unknown}
 */
function parsed(file, text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is no JSON`, { cause });
  }
}

/**
 * @param {unknown} json
 * @param {string} name
 * @returns {{ format: string, runs: Run[] }}
 */
export function runsIn(json, name) {
  const found = FORMATS.find((one) => one.recognizes(json));
  if (!found) throw new Error(`${name}: none of ${FORMATS.map(({ format }) => format).join(', ')}`);
  return { format: found.format, runs: found.runsOf(json, name, new Date()) };
}
