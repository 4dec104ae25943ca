import { type Column, SESSIONS } from '../model/tables.ts';
import { insertOne } from '../sql/bulk.ts';
import { compile, parameter } from '../sql/compile.ts';
import type { Dialect, Fragment } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { perDialect } from './backing.ts';
import { getStatement } from './by-id.ts';
import { type Order, offsetStatement, type Pages, pageStatements, statementsOf } from './orders.ts';

/** Which columns an update writes beside `updated_at`. */
export type Change = 'update' | 'updateStatus';

const CHANGED: Readonly<Record<Change, readonly string[]>> = {
  update: ['status', 'metadata'],
  updateStatus: ['status'],
};

const FILTERS = {
  all: [],
  byAgent: ['agent_id'],
  byStatus: ['status'],
  byAgentAndStatus: ['agent_id', 'status'],
} as const;

const INDEXES: Readonly<Record<Filter, string>> = {
  all: 'chronos_sessions_by_time',
  byAgent: 'chronos_sessions_by_agent',
  byStatus: 'chronos_sessions_by_status',
  byAgentAndStatus: 'chronos_sessions_by_agent_status',
};

/** Which columns a list is filtered by. */
export type Filter = keyof typeof FILTERS;

/** What `listSessions` can filter by. */
type ListFilter = 'all' | 'byAgent';

/** The filter that has exactly these columns. */
export function filterName(values: Readonly<Record<string, string>>): Filter {
  if (values.agent_id === undefined) return values.status === undefined ? 'all' : 'byStatus';
  return values.status === undefined ? 'byAgent' : 'byAgentAndStatus';
}

const [TENANT, ID, UPDATED] = columnsOf(SESSIONS, 'tenant_id', 'id', 'updated_at') as [
  Column,
  Column,
  Column,
];

function orderOf(filter: Filter): Order {
  return {
    table: SESSIONS,
    index: INDEXES[filter],
    where: FILTERS[filter],
    keys: ['created_at', 'id'],
    descending: true,
  };
}

/** Writes a session; gives it back, with `updated_at` above what was stored, where the engine can. */
function change(dialect: Dialect, which: Change, conditional: boolean): Statement {
  const columns = columnsOf(SESSIONS, ...CHANGED[which]);
  const set: Record<string, Fragment> = Object.fromEntries(
    columns.map((column) => [column.name, dialect.parameter(column)]),
  );
  const least = parameter('at_least');
  set.updated_at =
    dialect.later === undefined
      ? dialect.parameter(UPDATED, 'at_least')
      : dialect.builder.raw(dialect.later, [least, 'updated_at']);
  const query = dialect
    .into(SESSIONS)
    .update(set)
    .where('tenant_id', dialect.parameter(TENANT))
    .where('id', dialect.parameter(ID));
  const parameters = ['tenant_id', 'id', 'at_least', ...CHANGED[which]];
  if (conditional) {
    query.where('updated_at', dialect.parameter(UPDATED, 'if_updated_at'));
    parameters.push('if_updated_at');
  }
  if (dialect.later !== undefined) query.returning(dialect.columns(SESSIONS.columns, ''));
  return compile(`sessions.${which}${conditional ? 'If' : ''}`, query, parameters, { once: conditional });
}

function perFilter<T>(make: (filter: Filter) => T): Readonly<Record<Filter, T>> {
  return {
    all: make('all'),
    byAgent: make('byAgent'),
    byStatus: make('byStatus'),
    byAgentAndStatus: make('byAgentAndStatus'),
  };
}

function perChange(make: (which: Change) => Statement): Readonly<Record<Change, Statement>> {
  return { update: make('update'), updateStatus: make('updateStatus') };
}

/** The statements of {@link Sessions}. */
export interface SessionStatements {
  readonly create: Statement;
  readonly get: Statement;
  /** `get`, locking the row until the transaction ends. */
  readonly lock: Statement;
  readonly changes: Readonly<Record<Change, Statement>>;
  /** As `changes`, only where `updated_at` is the parameter `if_updated_at`. */
  readonly changesIf: Readonly<Record<Change, Statement>>;
  readonly list: Readonly<Record<ListFilter, Statement>>;
  readonly pages: Readonly<Record<Filter, Pages>>;
  /** Every read of many rows: each must be an index range without a sort. */
  readonly reads: readonly Statement[];
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => SessionStatements = perDialect((dialect) => {
  const list = (filter: ListFilter) => offsetStatement(dialect, `sessions.list.${filter}`, orderOf(filter));
  const lists = { all: list('all'), byAgent: list('byAgent') };
  const pages = perFilter((filter) => pageStatements(dialect, `sessions.page.${filter}`, orderOf(filter)));
  return {
    create: insertOne(dialect, 'sessions.create', SESSIONS, { once: true }),
    get: getStatement(dialect, 'sessions.get', SESSIONS),
    lock: getStatement(dialect, 'sessions.lock', SESSIONS, { locking: true }),
    changes: perChange((which) => change(dialect, which, false)),
    changesIf: perChange((which) => change(dialect, which, true)),
    list: lists,
    pages,
    reads: [...Object.values(lists), ...Object.values(pages).flatMap(statementsOf)],
  };
});
