import type { TransactionHandle } from './drivers/transaction-handles.ts';
import type { Report } from './migrate/types.ts';
import type {
  AuditLog,
  Checkpoint,
  Event,
  MemoryRecord,
  NewAuditLog,
  NewCheckpoint,
  NewEvent,
  NewMemoryRecord,
  NewSession,
  NewTrace,
  Session,
  SessionUpdate,
  Trace,
  TraceEnd,
} from './model/records.ts';
import type {
  Appended,
  AppendedAll,
  AuditLogPage,
  CheckpointPage,
  EventPage,
  MemoryFilter,
  MemoryPage,
  PageOptions,
  Removed,
  SavedWithEvent,
  SessionFilter,
  SessionPage,
  TracePage,
} from './model/results.ts';
import type { MemoryKind, SessionStatus } from './model/words.ts';
import type { TrimByAgeOptions, TrimOptions, TrimSessionsOptions } from './retention/options.ts';
import type { VectorStore } from './vector/types.ts';

/** What `updateSession` may be told. */
export interface UpdateOptions {
  /** Change the session only if its `updatedAt` is this, else ConflictError. */
  readonly ifUpdatedAt?: Date;
}

/** What `deleteSession` may be told. */
export interface DeleteSessionOptions {
  /** The rows of these collections whose metadata holds the session's id at `path` (default `sessionId`) go with it. */
  readonly vectors?: { readonly collections: readonly string[]; readonly path?: string };
}

/** What `appendEvents` may be told. */
export interface AppendOptions {
  /**
   * Append only if this is the head, the last place that the store gave out in the session (0 = none), else
   * ConflictError with `actualSeq`. For events of one session that carry no `seqNum`.
   */
  readonly expectedSeq?: number;
}

/**
 * A ledger of agents' runs: sessions, memory, audit logs, traces, events and checkpoints. Made by {@link openStorage}.
 *
 * Every method reads the tenant once, when it is called: that of `forTenant`, else that of `withTenant`, else
 * `default`. A bad argument rejects with InvalidArgumentError before anything is sent. Every method may reject with
 * UnavailableError, SchemaOutOfDateError (run `npx chronos-migrate up`) or ClosedError.
 *
 * Lists have a stable order, ties broken by id. Paged methods walk the same order, or against it with
 * `{ direction: 'backward' }`: `limit` absent or ≤ 0 = 100, at most 1000; `cursor` `''` or absent = the first page;
 * they reject with InvalidCursorError when the cursor is damaged or of another method or direction.
 */
export interface Storage {
  /**
   * The same storage, bound to one tenant, whatever `withTenant` says. `''` means `default`.
   *
   * @throws InvalidArgumentError when the tenant has more than 128 code points, NUL or a lone surrogate.
   */
  forTenant(tenant: string): Storage;

  /** Stores a new session. Rejects with AlreadyExistsError when its id is taken in this tenant. */
  createSession(session: NewSession): Promise<void>;

  /** Rejects with NotFoundError when there is none with this id in this tenant. */
  getSession(id: string): Promise<Session>;

  /**
   * Replaces status and metadata (absent metadata clears it). `updatedAt` becomes the latest of now, the one given
   * and one millisecond after the one stored. Resolves to the session as stored; rejects with NotFoundError, or
   * ConflictError when `ifUpdatedAt` is not its `updatedAt`.
   */
  updateSession(session: SessionUpdate, options?: UpdateOptions): Promise<Session>;

  /** Changes status and `updatedAt` only. Resolves to the session as stored; rejects with NotFoundError. */
  updateSessionStatus(id: string, status: SessionStatus): Promise<Session>;

  /**
   * Sessions, newest first (createdAt, then id). `agentId` `''` or absent = all agents; `limit` absent or ≤ 0 = 100,
   * at most 1000; `offset` default 0.
   */
  listSessions(agentId?: string, limit?: number, offset?: number): Promise<Session[]>;

