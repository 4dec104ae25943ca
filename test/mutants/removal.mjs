/** @import { Mutant } from './mutant.mjs' */

const CHILDREN = "['memory', 'auditLogs', 'traces', 'events', 'checkpoints']";

/** @type {readonly Mutant[]} */
export const removal = [
  {
    name: 'trim-takes-the-cutoff-too',
    file: 'src/sql/sweep.ts',
    find: "'<', dialect.parameter(key, 'before')",
    replace: "'<=', dialect.parameter(key, 'before')",
  },
  {
    name: 'batch-begins-after-its-edge',
    file: 'src/sql/sweep.ts',
    find: "'>=', dialect.parameter(key, 'from')",
    replace: "'>', dialect.parameter(key, 'from')",
  },
  {
    name: 'trim-skips-a-row-at-each-batch',
    file: 'src/sql/sweep.ts',
    find: "'>=', dialect.parameter(key, 'from')",
    replace: "'>', dialect.parameter(key, 'from')",
  },
  {
    name: 'trim-ends-after-one-batch',
    file: 'src/retention/sweep.ts',
    find: 'if (!edge) return removed;',
    replace: 'if (!edge || removed > 0) return removed;',
  },
  {
    name: 'dry-run-removes',
    file: 'src/retention/sweep.ts',
    find: 'if (pace.dryRun) {',
    replace: 'if (pace.dryRun && values.tenant_id === null) {',
  },
  {
    name: 'old-sessions-take-the-cutoff-too',
    file: 'src/retention/statements.ts',
    find: ".where('t.updated_at', '<', dialect.parameter(updated, 'before'))",
    replace: ".where('t.updated_at', '<=', dialect.parameter(updated, 'before'))",
  },
  {
    name: 'old-sessions-of-any-status',
    file: 'src/retention/trims.ts',
    find: "if (only === undefined || dialect.text(one.status ?? '') === only) {",
    replace: 'if (only !== null) {',
  },
  {
    name: 'old-session-leaves-its-records',
    file: 'src/retention/trims.ts',
    find: 'if (count > 0) yield* removal.children(tally.tenant, id);',
    replace: '',
  },
  {
    name: 'one-checkpoint-too-many-is-kept',
    file: 'src/retention/trims.ts',
    find: 'offset: kept - 1 }',
    replace: 'offset: kept }',
  },
  {
    name: 'keeping-none-removes',
    file: 'src/retention/trims.ts',
    find: 'if (kept <= 0) return 0;',
    replace: 'if (kept < 0) return 0;',
  },
  {
    name: 'retention-skips-traces',
    file: 'src/retention/policy.ts',
    find: 'removed.traces = await storage.trimTraces(cutoff, options);',
    replace: '',
  },
  ...['memory', 'auditLogs', 'traces', 'events', 'checkpoints'].map((child) => ({
    name: `removal-forgets-${child}`,
    file: 'src/retention/removal.ts',
    find: CHILDREN,
    replace: CHILDREN.replace(`'${child}'`, '').replace('[, ', '[').replace(', ,', ',').replace(', ]', ']'),
  })),
  {
    name: 'deleted-session-leaves-its-head',
    file: 'src/retention/removal.ts',
    find: 'yield* run(head, values);',
    replace: '',
  },
  {
    name: 'deleted-tenant-leaves-its-heads',
    file: 'src/retention/removal.ts',
    find: 'yield* sweepAll(dialect, wholes.heads, values, { pace, tally });',
    replace: '',
  },
];
