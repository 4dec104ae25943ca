import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { statements as eventStatements } from '../../src/repositories/event-statements.ts';
import { statements as sessionStatements } from '../../src/repositories/session-statements.ts';
import { type Dialect, dialectFor } from '../../src/sql/dialect.ts';
import type { Statement } from '../../src/sql/statement.ts';
import { variants } from '../variants.ts';
import { type Database, openDatabase } from './database.ts';
import { DIALECTS } from './dialects.ts';
import {
  AGENT,
  analyze,
  fingerprint,
  insertLedger,
  LARGE_SESSION,
  SMALL_SESSION,
  START,
  TENANT,
} from './ledger-data.ts';
import { insertMany } from './many-rows.ts';
import { migrateDown, migrateUp } from './migrated.ts';
import { expectWalk, otherStatements } from './other-statements.ts';
import { explain, type PlanValues } from './plan.ts';

// 100 000 rows of each record take their time on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** The index that each read walks, by the words after which a statement is named. */
const INDEXES: readonly (readonly [RegExp, string])[] = [
  [/^sessions\.(list|page)\.all\b/, 'chronos_sessions_by_time'],
  [/^sessions\.(list|page)\.byAgent\b/, 'chronos_sessions_by_agent'],
  [/^sessions\.page\.byStatus\b/, 'chronos_sessions_by_status'],
  [/^sessions\.page\.byAgentAndStatus\b/, 'chronos_sessions_by_agent_status'],
  [/^events\.(list|page)\b/, 'chronos_events_by_place'],
];

function indexFor(statement: Statement): string {
  const index = INDEXES.find(([name]) => name.test(statement.name))?.[1];
  if (index === undefined) throw new Error(`the test knows no index for ${statement.name}`);
  return index;
}

/** Where a read goes on: in the middle of what it reads. */
function valuesFor(time: (ms: number) => string | number, session: string): PlanValues {
  return {
    tenant_id: TENANT,
    session_id: session,
    agent_id: AGENT,
    status: 'running',
    floor: 5,
    'cursor.seq_num': 10,
    'cursor.created_at': time(START + 30_000_000),
    'cursor.id': '8000',
    limit: 101,
    offset: 100,
  };
}

describe.each(variants)(
  '1 000 sessions and 100 000 events on $name',
  ({ name, language, createDatabase }) => {
    let database: Database;

    beforeAll(async () => {
      database = await openDatabase((await createDatabase('orders')).url);
      await migrateUp(database.target, '0001_ledger');
      await insertLedger(database.query, language);
    });
    afterAll(() => database.close());

    it('are kept by the second migration, up, down and up', async () => {
      const before = await fingerprint(database.query);
      expect(before.chronos_sessions).toMatch(/^1000 rows/);
      expect(before.chronos_events).toMatch(/^100000 rows/);
      await migrateUp(database.target);
      expect(await fingerprint(database.query)).toEqual(before);
      await migrateDown(database.target, '0001_ledger');
      expect(await fingerprint(database.query)).toEqual(before);
      await migrateUp(database.target);
      expect(await fingerprint(database.query)).toEqual(before);
    });

    it('are read in each order of the contract by an index range without a sort', async () => {
      await analyze(database.query, language);
      const dialect = await dialectFor(DIALECTS[name]);
      const reads = [...sessionStatements(dialect).reads, ...eventStatements(dialect).reads];
      for (const session of [LARGE_SESSION, SMALL_SESSION]) {
        for (const read of reads)
          await expectRange(database, dialect, read, valuesFor(dialect.time, session));
      }
    });

    it('as 100 000 of every other record, are read and removed by an index range without a sort', async () => {
      await insertMany(database.query, language);
      const dialect = await dialectFor(DIALECTS[name]);
      for (const session of [LARGE_SESSION, SMALL_SESSION]) {
        for (const statement of otherStatements(dialect)) {
          await expectWalk(database, dialect, statement, session);
        }
      }
    });
  },
);

async function expectRange(
  { query }: Database,
  dialect: Dialect,
  read: Statement,
  values: PlanValues,
): Promise<void> {
  const beyond = read.order.includes('floor') || read.order.includes('cursor.id');
  const column = read.order.includes('session_id') ? 'seq_num' : 'created_at';
  for (const { faults, indexes, bounds, text } of await explain(query, dialect.name, read, values)) {
    const found = { faults, indexes, bounded: !beyond || bounds(column) };
    const said = `${read.name}, ${values.session_id}: ${read.text}\n${text}`;
    expect(found, said).toEqual({ faults: [], indexes: [indexFor(read)], bounded: true });
  }
}