  /** Sessions page by page, newest first. */
  listSessionsPaged(
    filter?: SessionFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<SessionPage>;

  /** All sessions, newest first, one page in memory. */
  iterateSessions(filter?: SessionFilter): AsyncIterableIterator<Session>;

  /**
   * Deletes a session and all that carries its id, in one transaction; resolves to what was removed. Idempotent.
   * Vectors go with it where `options` names their collections.
   */
  deleteSession(id: string, options?: DeleteSessionOptions): Promise<Removed>;

  /**
   * Deletes all of a tenant, its vectors of every collection too, in bounded batches each by itself; resolves to what was removed. Idempotent, and to be
   * run again after an error. Inside `withTenant` or on `forTenant` only that tenant: InvalidArgumentError.
   */
  deleteTenant(id: string): Promise<Removed>;

  /** Stores a record, or replaces all of the one with this id but its `createdAt`. */
  putMemory(record: NewMemoryRecord): Promise<void>;

  /** The newest record with this key (createdAt, then id); rejects with NotFoundError. */
  getMemory(agentId: string, key: string): Promise<MemoryRecord>;

  /** All records of an agent, oldest first; `kind` `''` or absent = all. */
  listMemory(agentId: string, kind?: MemoryKind): Promise<MemoryRecord[]>;

  /** Records of an agent page by page, oldest first. */
  listMemoryPaged(
    filter: MemoryFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<MemoryPage>;

  /** All records of an agent, oldest first, one page in memory. */
  iterateMemory(filter: MemoryFilter): AsyncIterableIterator<MemoryRecord>;

  /** Deletes a record. Idempotent. */
  deleteMemory(id: string): Promise<void>;

  /** Stores an entry once: a repeat of its id, even with other content, changes nothing. */
  appendAuditLog(log: NewAuditLog): Promise<void>;

  /** Entries of a session, newest first; `limit` and `offset` as for `listSessions`. */
  listAuditLogs(sessionId: string, limit?: number, offset?: number): Promise<AuditLog[]>;

  /** Entries of a session page by page, newest first. */
  listAuditLogsPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<AuditLogPage>;

  /** All entries of a session, newest first, one page in memory. */
  iterateAuditLogs(sessionId: string): AsyncIterableIterator<AuditLog>;

  /** Stores a span, or replaces all of the one with this id: a field that is absent is cleared. */
  insertTrace(trace: NewTrace): Promise<void>;

  /** As `insertTrace`, all or none, any number; of a repeated id the last wins. */
  insertTraces(traces: readonly NewTrace[]): Promise<void>;

  /** Ends a span; what is absent in `end` stays as stored, but `endedAt`, which is now. Rejects with NotFoundError. */
  endTrace(id: string, end?: TraceEnd): Promise<void>;

  /** Rejects with NotFoundError when there is none with this id in this tenant. */
  getTrace(id: string): Promise<Trace>;

  /** All spans of a session, by startedAt, then id. */
  listTraces(sessionId: string): Promise<Trace[]>;

  /** Spans of a session page by page, in the order of `listTraces`. */
  listTracesPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<TracePage>;

  /** All spans of a session in the order of `listTraces`, one page in memory. */
  iterateTraces(sessionId: string): AsyncIterableIterator<Trace>;

  /**
   * Stores an event once: a repeat of its id, even with other content, changes nothing. Without `seqNum` it takes the
   * next place of its session, under any number of writers; a repeat takes none.
   */
  appendEvent(event: NewEvent): Promise<Appended>;

  /**
   * As `appendEvent`, all or none, any number; of a repeated id the first wins. Either all have a `seqNum`, or none.
   * Rejects with ConflictError when the head is not `expectedSeq`, or some of the ids are stored; where all of them
   * are, it is the replay of a batch that arrived, and inserts nothing.
   */
  appendEvents(events: readonly NewEvent[], options?: AppendOptions): Promise<AppendedAll>;

  /** All events of a session above `afterSeq` (absent: all), ordered by seqNum, then id. */
  listEvents(sessionId: string, afterSeq?: number): Promise<Event[]>;

  /** Events of a session above `afterSeq` page by page, in the order of `listEvents`. */
  listEventsPaged(
    sessionId: string,
    afterSeq?: number,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<EventPage>;

  /** All events of a session above `afterSeq` in the order of `listEvents`, one page in memory. */
  iterateEvents(sessionId: string, afterSeq?: number): AsyncIterableIterator<Event>;

  /** The newest `count` events of a session (absent or ≤ 0 = 100, at most 1000), in the order of `listEvents`. */
  lastEvents(sessionId: string, count?: number): Promise<Event[]>;

  /** How many events a session has. */
  countEvents(sessionId: string): Promise<number>;

  /**
   * Stores a checkpoint, or replaces all of the one with this id. Rejects with ConflictError, the stored one
   * untouched, when another id has this place in the session.
   */
  saveCheckpoint(checkpoint: NewCheckpoint): Promise<void>;

  /** `saveCheckpoint` and `appendEvent`, both or neither; to be called again after an error that leaves it open. */
  saveCheckpointAndEvent(checkpoint: NewCheckpoint, event?: NewEvent): Promise<SavedWithEvent>;

  /** Rejects with NotFoundError when there is none with this id in this tenant. */
  getCheckpoint(id: string): Promise<Checkpoint>;

  /** The checkpoint of a session with the highest seqNum; rejects with NotFoundError. */
  getLatestCheckpoint(sessionId: string): Promise<Checkpoint>;

  /** All checkpoints of a session, by seqNum. */
  listCheckpoints(sessionId: string): Promise<Checkpoint[]>;

  /** Checkpoints of a session page by page, by seqNum. */
  listCheckpointsPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<CheckpointPage>;

  /** All checkpoints of a session, by seqNum, one page in memory. */
  iterateCheckpoints(sessionId: string): AsyncIterableIterator<Checkpoint>;

  /** The ids of all sessions that have checkpoints, in code-point order. */
  iterateCheckpointedSessions(): AsyncIterableIterator<string>;

  /** Removes events whose `createdAt` is strictly before `olderThan`; resolves to their number. */
  trimEvents(olderThan: Date, options?: TrimByAgeOptions): Promise<number>;

  /** Removes spans whose `startedAt` is strictly before `olderThan`; resolves to their number. */
  trimTraces(olderThan: Date, options?: TrimByAgeOptions): Promise<number>;

  /** Removes audit logs whose `createdAt` is strictly before `olderThan`; resolves to their number. */
  trimAuditLogs(olderThan: Date, options?: TrimByAgeOptions): Promise<number>;

  /**
   * Removes sessions whose `updatedAt` is strictly before `olderThan`, each with all that carries its id in one
   * transaction; resolves to the number of sessions.
   */
  trimSessions(olderThan: Date, options?: TrimSessionsOptions): Promise<number>;

  /** Removes all but the `keep` highest checkpoints of a session (`keep` ≤ 0: none); resolves to their number. */
  trimCheckpoints(sessionId: string, keep: number, options?: TrimOptions): Promise<number>;

  /**
   * Runs `fn` with a storage whose calls are one transaction: committed when `fn` resolves, rolled back when it
   * rejects. On that storage `transaction` is a savepoint. NotFound, AlreadyExists, Conflict and InvalidArgument
   * leave it usable; after UnavailableError with `transactionLost` every later call rejects alike. Nothing in it is
   * retried. This storage itself rejects calls inside `fn`.
   */
  transaction<T>(fn: (tx: Storage) => Promise<T>): Promise<T>;

  /**
   * The same storage on a transaction that the host has open: a pg client, a mysql2 connection, a better-sqlite3
   * Database, a PGlite transaction, a knex transaction, the client of a Prisma interactive transaction. What it
   * stores is committed or rolled back with the host's own rows; it never begins, commits or closes what it was lent.
   * On a better-sqlite3 Database a method has run all of its statements when it returns its promise.
   *
   * @throws InvalidArgumentError when the handle is none of these, or of another engine. Without an open transaction
   * the first call rejects with it.
   */
  using(handle: TransactionHandle): Storage;

  /**
   * Similarity search in the same database, on the same connections and under the same tenants; inside a transaction a
   * part of it.
   *
   * @throws UnsupportedError on MySQL and MariaDB, where this package keeps none.
   */
  vectors(): VectorStore;

  /** Resolves when the database answers. */
  ping(): Promise<void>;

  /** Applies the migrations that are pending: `chronos-migrate up` on this storage's target. */
  migrate(): Promise<Report>;

  /**
   * Waits for the calls in flight and ends the connections that `openStorage` opened; a host's pool stays open. Later
   * calls, on every storage that `forTenant` made of this one too, reject with ClosedError. Idempotent. Inside a
   * transaction of its own it rejects with UnsupportedError. The storage of a transaction, or on one that a host
   * lent, is not closed: who began it ends it.
   */
  close(): Promise<void>;
}
