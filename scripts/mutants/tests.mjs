// Runs test files of a copy on an embedded engine until the first failure.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** @import { Copy } from './copy.mjs' */

/**
 * What the tests said: `passed`; `failed`, with the first that did; `broken`, when none failed and yet they did not
 * pass: a mistake that no test was needed to find says nothing about the tests.
 *
 * @typedef {object} Verdict
 * @property {'passed' | 'failed' | 'broken'} state
 * @property {string} detail
 */

/** A test that a mistake leaves hanging is ended by the first, a process by the second. In ms. */
const TEST = 30_000;
const WHOLE = 300_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends all that runs, with what it has started. */
export function stopAll() {
  for (const child of running) stop(child);
}

/** @param {import('node:child_process').ChildProcess} child */
function stop(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * @param {Copy} copy
 * @param {readonly string[]} files
 * @param {string} [engine]
 * @param {number} [bound] in ms
 * @returns {Promise<Verdict>}
 */
export async function runTests(copy, files, engine = 'sqlite', bound = WHOLE) {
  const report = join(copy.temporary, 'report.json');
  rmSync(report, { force: true });
  const { code, output } = await vitest(
    copy,
    engine,
    [
      ...files.filter((file) => existsSync(join(copy.folder, file))),
      '--bail=1',
      '--maxWorkers=1',
      `--testTimeout=${TEST}`,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    bound,
  );
  if (code === null) return { state: 'failed', detail: `did not end within ${bound / 1000} s` };
  const failure = firstFailure(report);
  if (failure !== undefined) return { state: 'failed', detail: failure };
  return code === 0 ? { state: 'passed', detail: '' } : { state: 'broken', detail: output.slice(-2000) };
}

/**
 * @param {Copy} copy
 * @param {string} engine
 * @param {readonly string[]} args
 * @param {number} bound in ms
 * @returns {Promise<{ code: number | null, output: string }>} `code` is null when it was ended from here
 */
function vitest(copy, engine, args, bound) {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: copy.folder,
    env: { ...process.env, CHRONOS_MUTANTS: '1', DIALECTS: engine, TMPDIR: copy.temporary },
    // A group of its own, so that its workers end with it.
    detached: true,
  });
  running.add(child);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const timer = setTimeout(() => stop(child), bound);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output });
    });
  });
}

/**
 * @param {string} report
 * @returns {string | undefined}
 */
function firstFailure(report) {
  if (!existsSync(report)) return undefined;
  /** @type {{ testResults: { assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return all.find(({ status }) => status === 'failed')?.fullName;
}
