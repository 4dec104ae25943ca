import type { Storage } from '../../src/index.ts';
import { ConflictError } from '../../src/index.ts';
import type { TenantState } from './modelled.ts';
import { AGENTS, SESSIONS } from './pools.ts';

/** A tenant's records by id, and its heads by session. */
export type Contents = Readonly<Record<keyof TenantState, Readonly<Record<string, unknown>>>>;

function byId(records: readonly { readonly id: string }[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(records.map((one) => [one.id, one]));
}

async function ofSessions<T>(read: (sessionId: string) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for (const sessionId of SESSIONS) all.push(...(await read(sessionId)));
  return all;
}

/** The last place that the store gave out in a session: told by the refusal of an append that expects another. */
async function headOf(storage: Storage, sessionId: string): Promise<number | undefined> {
  const probe = { id: 'probe', sessionId, type: 'probe', payload: 0 };
  const refused: unknown = await storage
    .appendEvents([probe], { expectedSeq: 987_654_321 })
    .catch((error: unknown) => error);
  if (!(refused instanceof ConflictError)) throw refused;
  return refused.actualSeq;
}

/** All that a storage, bound to one tenant, says that it has. */
export async function contentsOf(storage: Storage): Promise<Contents> {
  const heads: Record<string, unknown> = {};
  for (const sessionId of SESSIONS) {
    const head = await headOf(storage, sessionId);
    if (head !== 0) heads[sessionId] = head;
  }
  const memory = [];
  for (const agentId of AGENTS) memory.push(...(await storage.listMemory(agentId)));
  return {
    sessions: byId(await storage.listSessions('', 1000)),
    memory: byId(memory),
    auditLogs: byId(await ofSessions((id) => storage.listAuditLogs(id, 1000))),
    traces: byId(await ofSessions((id) => storage.listTraces(id))),
    events: byId(await ofSessions((id) => storage.listEvents(id))),
    checkpoints: byId(await ofSessions((id) => storage.listCheckpoints(id))),
    heads,
  };
}

/** All that a tenant of the model has. */
export function contentsIn(state: TenantState): Contents {
  return {
    sessions: Object.fromEntries(state.sessions),
    memory: Object.fromEntries(state.memory),
    auditLogs: Object.fromEntries(state.auditLogs),
    traces: Object.fromEntries(state.traces),
    events: Object.fromEntries(state.events),
    checkpoints: Object.fromEntries(state.checkpoints),
    heads: Object.fromEntries(state.heads),
  };
}

/** How many records a tenant has, as `deleteTenant` counts them. */
export function countsOf({ heads: _, ...kinds }: TenantState): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(kinds).map(([name, records]) => [name, records.size]));
}
