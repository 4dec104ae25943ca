// Makes deliberate mistakes (test/mutants), one at a time, in copies of the repository, and runs the tests on an
// embedded engine: a mistake that they pass is a case that is missing. All, or those named; exits 1 when one survives.
import { TESTS } from '../test/mutants/mutant.mjs';
import { MUTANTS } from '../test/mutants/mutants.mjs';
import { Copy } from './mutants/copy.mjs';
import { runTests, stopAll } from './mutants/tests.mjs';

/** @import { Mutant } from '../test/mutants/mutant.mjs' */

/** How many at once. */
const COPIES = 2;
/** Longest time for the tests of all of them as they are (ms). */
const ALL = 1_800_000;

/** @returns {readonly Mutant[]} */
function chosen() {
  const names = process.argv.slice(2);
  for (const name of names) {
    if (!MUTANTS.some((mutant) => mutant.name === name)) throw new Error(`no mutant is called ${name}`);
  }
  return names.length === 0 ? MUTANTS : MUTANTS.filter(({ name }) => names.includes(name));
}

/**
 * @param {Copy} copy
 * @param {Mutant} mutant
 * @returns {Promise<boolean>} whether the tests notice it
 */
async function isKilled(copy, mutant) {
  const started = performance.now();
  const { state, detail } = await copy.with(mutant, () =>
    runTests(copy, mutant.tests ?? TESTS, mutant.engine),
  );
  const word = { passed: 'SURVIVED', failed: 'killed', broken: 'BROKEN' }[state];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${word.padEnd(9)}${mutant.name} (${seconds} s)${detail === '' ? '' : `: ${detail}`}`);
  return state === 'failed';
}

/**
 * @param {Copy} copy
 * @param {readonly Mutant[]} mutants whose tests must pass as they are
 */
async function checkUnchanged(copy, mutants) {
  for (const engine of /** @type {const} */ (['sqlite', 'pglite'])) {
    const here = mutants.filter((mutant) => (mutant.engine ?? 'sqlite') === engine);
    const files = new Set(here.flatMap(({ tests = TESTS }) => tests));
    if (files.size === 0) continue;
    const { state, detail } = await runTests(copy, [...files], engine, ALL);
    if (state !== 'passed') throw new Error(`the tests do not pass on ${engine} as they are: ${detail}`);
  }
}

async function main() {
  const waiting = [...chosen()];
  const copies = Array.from({ length: Math.min(COPIES, waiting.length) }, () => new Copy());
  let survivors = 0;
  const end = () => {
    stopAll();
    for (const copy of copies) copy.remove();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      console.error(`ended by ${signal}`);
      end();
      process.exit(1);
    });
  }
  try {
    const [first] = /** @type {[Copy]} */ (copies);
    for (const mutant of waiting) first.check(mutant);
    await checkUnchanged(first, waiting);
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
          if (!(await isKilled(copy, mutant))) survivors += 1;
        }
      }),
    );
  } finally {
    end();
  }
  if (survivors > 0) process.exitCode = 1;
}

await main();
