import { expect } from 'vitest';
import { statements as auditLogs } from '../../src/repositories/audit-logs.ts';
import { statements as checkpoints } from '../../src/repositories/checkpoint-statements.ts';
import { statements as heads } from '../../src/repositories/head-statements.ts';
import { statements as memory } from '../../src/repositories/memory-statements.ts';
import { statements as traces } from '../../src/repositories/trace-statements.ts';
import { statements as retention } from '../../src/retention/statements.ts';
import type { Dialect } from '../../src/sql/dialect.ts';
import type { Statement } from '../../src/sql/statement.ts';
import type { Database } from './database.ts';
import { START, TENANT } from './ledger-data.ts';
import { ROWS } from './many-rows.ts';
import { explain, type PlanValues } from './plan.ts';

/** The index that each statement walks, and the column that bounds its range beside the equal ones. */
const EXPECTED: readonly (readonly [RegExp, string, string])[] = [
  [/^memory\.(list|page)\.byAgent\b/, 'chronos_memory_by_agent', 'created_at'],
  [/^memory\.(list|page)\.byKind\b/, 'chronos_memory_by_kind', 'created_at'],
  [/^memory\.newest$/, 'chronos_memory_by_key', 'created_at'],
  [/^auditLogs\./, 'chronos_audit_logs_by_session', 'created_at'],
  [/^traces\./, 'chronos_traces_by_session', 'started_at'],
  [/^checkpoints\./, 'chronos_checkpoints_by_place', 'seq_num'],
  [/^heads\.last$/, 'chronos_events_by_place', 'seq_num'],
  [/^retention\.aged\.events\./, 'chronos_events_by_time', 'created_at'],
  [/^retention\.aged\.traces\./, 'chronos_traces_by_time', 'started_at'],
  [/^retention\.aged\.auditLogs\./, 'chronos_audit_logs_by_time', 'created_at'],
  [/^retention\.sessions\.old$/, 'chronos_sessions_by_update', 'updated_at'],
  [/^retention\.checkpoints\./, 'chronos_checkpoints_by_place', 'seq_num'],
  [/^retention\.session\.memory\./, 'chronos_memory_by_session', 'id'],
  [/^retention\.session\.auditLogs\./, 'chronos_audit_logs_by_session', 'created_at'],
  [/^retention\.session\.traces\./, 'chronos_traces_by_session', 'started_at'],
  [/^retention\.session\.events\./, 'chronos_events_by_place', 'seq_num'],
  [/^retention\.session\.checkpoints\./, 'chronos_checkpoints_by_place', 'seq_num'],
];

function expectationOf({ name }: Statement): { index: string; column: string } {
  const found = EXPECTED.find(([pattern]) => pattern.test(name));
  if (!found) throw new Error(`the test knows no index for ${name}`);
  return { index: found[1], column: found[2] };
}

/** Every read of many rows of the records beside sessions and events, and every DELETE of many, but those of a whole tenant. */
export function otherStatements(dialect: Dialect): readonly Statement[] {
  const { aged, children, checkpoints: below, highest, old } = retention(dialect);
  const sweeps = [...Object.values(aged), ...Object.values(children), below];
  return [
    ...memory(dialect).reads,
    ...auditLogs(dialect).reads,
    ...traces(dialect).reads,
    ...checkpoints(dialect).reads,
    heads(dialect).last,
    ...sweeps.flatMap(({ remove, edge }) => [remove, edge]),
    highest,
    old,
  ];
}

/** Where a statement goes on: in the middle of what it reads. */
function valuesFor(time: (ms: number) => string | number, session: string): PlanValues {
  const middle = time(START + (ROWS / 2) * 100);
  return {
    tenant_id: TENANT,
    session_id: session,
    agent_id: 'agent-1',
    kind: 'kind-2',
    key: 'key-7',
    'cursor.seq_num': 25_000,
    'cursor.created_at': time(START + 2_500_000),
    'cursor.started_at': time(START + 2_500_000),
    'cursor.updated_at': time(START + 2_500_000),
    'cursor.id': '50000',
    before: middle,
    limit: 101,
    offset: 100,
  };
}

/** The parameters `from` and `before` have the type of what the statement walks. */
function fitted(statement: Statement, dialect: Dialect, values: PlanValues): PlanValues {
  const { column } = expectationOf(statement);
  if (column === 'seq_num') return { ...values, from: 10_000, before: 40_000 };
  return column === 'id'
    ? { ...values, from: '10000' }
    : { ...values, from: dialect.time(START + 1_000_000) };
}

const BOUNDED = /^(from|cursor\.id|cursor\.seq_num|before)$/;

/** The planner walks a range of the index that is meant, and nothing else. */
export async function expectWalk(
  { query }: Database,
  dialect: Dialect,
  statement: Statement,
  session: string,
): Promise<void> {
  const values = fitted(statement, dialect, valuesFor(dialect.time, session));
  const { index, column } = expectationOf(statement);
  const bounded = statement.order.some((parameter) => BOUNDED.test(parameter));
  for (const { faults, indexes, bounds, text } of await explain(query, dialect.name, statement, values)) {
    const found = { faults, indexes, bounded: !bounded || bounds(column) };
    const said = `${statement.name}, ${values.session_id}: ${statement.text}\n${text}`;
    expect(found, said).toEqual({ faults: [], indexes: [index], bounded: true });
  }
}
