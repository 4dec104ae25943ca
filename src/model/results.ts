import type { AuditLog, Checkpoint, Event, MemoryRecord, Session, Trace } from './records.ts';
import type { MemoryKind, SessionStatus } from './words.ts';

/** What `appendEvent` resolves to. */
export interface Appended {
  /** Whether this call stored the event; false for a repeat of its id. */
  readonly inserted: boolean;
  /** The place of the event as stored. */
  readonly seqNum: number;
}

/** What `appendEvents` resolves to. */
export interface AppendedAll {
  /** How many events this call stored. */
  readonly inserted: number;
  /** The place of each event as stored, in input order. */
  readonly seqNums: readonly number[];
}

/** What `saveCheckpointAndEvent` resolves to: the event's {@link Appended}, empty without an event. */
export type SavedWithEvent = Partial<Appended>;

/** What `deleteSession` and `deleteTenant` removed. */
export interface Removed {
  readonly sessions: number;
  readonly memory: number;
  readonly auditLogs: number;
  readonly traces: number;
  readonly events: number;
  readonly checkpoints: number;
  /** Rows of vectors, where they were asked for or there were any. */
  readonly vectors?: number;
}

/** Which way a page walks: in the list method's own order, or against it. */
export type Direction = 'forward' | 'backward';

/** Last argument of every paged method. */
export interface PageOptions {
  /** Default `forward`. */
  readonly direction?: Direction;
}

interface Page {
  /** Pass it to read on; `''` on the last page. */
  readonly nextCursor: string;
}

/** One page of sessions. */
export interface SessionPage extends Page {
  readonly sessions: readonly Session[];
}

/** One page of memory. */
export interface MemoryPage extends Page {
  readonly records: readonly MemoryRecord[];
}

/** One page of audit logs. */
export interface AuditLogPage extends Page {
  readonly auditLogs: readonly AuditLog[];
}

/** One page of traces. */
export interface TracePage extends Page {
  readonly traces: readonly Trace[];
}

/** One page of events. */
export interface EventPage extends Page {
  readonly events: readonly Event[];
}

/** One page of checkpoints. */
export interface CheckpointPage extends Page {
  readonly checkpoints: readonly Checkpoint[];
}

/** Which sessions `listSessionsPaged` and `iterateSessions` read; `''` or absent = all. */
export interface SessionFilter {
  readonly agentId?: string;
  readonly status?: SessionStatus;
}

/** Which memory `listMemoryPaged` and `iterateMemory` read. */
export interface MemoryFilter {
  readonly agentId: string;
  /** `''` or absent = all. */
  readonly kind?: MemoryKind;
}
