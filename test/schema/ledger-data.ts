import { createHash } from 'node:crypto';
import type { Language } from '../../src/sql/dialect-name.ts';
import type { Query } from './database.ts';

/** Sessions and events of {@link insertLedger}. */
export const SIZE = { sessions: 1_000, events: 100_000, largeSessions: 10, inLargeSession: 5_000 } as const;

export const TENANT = 'default';
export const LARGE_SESSION = 'session-00004';
export const SMALL_SESSION = 'session-00500';
export const AGENT = 'agent-1';

export const START: number = Date.UTC(2025, 0, 1);
const STATUSES = ['completed', 'running', 'failed', 'running'];

/** A moment as SQL text of the language, milliseconds since {@link START} of the year given. */
export function moment(language: Language, ms: number): string {
  if (language === 'sqlite') return String(START + ms);
  return `'${new Date(START + ms).toISOString().slice(0, -1).replace('T', ' ')}'`;
}

function session(at: number, time: (ms: number) => string): string {
  const id = `session-${String(at).padStart(5, '0')}`;
  const status = STATUSES[at % STATUSES.length];
  return `('${TENANT}', '${id}', 'agent-${at % 3}', '${status}', '{"n":${at}}', ${time(at * 60_000)}, ${time(at * 90_000)})`;
}

/** Half of the events are in ten large sessions, the rest spread over the others; each place is shared by two. */
function event(at: number, time: (ms: number) => string): string {
  const { largeSessions, inLargeSession, sessions } = SIZE;
  const large = at < largeSessions * inLargeSession;
  const owner = large ? at % largeSessions : largeSessions + (at % (sessions - largeSessions));
  const place = Math.floor(at / (large ? largeSessions : sessions - largeSessions) / 2) + 1;
  const id = createHash('sha256').update(String(at)).digest('hex').slice(0, 32);
  return `('${TENANT}', '${id}', 'session-${String(owner).padStart(5, '0')}', ${place}, 'model_call', '{"n":${at}}', ${time(at * 100)})`;
}

/** 1 000 sessions and 100 000 events of one tenant, in many statements of plain SQL. */
export async function insertLedger(query: Query, language: Language): Promise<void> {
  const time = (ms: number) => moment(language, ms);
  const insert = async (table: string, row: typeof session, count: number) => {
    for (let from = 0; from < count; from += 2_000) {
      const rows = Array.from({ length: Math.min(2_000, count - from) }, (_, n) => row(from + n, time));
      await query(`insert into ${table} values ${rows.join(',')}`);
    }
  };
  await query('begin');
  await insert('chronos_sessions', session, SIZE.sessions);
  await insert('chronos_events', event, SIZE.events);
  await query('commit');
}

/** Lets the planner know the data. */
export async function analyze(query: Query, language: Language): Promise<void> {
  const word = language === 'mysql' ? 'analyze table' : 'analyze';
  for (const table of ['chronos_sessions', 'chronos_events']) await query(`${word} ${table}`);
}

/** Count and SHA-256 of all columns of all sessions and events, in the order of their ids. */
export async function fingerprint(query: Query): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const table of ['chronos_sessions', 'chronos_events']) {
    const rows = await query<Record<string, unknown>>(`select * from ${table} order by tenant_id, id`);
    const hash = createHash('sha256');
    for (const row of rows) hash.update(JSON.stringify(Object.values(row)));
    prints[table] = `${rows.length} rows ${hash.digest('hex')}`;
  }
  return prints;
}
