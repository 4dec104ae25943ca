// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of code.
/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const reads = [
  {
    name: 'ties-by-id-the-other-way',
    file: 'src/repositories/orders.ts',
    find: "order: edges.descending ? 'desc' : 'asc'",
    replace: "order: edges.descending === (key.name !== 'id') ? 'desc' : 'asc'",
  },
  {
    name: 'after-seq-inclusive',
    file: 'src/repositories/orders.ts',
    find: "query.where(`t.${keys[0].name}`, '>', dialect.edge(keys[0], 'floor'));",
    replace: "query.where(`t.${keys[0].name}`, '>=', dialect.edge(keys[0], 'floor'));",
  },
  {
    name: 'after-seq-lost-backward',
    file: 'src/repositories/orders.ts',
    find: "next: make('next', { floor: floor && descending, cursor: true })",
    replace: "next: make('next', { floor: false, cursor: true })",
  },
  {
    name: 'raised-after-seq-ignored',
    file: 'src/repositories/paging.ts',
    find: 'const beyond = position && (descending || request.floor === undefined || position.at > request.floor);',
    replace: 'const beyond = position;',
  },
  {
    name: 'one-more-than-asked-dropped',
    file: 'src/repositories/paging.ts',
    find: 'limit: limit + 1,',
    replace: 'limit,',
  },
  {
    name: 'page-skips-one-row',
    file: 'src/repositories/paging.ts',
    find: 'const last = kept.at(-1);',
    replace: 'const last = found.at(-1);',
  },
  {
    name: 'empty-page-after-an-exact-multiple',
    file: 'src/repositories/paging.ts',
    find: 'last && found.length > plan.limit ?',
    replace: 'last && found.length >= plan.limit ?',
  },
  {
    name: 'cursor-forgets-the-id',
    file: 'src/repositories/paging.ts',
    find: "'cursor.id': position.id",
    replace: "'cursor.id': ''",
  },
  {
    name: 'cursor-of-any-direction',
    file: 'src/model/cursor.ts',
    find: "if (ofDirection !== direction) throw new InvalidCursorError('the cursor is of the other direction');",
    replace: '',
  },
  {
    name: 'cursor-of-any-method',
    file: 'src/model/cursor.ts',
    find: 'if (ofMethod !== method) throw',
    replace: "if (ofMethod === '') throw",
  },
  {
    name: 'cursor-checksum-unchecked',
    file: 'src/model/cursor.ts',
    find: ' || !check(body).equals(bytes.subarray(0, CHECK_BYTES))',
    replace: '',
  },
  {
    name: 'cursor-in-any-spelling',
    file: 'src/model/cursor.ts',
    find: "bytes.toString('base64url') !== cursor || ",
    replace: '',
  },
  {
    name: 'limit-unbounded',
    file: 'src/model/check.ts',
    find: 'Math.min(whole, GREATEST_LIMIT)',
    replace: 'whole',
  },
  {
    name: 'limit-zero-is-zero',
    file: 'src/model/check.ts',
    find: 'return whole <= 0 ? DEFAULT_LIMIT',
    replace: 'return whole < 0 ? DEFAULT_LIMIT',
  },
  {
    name: 'negative-offset-allowed',
    file: 'src/model/check.ts',
    find: "if (offset < 0) throw new InvalidArgumentError('offset', 'must not be negative');\n  return offset;",
    replace: 'return Math.max(0, offset);',
  },
  {
    name: 'sessions-of-all-agents',
    file: 'src/repositories/sessions.ts',
    find: 'filter.agent_id === undefined ? list.all : list.byAgent',
    replace: 'list.all',
  },
  {
    name: 'sessions-of-any-status',
    file: 'src/repositories/session-statements.ts',
    find: "return values.status === undefined ? 'byAgent' : 'byAgentAndStatus';",
    replace: "return 'byAgent';",
  },
  {
    name: 'memory-of-any-kind',
    file: 'src/repositories/memory.ts',
    find: 'values.kind === undefined ? pages.byAgent : pages.byKind',
    replace: 'pages.byAgent',
  },
  {
    name: 'oldest-memory-for-the-newest',
    file: 'src/repositories/memory-statements.ts',
    find: 'descending: true,',
    replace: 'descending: false,',
  },
  {
    name: 'last-events-backward',
    file: 'src/repositories/events.ts',
    find: 'return found.map((one) => this.#event(one)).toReversed();',
    replace: 'return found.map((one) => this.#event(one));',
  },
  {
    name: 'first-checkpoint-for-the-latest',
    file: 'src/repositories/checkpoints.ts',
    find: 'pages.backward.first',
    replace: 'pages.forward.first',
  },
  {
    name: 'iterator-ends-after-its-first-page',
    file: 'src/walk-pages.ts',
    find: "while (cursor !== '');",
    replace: "while (cursor === 'more');",
  },
];
