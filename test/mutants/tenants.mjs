// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of code.
/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const tenants = [
  {
    name: 'get-in-all-tenants',
    file: 'src/repositories/by-id.ts',
    find: 'whereEqual(dialect, query, table, KEY);',
    replace:
      "whereEqual(dialect, query, table, ['id']).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'delete-in-all-tenants',
    file: 'src/repositories/by-id.ts',
    find: "whereEqual(dialect, dialect.into(table).delete(), table, KEY, '')",
    replace:
      "whereEqual(dialect, dialect.into(table).delete(), table, ['id'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
  },
  {
    name: 'lists-of-all-tenants',
    file: 'src/repositories/orders.ts',
    find: 'whereEqual(dialect, query, order.table, parameters);',
    replace:
      "whereEqual(dialect, query, order.table, parameters.slice(1)).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'session-changed-in-all-tenants',
    file: 'src/repositories/session-statements.ts',
    find: ".where('tenant_id', dialect.parameter(TENANT))",
    replace: ".where('tenant_id', '>=', dialect.parameter(TENANT))",
  },
  {
    name: 'events-counted-in-all-tenants',
    file: 'src/repositories/event-statements.ts',
    find: 'whereEqual(dialect, query, EVENTS, where)',
    replace:
      "whereEqual(dialect, query, EVENTS, ['session_id']).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
  },
  {
    name: 'repeat-found-in-all-tenants',
    file: 'src/sql/bulk.ts',
    find: ".where('t.tenant_id', dialect.parameter(tenant))",
    replace: ".where('t.tenant_id', '>=', dialect.parameter(tenant))",
  },
  {
    name: 'first-place-above-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: 'whereEqual(dialect, query, EVENTS, KEY);',
    replace:
      "whereEqual(dialect, query, EVENTS, ['session_id']).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'retention-in-all-tenants',
    file: 'src/sql/sweep.ts',
    find: 'whereEqual(dialect, query, sweep.table, parameters);',
    replace:
      "whereEqual(dialect, query, sweep.table, sweep.where).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'session-deleted-in-all-tenants',
    file: 'src/retention/statements.ts',
    find: "whereEqual(dialect, dialect.into(SESSIONS).delete(), SESSIONS, parameters, '');",
    replace:
      "whereEqual(dialect, dialect.into(SESSIONS).delete(), SESSIONS, ['id', 'status'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'head-deleted-in-all-tenants',
    file: 'src/retention/statements.ts',
    find: "whereEqual(dialect, dialect.into(EVENT_HEADS).delete(), EVENT_HEADS, key, '');",
    replace:
      "whereEqual(dialect, dialect.into(EVENT_HEADS).delete(), EVENT_HEADS, ['session_id'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'checkpoint-replaced-in-all-tenants',
    file: 'src/repositories/checkpoint-statements.ts',
    find: "whereEqual(dialect, query, CHECKPOINTS, KEY, '');",
    replace:
      "whereEqual(dialect, query, CHECKPOINTS, ['id'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'trace-ended-in-all-tenants',
    file: 'src/repositories/trace-statements.ts',
    find: "whereEqual(dialect, query, TRACES, KEY, '')",
    replace:
      "whereEqual(dialect, query, TRACES, ['id'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
  },
  {
    name: 'head-read-in-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: 'whereEqual(dialect, query, EVENT_HEADS, KEY)',
    replace:
      "whereEqual(dialect, query.orderBy('t.tenant_id', 'desc'), EVENT_HEADS, ['session_id']).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
  },
  {
    name: 'head-set-in-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: "whereEqual(dialect, query, EVENT_HEADS, KEY, '');",
    replace:
      "whereEqual(dialect, query, EVENT_HEADS, ['session_id'], '').where('tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'checkpointed-sessions-of-all-tenants',
    file: 'src/retention/statements.ts',
    find: 'whereEqual(dialect, query, table, within);',
    replace:
      "for (const _ of within) query.where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'highest-checkpoints-of-all-tenants',
    file: 'src/retention/statements.ts',
    find: 'whereEqual(dialect, query, CHECKPOINTS, key);',
    replace:
      "whereEqual(dialect, query, CHECKPOINTS, ['session_id']).where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }));",
  },
  {
    name: 'old-sessions-of-all-tenants',
    file: 'src/retention/statements.ts',
    find: ".where('t.tenant_id', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
    replace: ".where('t.tenant_id', '>=', dialect.parameter({ name: 'tenant_id', type: 'key' }))",
  },
  {
    name: 'context-wins-over-the-bound-tenant',
    file: 'src/model/tenant.ts',
    find: 'const tenant = bound ?? context.getStore();',
    replace: 'const tenant = context.getStore() ?? bound;',
  },
  {
    name: 'iterator-reads-its-tenant-late',
    file: 'src/storage.ts',
    find: 'page(await bound, limit, cursor)',
    replace: 'page(this, limit, cursor)',
  },
  {
    name: 'delete-another-tenant-than-the-named',
    file: 'src/retention/removal.ts',
    find: 'if (named !== undefined && tenant !== named) {',
    replace: 'if (named === tenant + tenant) {',
  },
  {
    name: 'bound-storage-trims-all-tenants',
    file: 'src/storage.ts',
    find: "if (this.#tenant !== undefined) {\n        throw new InvalidArgumentError('allTenants'",
    replace: "if (this.#tenant === '') {\n        throw new InvalidArgumentError('allTenants'",
  },
  {
    name: 'all-tenants-is-the-first',
    file: 'src/retention/trims.ts',
    find: 'yield* trim(tally);\n    }',
    replace: 'return yield* trim(tally);\n    }',
  },
];
