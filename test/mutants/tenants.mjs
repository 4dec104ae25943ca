// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of code.
/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const tenants = [
  {
    name: 'get-in-all-tenants',
    file: 'src/repositories/by-id.ts',
    find: 'for (const column of columnsOf(table, ...KEY)) query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(table, ...KEY)) query.where(`t.${column.name}`, column.name === 'id' ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'delete-in-all-tenants',
    file: 'src/repositories/by-id.ts',
    find: 'for (const column of columnsOf(table, ...KEY)) query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(table, ...KEY)) query.where(column.name, column.name === 'id' ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'lists-of-all-tenants',
    file: 'src/repositories/orders.ts',
    find: 'query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "query.where(`t.${column.name}`, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'memory-of-all-tenants',
    file: 'src/repositories/memory-statements.ts',
    find: 'query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "query.where(`t.${column.name}`, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
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
    find: 'query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "query.where(`t.${column.name}`, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'repeat-found-in-all-tenants',
    file: 'src/sql/bulk.ts',
    find: ".where('t.tenant_id', dialect.parameter(tenant))",
    replace: ".where('t.tenant_id', '>=', dialect.parameter(tenant))",
  },
  {
    name: 'latest-checkpoint-of-all-tenants',
    file: 'src/repositories/checkpoint-statements.ts',
    find: 'const query = dialect.from(CHECKPOINTS, PLACE.index).select(dialect.columns(CHECKPOINTS.columns));\n  for (const column of columnsOf(CHECKPOINTS, ...where)) {\n    query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "const query = dialect.from(CHECKPOINTS, PLACE.index).select(dialect.columns(CHECKPOINTS.columns));\n  for (const column of columnsOf(CHECKPOINTS, ...where)) {\n    query.where(`t.${column.name}`, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'first-place-above-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: "const query = dialect.from(EVENTS, 'chronos_events_by_place').select(dialect.columns([SEQ]));\n  for (const column of [TENANT, SESSION]) query.where(`t.${column.name}`, dialect.parameter(column));",
    replace:
      "const query = dialect.from(EVENTS, 'chronos_events_by_place').select(dialect.columns([SEQ]));\n  for (const column of [TENANT, SESSION]) query.where(`t.${column.name}`, column === SESSION ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'retention-in-all-tenants',
    file: 'src/sql/sweep.ts',
    find: 'query.where(alias + column.name, dialect.parameter(column));',
    replace:
      "query.where(alias + column.name, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'session-deleted-in-all-tenants',
    file: 'src/retention/statements.ts',
    find: 'for (const column of columnsOf(SESSIONS, ...parameters)) {\n    query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(SESSIONS, ...parameters)) {\n    query.where(column.name, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'head-deleted-in-all-tenants',
    file: 'src/retention/statements.ts',
    find: 'for (const column of columnsOf(EVENT_HEADS, ...key)) query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(EVENT_HEADS, ...key)) query.where(column.name, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
  },
  {
    name: 'checkpoint-replaced-in-all-tenants',
    file: 'src/repositories/checkpoint-statements.ts',
    find: 'for (const column of columnsOf(CHECKPOINTS, ...KEY)) query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(CHECKPOINTS, ...KEY)) query.where(column.name, column.name === 'id' ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'trace-ended-in-all-tenants',
    file: 'src/repositories/trace-statements.ts',
    find: 'for (const column of columnsOf(TRACES, ...KEY)) query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of columnsOf(TRACES, ...KEY)) query.where(column.name, column.name === 'id' ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'head-read-in-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: 'select(dialect.columns([HEAD]));\n  for (const column of [TENANT, SESSION]) query.where(`t.${column.name}`, dialect.parameter(column));',
    replace:
      "select(dialect.columns([HEAD])).orderBy('t.tenant_id', 'desc');\n  for (const column of [TENANT, SESSION]) query.where(`t.${column.name}`, column === SESSION ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'head-set-in-all-tenants',
    file: 'src/repositories/head-statements.ts',
    find: 'for (const column of [TENANT, SESSION]) query.where(column.name, dialect.parameter(column));',
    replace:
      "for (const column of [TENANT, SESSION]) query.where(column.name, column === SESSION ? '=' : '>=', dialect.parameter(column));",
  },
  {
    name: 'checkpointed-sessions-of-all-tenants',
    file: 'src/retention/statements.ts',
    find: 'for (const one of columnsOf(table, ...within)) query.where(`t.${one.name}`, dialect.parameter(one));',
    replace:
      "for (const one of columnsOf(table, ...within)) query.where(`t.${one.name}`, '>=', dialect.parameter(one));",
  },
  {
    name: 'highest-checkpoints-of-all-tenants',
    file: 'src/retention/statements.ts',
    find: "select(dialect.columns(columnsOf(CHECKPOINTS, 'seq_num')));\n  for (const column of columnsOf(CHECKPOINTS, ...key)) {\n    query.where(`t.${column.name}`, dialect.parameter(column));",
    replace:
      "select(dialect.columns(columnsOf(CHECKPOINTS, 'seq_num')));\n  for (const column of columnsOf(CHECKPOINTS, ...key)) {\n    query.where(`t.${column.name}`, column.name === 'tenant_id' ? '>=' : '=', dialect.parameter(column));",
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
