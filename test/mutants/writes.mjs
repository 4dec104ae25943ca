/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const writes = [
  {
    name: 'upsert-for-insert',
    file: 'src/sql/bulk.ts',
    find: 'insert.onConflict([...KEY]).ignore()',
    replace: 'insert.onConflict([...KEY]).merge()',
  },
  {
    name: 'insert-for-upsert',
    file: 'src/sql/bulk.ts',
    find: 'insert.onConflict([...KEY]).merge([...columns])',
    replace: 'insert.onConflict([...KEY]).ignore()',
  },
  {
    name: 'taken-session-id-passes',
    file: 'src/repositories/sessions.ts',
    find: "if (!inserted) throw new AlreadyExistsError('session', String(values.id));",
    replace: '',
  },
  {
    name: 'updated-at-not-strictly-growing',
    file: 'src/sql/sqlite.ts',
    find: 'min(?? + 1,',
    replace: 'min(?? + 0,',
  },
  {
    name: 'given-updated-at-ignored',
    file: 'src/repositories/sessions.ts',
    find: 'given.updatedAt === undefined ? now : Math.max(now,',
    replace: 'given.updatedAt === undefined ? now : Math.min(now,',
  },
  {
    name: 'if-updated-at-ignored',
    file: 'src/repositories/sessions.ts',
    find: 'conditional ? changesIf[change] : changes[change]',
    replace: 'changes[change]',
  },
  {
    name: 'changed-session-is-not-found',
    file: 'src/repositories/sessions.ts',
    find: 'if (conditional && (yield* row(get, key))) throw changedMeanwhile();',
    replace: '',
  },
  {
    name: 'update-keeps-metadata',
    file: 'src/repositories/session-statements.ts',
    find: "update: ['status', 'metadata'],",
    replace: "update: ['status'],",
  },
  {
    name: 'memory-forgets-when-it-was-first-stored',
    file: 'src/repositories/memory-statements.ts',
    find: "upsertOne(dialect, 'memory.put', MEMORY, ['created_at'])",
    replace: "upsertOne(dialect, 'memory.put', MEMORY)",
  },
  {
    name: 'end-of-a-trace-clears-its-output',
    file: 'src/repositories/traces.ts',
    find: 'if (value !== undefined) values[column.name]',
    replace: "if (value !== undefined || column.name === 'output') values[column.name]",
  },
  {
    name: 'end-of-no-trace-passes',
    file: 'src/repositories/traces.ts',
    find: "if (!(yield* row(get, key))) throw new NotFoundError('trace', id);",
    replace: '',
  },
  {
    name: 'first-trace-of-a-batch-wins',
    file: 'src/repositories/traces.ts',
    find: 'new Map(batch.map((values) => [values.id, values]))',
    replace: 'new Map(batch.map((values) => [values.id, values] as const).toReversed())',
  },
  {
    name: 'last-event-of-a-batch-wins',
    file: 'src/repositories/events.ts',
    find: 'if (!first.has(values.id)) first.set',
    replace: 'first.set',
  },
  {
    name: 'batch-of-events-not-atomic',
    file: 'src/repositories/store-all.ts',
    find: 'return yield* transaction(() => storeParts(backing, statements, parts));',
    replace: 'return yield* storeParts(backing, statements, parts);',
    // The suite would only grow slow of it.
    tests: ['test/model-based/readers.test.ts'],
  },
  {
    name: 'batch-of-traces-not-atomic',
    file: 'src/repositories/upsert-all.ts',
    find: 'else yield* transaction(() => upsertParts(statements, parts));',
    replace: 'else yield* upsertParts(statements, parts);',
    // The suite would only grow slow of it.
    tests: ['test/model-based/readers.test.ts'],
  },
  {
    name: 'checkpoint-overwrites-another',
    file: 'src/repositories/checkpoints.ts',
    find: "return other ? 'taken' : false;",
    replace:
      'if (!other) return false;\n      yield* run(replace, { ...values, id: other.id as string });\n      return true;',
  },
  {
    name: 'checkpoint-conflict-passes',
    file: 'src/repositories/checkpoints.ts',
    find: "return other ? 'taken' : false;",
    replace: 'return other !== undefined;',
  },
  {
    name: 'checkpoint-without-its-event',
    file: 'src/ledger.ts',
    find: 'return yield* transaction(function* () {\n      yield* checkpoints.store(values);\n      return yield* events.store(appended);\n    });',
    replace: 'yield* checkpoints.store(values);\n    return yield* events.store(appended);',
  },
];
