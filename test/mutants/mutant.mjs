/**
 * A deliberate mistake in one file: tests that pass with it miss what it breaks.
 *
 * @typedef {object} Mutant
 * @property {string} name what is wrong
 * @property {string} file
 * @property {string} find a text that is in the file exactly once
 * @property {string} replace what stands there instead
 * @property {'sqlite' | 'pglite'} [engine] on which the tests run; absent = SQLite
 * @property {readonly string[]} [tests] test files to run; absent = {@link TESTS}
 */

/** What finds most mutants: the suite on its forms, and the model. A file that does not exist is left out. */
export const TESTS = Object.freeze([
  'test/conformance.test.ts',
  'test/conformance-transactions.test.ts',
  'test/model-based',
]);
