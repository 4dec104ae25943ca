import type { MemoryKind, SessionStatus, TraceKind } from './words.ts';

// What a method takes: the record, its times optional. The tenant comes from the context: a `tenantId` is ignored.
type Given<Kept, Optional extends keyof Kept> = Omit<Kept, Optional | 'tenantId'> &
  Partial<Pick<Kept, Optional>> & { readonly tenantId?: string };

/** One run of an agent. */
export interface Session {
  /** 1–255 code points, unique in its tenant. */
  readonly id: string;
  readonly tenantId: string;
  /** 1–128 code points. */
  readonly agentId: string;
  /** At most 64 code points. */
  readonly status: SessionStatus;
  /** Any JSON value, at most 1000 levels deep; absent when none was stored, `null` when `null` was. */
  readonly metadata?: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What `createSession` takes. Times default to now; a `tenantId` is ignored. */
export type NewSession = Given<Session, 'createdAt' | 'updatedAt'>;

/** What `updateSession` takes; a whole {@link Session} will do. `agentId` and `createdAt` stay as stored. */
export interface SessionUpdate {
  readonly id: string;
  readonly tenantId?: string;
  readonly agentId?: string;
  readonly status: SessionStatus;
  /** Replaces what was stored; absent clears it. */
  readonly metadata?: unknown;
  readonly createdAt?: Date;
  /** A lower bound of the new `updatedAt`. Default now. */
  readonly updatedAt?: Date;
}

/** Something that an agent remembers. */
export interface MemoryRecord {
  /** 1–255 code points, unique in its tenant. */
  readonly id: string;
  readonly tenantId: string;
  /** At most 255 code points; absent = long-term, of no session. */
  readonly sessionId?: string;
  /** 1–128 code points. */
  readonly agentId: string;
  /** At most 255 code points. */
  readonly userId?: string;
  /** At most 64 code points. */
  readonly kind: MemoryKind;
  /** At most 128 code points; several records may share one. */
  readonly key: string;
  /** Any JSON value, at most 1000 levels deep. */
  readonly value: unknown;
  readonly createdAt: Date;
}

/** What `putMemory` takes. `createdAt` defaults to now; a `tenantId` is ignored. */
export type NewMemoryRecord = Given<MemoryRecord, 'createdAt'>;

/** Who did what to what. */
export interface AuditLog {
  /** 1–255 code points, unique in its tenant: the key of idempotence. */
  readonly id: string;
  readonly tenantId: string;
  /** 1–255 code points. */
  readonly sessionId: string;
  /** At most 255 code points, as `action` and `resource`. */
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  /** Any JSON value, at most 1000 levels deep. */
  readonly detail?: unknown;
  readonly createdAt: Date;
}

/** What `appendAuditLog` takes. `createdAt` defaults to now; a `tenantId` is ignored. */
export type NewAuditLog = Given<AuditLog, 'createdAt'>;

/** One span of work: a node, a tool's or a model's call. */
export interface Trace {
  /** 1–255 code points, unique in its tenant. */
  readonly id: string;
  readonly tenantId: string;
  /** 1–255 code points. */
  readonly sessionId: string;
  /** The span that it lies in; at most 255 code points. */
  readonly parentId?: string;
  /** At most 255 code points. */
  readonly name: string;
  /** At most 64 code points. */
  readonly kind: TraceKind;
  /** Any JSON value, at most 1000 levels deep, as `output`. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** Any text, of any length. */
  readonly error?: string;
  readonly startedAt: Date;
  /** Absent while the span is open. */
  readonly endedAt?: Date;
}

/** What `insertTrace` takes. `startedAt` defaults to now; a `tenantId` is ignored. */
export type NewTrace = Given<Trace, 'startedAt'>;

/** How `endTrace` ends a span. */
export interface TraceEnd {
  /** Default now. */
  readonly endedAt?: Date;
  /** Absent: stays as stored. */
  readonly output?: unknown;
  /** Absent: stays as stored. */
  readonly error?: string;
}

/** One entry of a session's ledger. */
export interface Event {
  /** 1–255 code points, unique in its tenant: the key of idempotence. */
  readonly id: string;
  readonly tenantId: string;
  /** 1–255 code points. */
  readonly sessionId: string;
  /** Its place in the session, a whole number within ±(2^53−1); several events may share one. */
  readonly seqNum: number;
  /** At most 64 code points. */
  readonly type: string;
  /** Any JSON value, at most 1000 levels deep. */
  readonly payload: unknown;
  readonly createdAt: Date;
}

/** What `appendEvent` takes. Without `seqNum` the store gives the next place; a `tenantId` is ignored. */
export type NewEvent = Given<Event, 'seqNum' | 'createdAt'>;

/** The state of a run at a place, to resume from. */
export interface Checkpoint {
  /** 1–255 code points, unique in its tenant. */
  readonly id: string;
  readonly tenantId: string;
  /** 1–255 code points. */
  readonly sessionId: string;
  /** At most 255 code points, as `nodeId`. */
  readonly runId: string;
  readonly nodeId: string;
  /** Any JSON value, at most 1000 levels deep. */
  readonly state: unknown;
  /** A whole number within ±(2^53−1), unique in its session. */
  readonly seqNum: number;
  readonly createdAt: Date;
}

/** What `saveCheckpoint` takes. `createdAt` defaults to now; a `tenantId` is ignored. */
export type NewCheckpoint = Given<Checkpoint, 'createdAt'>;
