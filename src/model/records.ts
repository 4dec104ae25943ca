/** Free text whose usual words an editor offers. */
export type Word<Usual extends string> = Usual | (string & Record<never, never>);

/** The usual words of a session's status; any other text of at most 64 code points is stored as given. */
export const SessionStatus: {
  readonly running: 'running';
  readonly paused: 'paused';
  readonly completed: 'completed';
  readonly failed: 'failed';
} = Object.freeze({ running: 'running', paused: 'paused', completed: 'completed', failed: 'failed' });

/** A session's status: one of {@link SessionStatus}, or a word of your own. */
export type SessionStatus = Word<(typeof SessionStatus)[keyof typeof SessionStatus]>;

/** One run of an agent. */
export interface Session {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly status: SessionStatus;
  /** Any JSON value; absent when none was stored, `null` when `null` was. */
  readonly metadata?: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What `createSession` takes. The tenant comes from the context: a `tenantId` here is ignored. */
export interface NewSession {
  /** 1–255 code points, unique in its tenant. */
  readonly id: string;
  readonly tenantId?: string;
  /** 1–128 code points. */
  readonly agentId: string;
  /** At most 64 code points. */
  readonly status: SessionStatus;
  /** Any JSON value, at most 1000 levels deep. */
  readonly metadata?: unknown;
  /** Default now. */
  readonly createdAt?: Date;
  /** Default now. */
  readonly updatedAt?: Date;
}

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

/** One entry of a session's ledger. */
export interface Event {
  readonly id: string;
  readonly tenantId: string;
  readonly sessionId: string;
  /** Its place in the session; several events may share one. */
  readonly seqNum: number;
  readonly type: string;
  readonly payload: unknown;
  readonly createdAt: Date;
}

/** What `appendEvent` takes. The tenant comes from the context: a `tenantId` here is ignored. */
export interface NewEvent {
  /** 1–255 code points, unique in its tenant: the key of idempotence. */
  readonly id: string;
  readonly tenantId?: string;
  readonly sessionId: string;
  /** A whole number within ±(2^53−1). */
  readonly seqNum: number;
  /** At most 64 code points. */
  readonly type: string;
  /** Any JSON value, at most 1000 levels deep. */
  readonly payload: unknown;
  /** Default now. */
  readonly createdAt?: Date;
}

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

/** Which way a page walks: in the list method's own order, or against it. */
export type Direction = 'forward' | 'backward';

/** Last argument of every paged method. */
export interface PageOptions {
  /** Default `forward`. */
  readonly direction?: Direction;
}

/** One page of events. */
export interface EventPage {
  readonly events: readonly Event[];
  /** Pass it to read on; `''` on the last page. */
  readonly nextCursor: string;
}

/** One page of sessions. */
export interface SessionPage {
  readonly sessions: readonly Session[];
  /** Pass it to read on; `''` on the last page. */
  readonly nextCursor: string;
}

/** Which sessions `listSessionsPaged` reads; `''` or absent = all. */
export interface SessionFilter {
  readonly agentId?: string;
  readonly status?: SessionStatus;
}
