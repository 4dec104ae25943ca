import type { Direction, Storage } from '../index.ts';
import { event } from './expect.ts';
import { after, auditLog, checkpoint, memoryRecord, span } from './records.ts';
import type { Ability } from './suite.ts';

interface Row {
  readonly id: string;
}

/** What a walker asks of a page. */
export interface Asked {
  readonly size?: number | undefined;
  readonly cursor?: string;
  readonly direction?: Direction;
}

/** A paged method and what goes with it, on the agent `agent` or the session `s`. */
export interface Walker {
  readonly method: string;
  /** Whether it goes from the lowest place to the highest. */
  readonly ascending: boolean;
  /** Whether two rows may share a place. */
  readonly ties: boolean;
  /** Stores a row at a place: milliseconds after `AT`, or a seqNum. */
  readonly add: (storage: Storage, id: string, place: number) => Promise<unknown>;
  /** The list method. */
  readonly list: (storage: Storage) => Promise<readonly Row[]>;
  readonly page: (
    storage: Storage,
    asked: Asked,
  ) => Promise<{ readonly records: readonly Row[]; readonly nextCursor: string }>;
  readonly iterate: (storage: Storage) => AsyncIterableIterator<Row>;
  /** Removes the rows below a place; `needs` is what a backend may lack for it. */
  readonly removeBelow: (storage: Storage, place: number) => Promise<unknown>;
  readonly needs?: Ability;
}

function optionsOf({ direction }: Asked): { readonly direction: Direction } | undefined {
  return direction === undefined ? undefined : { direction };
}

const sessions: Walker = {
  method: 'listSessionsPaged',
  ascending: false,
  ties: true,
  add: (storage, id, place) =>
    storage.createSession({
      id,
      agentId: 'agent',
      status: 'done',
      createdAt: after(place),
      updatedAt: after(place),
    }),
  list: (storage) => storage.listSessions('agent', 1000),
  page: async (storage, asked) => {
    const filter = { agentId: 'agent' };
    const { sessions: records, nextCursor } = await storage.listSessionsPaged(
      filter,
      asked.size,
      asked.cursor,
      optionsOf(asked),
    );
    return { records, nextCursor };
  },
  iterate: (storage) => storage.iterateSessions({ agentId: 'agent' }),
  removeBelow: (storage, place) => storage.trimSessions(after(place)),
  needs: 'retention',
};

const memory: Walker = {
  method: 'listMemoryPaged',
  ascending: true,
  ties: true,
  add: (storage, id, place) => storage.putMemory(memoryRecord({ id, createdAt: after(place) })),
  list: (storage) => storage.listMemory('agent'),
  page: (storage, asked) =>
    storage.listMemoryPaged({ agentId: 'agent' }, asked.size, asked.cursor, optionsOf(asked)),
  iterate: (storage) => storage.iterateMemory({ agentId: 'agent' }),
  removeBelow: async (storage, place) => {
    for (const { id, createdAt } of await storage.listMemory('agent')) {
      if (createdAt < after(place)) await storage.deleteMemory(id);
    }
  },
};

const auditLogs: Walker = {
  method: 'listAuditLogsPaged',
  ascending: false,
  ties: true,
  add: (storage, id, place) => storage.appendAuditLog(auditLog({ id, createdAt: after(place) })),
  list: (storage) => storage.listAuditLogs('s', 1000),
  page: async (storage, asked) => {
    const found = await storage.listAuditLogsPaged('s', asked.size, asked.cursor, optionsOf(asked));
    return { records: found.auditLogs, nextCursor: found.nextCursor };
  },
  iterate: (storage) => storage.iterateAuditLogs('s'),
  removeBelow: (storage, place) => storage.trimAuditLogs(after(place)),
  needs: 'retention',
};

const traces: Walker = {
  method: 'listTracesPaged',
  ascending: true,
  ties: true,
  add: (storage, id, place) => storage.insertTrace(span({ id, startedAt: after(place) })),
  list: (storage) => storage.listTraces('s'),
  page: async (storage, asked) => {
    const found = await storage.listTracesPaged('s', asked.size, asked.cursor, optionsOf(asked));
    return { records: found.traces, nextCursor: found.nextCursor };
  },
  iterate: (storage) => storage.iterateTraces('s'),
  removeBelow: (storage, place) => storage.trimTraces(after(place)),
  needs: 'retention',
};

const events: Walker = {
  method: 'listEventsPaged',
  ascending: true,
  ties: true,
  add: (storage, id, place) =>
    storage.appendEvent(event({ id, sessionId: 's', seqNum: place, createdAt: after(place) })),
  list: (storage) => storage.listEvents('s'),
  page: async (storage, asked) => {
    const options = optionsOf(asked);
    const found = await storage.listEventsPaged('s', undefined, asked.size, asked.cursor, options);
    return { records: found.events, nextCursor: found.nextCursor };
  },
  iterate: (storage) => storage.iterateEvents('s'),
  removeBelow: (storage, place) => storage.trimEvents(after(place)),
  needs: 'retention',
};

const checkpoints: Walker = {
  method: 'listCheckpointsPaged',
  ascending: true,
  ties: false,
  add: (storage, id, place) => storage.saveCheckpoint(checkpoint({ id, seqNum: place })),
  list: (storage) => storage.listCheckpoints('s'),
  page: async (storage, asked) => {
    const found = await storage.listCheckpointsPaged('s', asked.size, asked.cursor, optionsOf(asked));
    return { records: found.checkpoints, nextCursor: found.nextCursor };
  },
  iterate: (storage) => storage.iterateCheckpoints('s'),
  removeBelow: async (storage, place) => {
    const kept = (await storage.listCheckpoints('s')).filter(({ seqNum }) => seqNum >= place);
    await storage.trimCheckpoints('s', kept.length);
  },
  needs: 'retention',
};

/** All six. */
export const WALKERS: readonly Walker[] = [sessions, memory, auditLogs, traces, events, checkpoints];
