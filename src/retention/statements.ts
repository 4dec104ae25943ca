import {
  AUDIT_LOGS,
  CHECKPOINTS,
  type Column,
  EVENT_HEADS,
  EVENTS,
  MEMORY,
  SESSIONS,
  type Table,
  TRACES,
} from '../model/tables.ts';
import { perDialect } from '../repositories/backing.ts';
import { deleteStatement } from '../repositories/by-id.ts';
import { compile, LIMIT, OFFSET } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { type Sweep, type SweepStatements, sweepStatements } from '../sql/sweep.ts';
import { whereEqual } from '../sql/where.ts';

/** The records that belong to a session, by their name in a result. */
export type Child = 'memory' | 'auditLogs' | 'traces' | 'events' | 'checkpoints';

const CHILDREN: Readonly<Record<Child, Sweep>> = {
  memory: child(MEMORY, 'chronos_memory_by_session', ['id']),
  auditLogs: child(AUDIT_LOGS, 'chronos_audit_logs_by_session', ['created_at', 'id']),
  traces: child(TRACES, 'chronos_traces_by_session', ['started_at', 'id']),
  events: child(EVENTS, 'chronos_events_by_place', ['seq_num', 'id']),
  checkpoints: child(CHECKPOINTS, 'chronos_checkpoints_by_place', ['seq_num']),
};

function child(table: Table, index: string, keys: Sweep['keys']): Sweep {
  return { table, index, where: ['session_id'], keys, bounded: false };
}

function byAge(table: Table, index: string, time: string): Sweep {
  return { table, index, where: [], keys: [time, 'id'], bounded: true };
}

function whole(table: Table, key: string): Sweep {
  return { table, where: [], keys: [key], bounded: false };
}

/** The next tenant, or session of a tenant, that has rows in a table: one step of a walk that skips the rest. */
function nextOf(
  dialect: Dialect,
  name: string,
  table: Table,
  column: string,
  within: readonly string[],
): Statement {
  const [key] = columnsOf(table, column) as [Column];
  const least = dialect.read[key.type].replace('??', 'min(??)');
  const next = dialect.builder.raw(`${least} as ??`, [`t.${column}`, 'next']);
  const query = dialect.from(table).select(next);
  whereEqual(dialect, query, table, within);
  query.where(`t.${column}`, '>', dialect.parameter(key, 'after'));
  return compile(name, query, [...within, 'after']);
}

/** Sessions whose last change is before a moment, oldest first, beyond a position. */
function old(dialect: Dialect): Statement {
  const [updated, id, status] = columnsOf(SESSIONS, 'updated_at', 'id', 'status') as [Column, Column, Column];
  const query = dialect
    .from(SESSIONS, 'chronos_sessions_by_update')
    .select(dialect.columns([updated, id, status]))
    .where('t.tenant_id', dialect.parameter({ name: 'tenant_id', type: 'key' }))
    .where(dialect.beyond([updated, id], false))
    .where('t.updated_at', '<', dialect.parameter(updated, 'before'))
    .orderBy([{ column: 't.updated_at' }, { column: 't.id' }])
    .limit(LIMIT);
  return compileOrdered(dialect, 'retention.sessions.old', query, [
    'tenant_id',
    'cursor.updated_at',
    'cursor.id',
    'before',
    'limit',
  ]);
}

function highest(dialect: Dialect): Statement {
  const key = ['tenant_id', 'session_id'];
  const query = dialect
    .from(CHECKPOINTS, CHILDREN.checkpoints.index)
    .select(dialect.columns(columnsOf(CHECKPOINTS, 'seq_num')));
  whereEqual(dialect, query, CHECKPOINTS, key);
  query.orderBy('t.seq_num', 'desc').limit(LIMIT).offset(OFFSET);
  return compileOrdered(dialect, 'retention.checkpoints.highest', query, [...key, 'limit', 'offset']);
}

