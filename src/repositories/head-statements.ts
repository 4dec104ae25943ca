import { type Column, EVENT_HEADS, EVENTS } from '../model/tables.ts';
import { compile, LIMIT } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { current, whereEqual } from '../sql/where.ts';
import { perDialect } from './backing.ts';

const KEY = ['tenant_id', 'session_id'] as const;
const APPENDED = ['tenant_id', 'session_id', 'id', 'type', 'payload', 'created_at'];
const [TENANT, SESSION, HEAD] = columnsOf(EVENT_HEADS, ...KEY, 'head') as [Column, Column, Column];
const [SEQ] = columnsOf(EVENTS, 'seq_num') as [Column];

/** Adds `head` to a session's head, which it makes where there is none, and locks it until the transaction ends. */
function take(dialect: Dialect): Statement {
  const { builder } = dialect;
  const count = { name: 'head', type: 'int' } as const;
  const grown = builder.raw('?? + ?', [`${EVENT_HEADS.name}.head`, dialect.parameter(count)]);
  const query = dialect
    .into(EVENT_HEADS)
    .insert({
      tenant_id: dialect.parameter(TENANT),
      session_id: dialect.parameter(SESSION),
      head: dialect.parameter(count),
    })
    .onConflict([...KEY])
    .merge({ head: grown });
  // knex has no RETURNING for MariaDB.
  const whole = dialect.returns ? builder.raw('? returning ??', [query, HEAD.name]) : query;
  return compile('heads.take', whole, [...KEY, 'head']);
}

function get(dialect: Dialect): Statement {
  const query = dialect.from(EVENT_HEADS).select(dialect.columns([HEAD]));
  return compile('heads.get', current(dialect, whereEqual(dialect, query, EVENT_HEADS, KEY)), KEY);
}

function set(dialect: Dialect): Statement {
  const query = dialect.into(EVENT_HEADS).update({ head: dialect.parameter(HEAD) });
  whereEqual(dialect, query, EVENT_HEADS, KEY, '');
  return compile('heads.set', query, [...KEY, 'head']);
}

function drop(dialect: Dialect): Statement {
  const query = whereEqual(dialect, dialect.into(EVENT_HEADS).delete(), EVENT_HEADS, KEY, '');
  return compile('heads.drop', query, KEY);
}

/**
 * The greatest place stored in a session. Not locked: in REPEATABLE READ the gap at the session's end would be too,
 * and two hosts that begin neighbouring sessions at once would deadlock.
 */
function last(dialect: Dialect): Statement {
  const query = dialect.from(EVENTS, 'chronos_events_by_place').select(dialect.columns([SEQ]));
  whereEqual(dialect, query, EVENTS, KEY);
  query
    .orderBy([
      { column: 't.seq_num', order: 'desc' },
      { column: 't.id', order: 'desc' },
    ])
    .limit(LIMIT);
  return compileOrdered(dialect, 'heads.last', query, [...KEY, 'limit']);
}

/** One call that takes a place and stores the event, where the schema has a function for it. */
function append(dialect: Dialect): Statement | undefined {
  if (dialect.appendFunction === undefined) return undefined;
  const columns = columnsOf(EVENTS, ...APPENDED);
  const values = columns.map((column) => dialect.parameter(column));
  const call = dialect.builder.raw(`?(${columns.map(() => '?').join(', ')}) as ??`, [
    dialect.routine(dialect.appendFunction),
    ...values,
    't',
  ]);
  const place = columnsOf(EVENTS, 'seq_num');
  const query = dialect.builder.select(['inserted', ...dialect.columns(place)]).from(call);
  return compile('heads.append', query, APPENDED);
}

/** The statements by which the store gives places. */
export interface HeadStatements {
  readonly take: Statement;
  readonly get: Statement;
  readonly set: Statement;
  readonly drop: Statement;
  readonly last: Statement;
  readonly append: Statement | undefined;
}

/** Made once for each dialect. */
export const statements: (dialect: Dialect) => HeadStatements = perDialect((dialect) => ({
  take: take(dialect),
  get: get(dialect),
  set: set(dialect),
  drop: drop(dialect),
  last: last(dialect),
  append: append(dialect),
}));
