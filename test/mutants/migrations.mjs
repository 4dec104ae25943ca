/** @import { Mutant } from './mutant.mjs' */

const PLAN = ['test/migrate/plan.test.ts'];
const STATE = ['test/migrate/state.test.ts'];
const VERIFY = ['test/migrate/verify.test.ts'];

/** @type {readonly Mutant[]} */
export const migrations = [
  {
    name: 'statement-that-began-is-taken-as-done',
    file: 'src/migrate/state.ts',
    find: "if (event === 'started') return { ...open, doubt: step };",
    replace: "if (event === 'started') return { ...open, done: step, doubt: null };",
    tests: STATE,
  },
  {
    name: 'resume-begins-one-statement-late',
    file: 'src/migrate/state.ts',
    find: 'done: step - 1, doubt: null, failure',
    replace: 'done: step, doubt: null, failure',
    tests: STATE,
  },
  {
    name: 'half-done-file-runs-from-its-start',
    file: 'src/migrate/partial.ts',
    find: 'if (!can.rerun && !can.resume) throw partialError(partial, repairHint(partial));',
    replace: '',
    tests: PLAN,
  },
  {
    name: 'edited-file-passes',
    file: 'src/migrate/plan.ts',
    find: 'file.checksum !== null && row.checksum !== file.checksum',
    replace: 'file.checksum !== null && row.checksum === file.id',
    tests: PLAN,
  },
  {
    name: 'late-file-passes',
    file: 'src/migrate/plan.ts',
    find: 'if (late !== undefined) throw outOfOrder(late);',
    replace: '',
    tests: PLAN,
  },
  {
    name: 'newer-schema-guard-is-off',
    file: 'src/migrate/plan.ts',
    find: 'if (breaking !== undefined) throw tooNew(breaking.id);',
    replace: '',
    tests: PLAN,
  },
  {
    name: 'file-without-a-statement-is-applied',
    file: 'src/migrate/plan.ts',
    find: 'if (file !== undefined) throw noStatement(file, direction);',
    replace: '',
    tests: ['test/migrate/empty-file.test.ts'],
  },
  {
    name: 'redo-reverts-before-it-looks-at-the-way-up',
    file: 'src/migrate/operations/down.ts',
    find: 'if (options.redo === true) forbidOneWay(files, state, steps);',
    replace: '',
    tests: ['test/migrate/redo.test.ts'],
  },
  {
    name: 'verify-is-blind-to-a-default',
    file: 'src/migrate/catalog/differences.ts',
    find: "= ['type', 'nullable', 'collation', 'fill'];",
    replace: "= ['type', 'nullable', 'collation'];",
    tests: VERIFY,
  },
  {
    name: 'verify-is-blind-to-triggers',
    file: 'src/migrate/catalog/attached.ts',
    find: 'ours.has(table) || COLLECTION.test(table)',
    replace: 'COLLECTION.test(table)',
    tests: VERIFY,
  },
  {
    name: 'index-that-a-build-left-invalid-stays',
    file: 'src/migrate/engines/postgres-alone.ts',
    find: "return state === 'invalid' ? [drop, text] : [text];",
    replace: 'return [text];',
    engine: 'pglite',
    tests: ['test/migrate/directives.test.ts'],
  },
  {
    name: 'grants-miss-one-table',
    file: 'src/migrate/grants/postgres.ts',
    find: 'const own = tables.filter((name) => name !== LOG);',
    replace: 'const own = tables.filter((name) => name !== LOG).slice(1);',
    tests: ['test/migrate/grant-texts.test.ts'],
  },
  {
    name: 'service-may-write-the-log',
    file: 'src/migrate/grants/mysql.ts',
    find: "const verbs = table === LOG ? 'select'",
    replace: "const verbs = table === LOG ? 'select, delete'",
    tests: ['test/migrate/grant-texts.test.ts'],
  },
  {
    name: 'message-shows-a-literal-of-the-statement',
    file: 'src/migrate/text/engine-words.ts',
    find: 'quoted.has(piece) || isBound(piece)',
    replace: 'isBound(piece)',
    tests: ['test/migrate/step-failure.test.ts'],
  },
  {
    name: 'message-shows-a-bound-value',
    file: 'src/migrate/knex-host.ts',
    find: 'message: message.startsWith(before) ? message.slice(before.length) : message,',
    replace: 'message,',
    tests: ['test/migrate/thrown-by-code.test.ts'],
  },
];
