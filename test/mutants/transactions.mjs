// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of code.
/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const transactions = [
  {
    name: 'savepoint-not-rolled-back',
    file: 'src/drivers/lane-connection.ts',
    find: 'if (!lane.stopped) await send(`rollback to savepoint ${name}`);',
    replace: '',
  },
  {
    name: 'transaction-commits-what-rejects',
    file: 'src/drivers/lane-connection.ts',
    find: 'await lane.rollback();\n    throw error;',
    replace: 'await lane.driver.commit(lane.client);\n    throw error;',
  },
  {
    name: 'outer-storage-inside-its-transaction',
    file: 'src/transaction-scope.ts',
    find: 'if (!around.getStore()?.some(({ on, inner }) => on === scope && !inner.ended)) return;',
    replace: "if (scope.name !== 'none') return;",
  },
  {
    name: 'transaction-ends-before-its-calls',
    file: 'src/storage.ts',
    find: 'while (inFlight.size > 0) await Promise.allSettled(inFlight);',
    replace: '',
  },
  {
    name: 'close-waits-for-nobody',
    file: 'src/storage.ts',
    find: 'await Promise.allSettled(inFlight);\n    await plain.close();',
    replace: 'await plain.close();',
  },
  {
    name: 'closed-storage-answers',
    file: 'src/storage.ts',
    find: 'const { inFlight, scope, plain } = this.#shared;\n    scope.ended = true;',
    replace: 'const { inFlight, plain } = this.#shared;',
  },
];
