import type { Storage } from '../index.ts';
import { event } from './expect.ts';
import { AT, auditLog, checkpoint, memoryRecord, span } from './records.ts';

type Held = Readonly<Record<'memory' | 'auditLogs' | 'traces' | 'events' | 'checkpoints', number>>;

/** How many of each kind carry a session's id: no two numbers alike, so that counts tell which is which. */
export const HOLDS: Held = Object.freeze({ memory: 2, auditLogs: 3, traces: 4, events: 5, checkpoints: 6 });

export const NOTHING: Held = Object.freeze({ memory: 0, auditLogs: 0, traces: 0, events: 0, checkpoints: 0 });

export interface Filling {
  readonly sessionId: string;
  /** Before each id: ids are unique in the tenant. */
  readonly prefix?: string;
  /** The time of all. */
  readonly at?: Date;
}

/** Stores what {@link HOLDS} says, without the session itself. */
export async function fillSession(storage: Storage, filling: Filling): Promise<void> {
  const { sessionId, prefix = sessionId, at = AT } = filling;
  const each = async (count: number, store: (id: string, n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 1; n <= count; n += 1) await store(`${prefix}${n}`, n);
  };
  await each(HOLDS.memory, (id) => storage.putMemory(memoryRecord({ id, sessionId, createdAt: at })));
  await each(HOLDS.auditLogs, (id) => storage.appendAuditLog(auditLog({ id, sessionId, createdAt: at })));
  await each(HOLDS.traces, (id) => storage.insertTrace(span({ id, sessionId, startedAt: at })));
  await each(HOLDS.events, (id, seqNum) =>
    storage.appendEvent(event({ id, sessionId, seqNum, createdAt: at })),
  );
  await each(HOLDS.checkpoints, (id, seqNum) =>
    storage.saveCheckpoint(checkpoint({ id, sessionId, seqNum, createdAt: at })),
  );
}

/** How many of each kind carry a session's id now. */
export async function holds(
  storage: Storage,
  sessionId: string,
): Promise<Readonly<Record<keyof typeof HOLDS, number>>> {
  const memory = (await storage.listMemory('agent')).filter((one) => one.sessionId === sessionId);
  return {
    memory: memory.length,
    auditLogs: (await storage.listAuditLogs(sessionId)).length,
    traces: (await storage.listTraces(sessionId)).length,
    events: (await storage.listEvents(sessionId)).length,
    checkpoints: (await storage.listCheckpoints(sessionId)).length,
  };
}