/** Deletes a session by its key, if its last change is before a moment and its status is this. */
function removeOld(dialect: Dialect): Statement {
  const parameters = ['tenant_id', 'id', 'status'];
  const query = whereEqual(dialect, dialect.into(SESSIONS).delete(), SESSIONS, parameters, '');
  query.where('updated_at', '<', dialect.parameter({ name: 'updated_at', type: 'time' }, 'before'));
  return compile('retention.session.old', query, [...parameters, 'before']);
}

function removeHead(dialect: Dialect): Statement {
  const key = ['tenant_id', 'session_id'];
  const query = whereEqual(dialect, dialect.into(EVENT_HEADS).delete(), EVENT_HEADS, key, '');
  return compile('retention.head', query, key);
}

/** The statements of retention and removal. */
export interface RetentionStatements {
  /** What is older than a moment. */
  readonly aged: Readonly<Record<'events' | 'traces' | 'auditLogs', SweepStatements>>;
  /** What belongs to a session. */
  readonly children: Readonly<Record<Child, SweepStatements>>;
  /** What belongs to a tenant. */
  readonly wholes: Readonly<Record<Child | 'sessions' | 'heads', SweepStatements>>;
  /** The checkpoints of a session below a place. */
  readonly checkpoints: SweepStatements;
  /** The places of a session's checkpoints, the highest first, from `offset` on. */
  readonly highest: Statement;
  readonly old: Statement;
  readonly session: Statement;
  readonly sessionIfOld: Statement;
  readonly head: Statement;
  /** The next tenant that has rows of a kind. */
  readonly tenants: Readonly<Record<'events' | 'traces' | 'auditLogs' | 'sessions', Statement>>;
  /** The next session of a tenant that has checkpoints. */
  readonly checkpointed: Statement;
}

const AGED = {
  events: byAge(EVENTS, 'chronos_events_by_time', 'created_at'),
  traces: byAge(TRACES, 'chronos_traces_by_time', 'started_at'),
  auditLogs: byAge(AUDIT_LOGS, 'chronos_audit_logs_by_time', 'created_at'),
};
const WHOLES = {
  sessions: whole(SESSIONS, 'id'),
  memory: whole(MEMORY, 'id'),
  auditLogs: whole(AUDIT_LOGS, 'id'),
  traces: whole(TRACES, 'id'),
  events: whole(EVENTS, 'id'),
  checkpoints: whole(CHECKPOINTS, 'id'),
  heads: whole(EVENT_HEADS, 'session_id'),
};

function each<Name extends string, From, To>(
  from: Readonly<Record<Name, From>>,
  make: (name: Name, value: From) => To,
): Readonly<Record<Name, To>> {
  const entries = (Object.entries(from) as [Name, From][]).map(([name, value]) => [name, make(name, value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => RetentionStatements = perDialect((dialect) => {
  const sweep = (group: string) => (name: string, one: Sweep) =>
    sweepStatements(dialect, `retention.${group}.${name}`, one);
  const tenant = (name: string, { table }: { readonly table: Table }) =>
    nextOf(dialect, `retention.tenants.${name}`, table, 'tenant_id', []);
  return {
    aged: each(AGED, sweep('aged')),
    children: each(CHILDREN, sweep('session')),
    wholes: each(WHOLES, sweep('tenant')),
    checkpoints: sweepStatements(dialect, 'retention.checkpoints', {
      ...CHILDREN.checkpoints,
      bounded: true,
    }),
    highest: highest(dialect),
    old: old(dialect),
    session: deleteStatement(dialect, 'retention.session', SESSIONS),
    sessionIfOld: removeOld(dialect),
    head: removeHead(dialect),
    tenants: each({ ...AGED, sessions: { table: SESSIONS } }, tenant),
    checkpointed: nextOf(dialect, 'retention.checkpointed', CHECKPOINTS, 'session_id', ['tenant_id']),
  };
});
