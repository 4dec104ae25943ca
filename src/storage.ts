import type { AppendOptions, DeleteSessionOptions, Storage, UpdateOptions } from './contract.ts';
import type { Connection } from './drivers/connection.ts';
import type { TransactionHandle } from './drivers/transaction-handles.ts';
import { ClosedError, InvalidArgumentError, UnsupportedError } from './errors.ts';
import type { Ledger } from './ledger.ts';
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
import { checkTenant, namedTenant, resolveTenant } from './model/tenant.ts';
import type { MemoryKind, SessionStatus } from './model/words.ts';
import { alsoVectors, checkSessionVectors, noVectors, withVectors } from './removal-of-vectors.ts';
import { perform, performNow, type Work } from './repositories/work.ts';
import {
  ofAllTenants,
  type TrimByAgeOptions,
  type TrimOptions,
  type TrimSessionsOptions,
} from './retention/options.ts';
import { statement } from './sql/statement.ts';
import { type Tracked, track } from './track.ts';
import { checkOutside, inScope, type Scope } from './transaction-scope.ts';
import type { VectorEngine } from './vector/engine.ts';
import type { VectorStore } from './vector/types.ts';
import type { Vectors } from './vector/vectors.ts';
import { LedgerVectors } from './vector-storage.ts';
import { walkPages } from './walk-pages.ts';
import { beforeWrite, type WriteGuard } from './write-guard.ts';

const PING = statement('ping', 'select 1 as one');

/** What a storage shares with those that `forTenant` makes of it. */
export interface Shared extends Tracked {
  readonly schema: string;
  readonly requireTenant: boolean;
  readonly ledger: Ledger;
  /** Where single calls go: it retries, outside a transaction. */
  readonly connection: Connection;
  /** Where transactions of the caller begin: what it does is not run twice. */
  readonly plain: Connection;
  /** What keeps vectors here, and what is known of them; absent where nothing does. */
  readonly engine: VectorEngine | undefined;
  readonly vectors: Vectors | undefined;
  /** Whether this is inside a transaction, of ours or of a host. */
  readonly inside: boolean;
  readonly borrow: (handle: TransactionHandle) => Connection;
  readonly guard: WriteGuard;
  closing?: Promise<void>;
}

/** {@link Storage} on a connection: each method is work of the ledger, performed there. */
export class LedgerStorage implements Storage {
  readonly #shared: Shared;
  readonly #tenant: string | undefined;

  /** @internal */
  constructor(shared: Shared, tenant?: string) {
    this.#shared = shared;
    this.#tenant = tenant;
  }

  forTenant(tenant: string): LedgerStorage {
    return new LedgerStorage(this.#shared, checkTenant(tenant));
  }

  createSession(session: NewSession): Promise<void> {
    return this.#write(({ sessions }, tenant) => sessions.create(tenant, session));
  }

  getSession(id: string): Promise<Session> {
    return this.#call(({ sessions }, tenant) => sessions.get(tenant, id));
  }

  updateSession(session: SessionUpdate, options?: UpdateOptions): Promise<Session> {
    return this.#write(({ sessions }, tenant) => sessions.update(tenant, session, options));
  }

  updateSessionStatus(id: string, status: SessionStatus): Promise<Session> {
    return this.#write(({ sessions }, tenant) => sessions.updateStatus(tenant, id, status));
  }

  listSessions(agentId?: string, limit?: number, offset?: number): Promise<Session[]> {
    return this.#call(({ sessions }, tenant) => sessions.list(tenant, agentId, limit, offset));
  }

  listSessionsPaged(
    filter?: SessionFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<SessionPage> {
    return this.#call(({ sessions }, tenant) => sessions.page(tenant, filter, { limit, cursor, options }));
  }

  iterateSessions(filter?: SessionFilter): AsyncIterableIterator<Session> {
    return this.#walk(async (bound, limit, cursor) => {
      const { sessions, nextCursor } = await bound.listSessionsPaged(filter, limit, cursor);
      return { records: sessions, nextCursor };
    });
  }

  deleteSession(id: string, options?: DeleteSessionOptions): Promise<Removed> {
    return this.#write(({ removal }, tenant) => {
      const told = checkSessionVectors(options);
      const session = () => removal.session(tenant, id);
      if (!told) return session();
      // Within the transaction: after a table that is gone nothing could be looked up there.
      const vectors = this.#vectors().within();
      return withVectors(session, () => vectors.deleteSession(tenant, id, told));
    });
  }

  deleteTenant(id: string): Promise<Removed> {
    const named = namedTenant(this.#tenant);
    return this.#work(({ removal }) => {
      const { vectors, inside } = this.#shared;
      return alsoVectors(removal.tenant(id, named, !inside), vectors?.deleteTenant(id));
    }, beforeWrite(this.#shared));
  }

  putMemory(record: NewMemoryRecord): Promise<void> {
    return this.#write(({ memory }, tenant) => memory.put(tenant, record));
  }

  getMemory(agentId: string, key: string): Promise<MemoryRecord> {
    return this.#call(({ memory }, tenant) => memory.get(tenant, agentId, key));
  }

  listMemory(agentId: string, kind?: MemoryKind): Promise<MemoryRecord[]> {
    return this.#call(({ memory }, tenant) => memory.list(tenant, agentId, kind));
  }

  listMemoryPaged(
    filter: MemoryFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<MemoryPage> {
    return this.#call(({ memory }, tenant) => memory.page(tenant, filter, { limit, cursor, options }));
  }

  iterateMemory(filter: MemoryFilter): AsyncIterableIterator<MemoryRecord> {
    return this.#walk((bound, limit, cursor) => bound.listMemoryPaged(filter, limit, cursor));
  }

  deleteMemory(id: string): Promise<void> {
    return this.#write(({ memory }, tenant) => memory.delete(tenant, id));
  }

  appendAuditLog(log: NewAuditLog): Promise<void> {
    return this.#write(({ auditLogs }, tenant) => auditLogs.append(tenant, log));
  }

  listAuditLogs(sessionId: string, limit?: number, offset?: number): Promise<AuditLog[]> {
    return this.#call(({ auditLogs }, tenant) => auditLogs.list(tenant, sessionId, limit, offset));
  }

  listAuditLogsPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<AuditLogPage> {
    return this.#call(({ auditLogs }, tenant) =>
      auditLogs.page(tenant, sessionId, { limit, cursor, options }),
    );
  }

  iterateAuditLogs(sessionId: string): AsyncIterableIterator<AuditLog> {
    return this.#walk(async (bound, limit, cursor) => {
      const { auditLogs, nextCursor } = await bound.listAuditLogsPaged(sessionId, limit, cursor);
      return { records: auditLogs, nextCursor };
    });
  }

  insertTrace(trace: NewTrace): Promise<void> {
    return this.#write(({ traces }, tenant) => traces.insert(tenant, trace));
  }

  insertTraces(traces: readonly NewTrace[]): Promise<void> {
    return this.#write((ledger, tenant) => ledger.traces.insertAll(tenant, traces));
  }

  endTrace(id: string, end?: TraceEnd): Promise<void> {
    return this.#write(({ traces }, tenant) => traces.end(tenant, id, end));
  }

  getTrace(id: string): Promise<Trace> {
    return this.#call(({ traces }, tenant) => traces.get(tenant, id));
  }

  listTraces(sessionId: string): Promise<Trace[]> {
    return this.#call(({ traces }, tenant) => traces.list(tenant, sessionId));
  }

  listTracesPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<TracePage> {
    return this.#call(({ traces }, tenant) => traces.page(tenant, sessionId, { limit, cursor, options }));
  }

  iterateTraces(sessionId: string): AsyncIterableIterator<Trace> {
    return this.#walk(async (bound, limit, cursor) => {
      const { traces, nextCursor } = await bound.listTracesPaged(sessionId, limit, cursor);
      return { records: traces, nextCursor };
    });
  }

  appendEvent(event: NewEvent): Promise<Appended> {
    return this.#write(({ events }, tenant) => events.append(tenant, event));
  }

  appendEvents(events: readonly NewEvent[], options?: AppendOptions): Promise<AppendedAll> {
    return this.#write((ledger, tenant) => ledger.events.appendAll(tenant, events, options));
  }

  listEvents(sessionId: string, afterSeq?: number): Promise<Event[]> {
    return this.#call(({ events }, tenant) => events.list(tenant, sessionId, afterSeq));
  }

  listEventsPaged(
    sessionId: string,
    afterSeq?: number,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<EventPage> {
    return this.#call(({ events }, tenant) =>
      events.page(tenant, sessionId, afterSeq, { limit, cursor, options }),
    );
  }

  iterateEvents(sessionId: string, afterSeq?: number): AsyncIterableIterator<Event> {
    return this.#walk(async (bound, limit, cursor) => {
      const { events, nextCursor } = await bound.listEventsPaged(sessionId, afterSeq, limit, cursor);
      return { records: events, nextCursor };
    });
  }

  lastEvents(sessionId: string, count?: number): Promise<Event[]> {
    return this.#call(({ events }, tenant) => events.last(tenant, sessionId, count));
  }

  countEvents(sessionId: string): Promise<number> {
    return this.#call(({ events }, tenant) => events.count(tenant, sessionId));
  }

  saveCheckpoint(checkpoint: NewCheckpoint): Promise<void> {
    return this.#write(({ checkpoints }, tenant) => checkpoints.save(tenant, checkpoint));
  }

  saveCheckpointAndEvent(checkpoint: NewCheckpoint, event?: NewEvent): Promise<SavedWithEvent> {
    return this.#write((ledger, tenant) => ledger.saveCheckpointAndEvent(tenant, checkpoint, event));
  }

  getCheckpoint(id: string): Promise<Checkpoint> {
    return this.#call(({ checkpoints }, tenant) => checkpoints.get(tenant, id));
  }

  getLatestCheckpoint(sessionId: string): Promise<Checkpoint> {
    return this.#call(({ checkpoints }, tenant) => checkpoints.latest(tenant, sessionId));
  }

  listCheckpoints(sessionId: string): Promise<Checkpoint[]> {
    return this.#call(({ checkpoints }, tenant) => checkpoints.list(tenant, sessionId));
  }

  listCheckpointsPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<CheckpointPage> {
    return this.#call(({ checkpoints }, tenant) =>
      checkpoints.page(tenant, sessionId, { limit, cursor, options }),
    );
  }

  iterateCheckpoints(sessionId: string): AsyncIterableIterator<Checkpoint> {
    return this.#walk(async (bound, limit, cursor) => {
      const { checkpoints, nextCursor } = await bound.listCheckpointsPaged(sessionId, limit, cursor);
      return { records: checkpoints, nextCursor };
    });
  }

  iterateCheckpointedSessions(): AsyncIterableIterator<string> {
    return this.#walk(async (bound, _, after) => {
      const id = await bound.#call(({ trims }, tenant) => trims.nextCheckpointed(tenant, after));
      return { records: id === undefined ? [] : [id], nextCursor: id ?? '' };
    });
  }

  trimEvents(olderThan: Date, options?: TrimByAgeOptions): Promise<number> {
    return this.#trim(options, ({ trims }, whose, alone) =>
      trims.byAge('events', whose, olderThan, options, alone),
    );
  }

  trimTraces(olderThan: Date, options?: TrimByAgeOptions): Promise<number> {
    return this.#trim(options, ({ trims }, whose, alone) =>
      trims.byAge('traces', whose, olderThan, options, alone),
    );
  }

  trimAuditLogs(olderThan: Date, options?: TrimByAgeOptions): Promise<number> {
    return this.#trim(options, ({ trims }, whose, alone) =>
      trims.byAge('auditLogs', whose, olderThan, options, alone),
    );
  }

  trimSessions(olderThan: Date, options?: TrimSessionsOptions): Promise<number> {
    return this.#trim(options, ({ trims }, whose, alone) => trims.sessions(whose, olderThan, options, alone));
  }

  trimCheckpoints(sessionId: string, keep: number, options?: TrimOptions): Promise<number> {
    return this.#write(({ trims }, tenant) => trims.checkpoints(tenant, sessionId, keep, options));
  }

  transaction<T>(fn: (tx: Storage) => Promise<T>): Promise<T> {
    return this.#track(async () => {
      if (typeof fn !== 'function') throw new InvalidArgumentError('fn', 'must be a function');
      const shared = this.#shared;
      await beforeWrite(shared)?.();
      return shared.plain.transaction((connection) =>
        inScope(shared.scope, async (scope) => {
          const inFlight = new Set<Promise<unknown>>();
          const vectors = shared.vectors?.within();
          const within = { ...shared, connection, plain: connection, scope, inside: true, inFlight, vectors };
          try {
            return await fn(new LedgerStorage(within, this.#tenant));
          } finally {
            // What was not awaited belongs to the transaction all the same, and what that has called meanwhile.
            while (inFlight.size > 0) await Promise.allSettled(inFlight);
            scope.ended = true;
          }
        }),
      );
    });
  }

  using(handle: TransactionHandle): Storage {
    if (this.#shared.scope.ended) throw new ClosedError(this.#shared.scope.name);
    const connection = this.#shared.borrow(handle);
    const scope: Scope = { ended: false };
    const inFlight = new Set<Promise<unknown>>();
    const vectors = this.#shared.vectors?.within();
    const lent = { ...this.#shared, connection, plain: connection, scope, inside: true, inFlight, vectors };
    return new LedgerStorage(lent, this.#tenant);
  }

  vectors(): VectorStore {
    const { engine } = this.#shared;
    const vectors = this.#vectors();
    if (!engine) throw noVectors(this.#shared.plain.dialectName);
    return new LedgerVectors({ ...this.#shared, vectors, engine }, this.#tenant);
  }

  #vectors(): Vectors {
    const { vectors, plain } = this.#shared;
    if (!vectors) throw noVectors(plain.dialectName);
    return vectors;
  }

  async ping(): Promise<void> {
    await this.#track(() => {
      const { plain } = this.#shared;
      return (plain.now ?? plain).rows(PING, {});
    });
  }

  migrate(): Promise<Report> {
    const { plain, schema, inside } = this.#shared;
    return this.#track(async () => {
      if (inside) throw new UnsupportedError('a storage inside a transaction does not migrate');
      const { migratorOn } = await import('./migrate/migrator.ts');
      const migrator = migratorOn(plain, { schema });
      try {
        return await migrator.up();
      } finally {
        await migrator.close();
      }
    });
  }

  async close(): Promise<void> {
    const shared = this.#shared;
    if (shared.inside) return;
    // It would wait for the transaction, which waits for it.
    checkOutside(shared.scope);
    shared.closing ??= this.#close();
    await shared.closing;
  }

  async #close(): Promise<void> {
    const { inFlight, scope, plain } = this.#shared;
    scope.ended = true;
    await Promise.allSettled(inFlight);
    await plain.close();
  }

  /** Runs a method with its tenant, which is read here and now. */
  #call<T>(make: (ledger: Ledger, tenant: string) => Work<T>): Promise<T> {
    return this.#work((ledger) => make(ledger, resolveTenant(this.#tenant, this.#shared.requireTenant)));
  }

  /** A call that writes. */
  #write<T>(make: (ledger: Ledger, tenant: string) => Work<T>): Promise<T> {
    return this.#work(
      (ledger) => make(ledger, resolveTenant(this.#tenant, this.#shared.requireTenant)),
      beforeWrite(this.#shared),
    );
  }

  #trim(
    options: unknown,
    make: (ledger: Ledger, whose: string | null, alone: boolean) => Work<number>,
  ): Promise<number> {
    const alone = !this.#shared.inside;
    return this.#work((ledger) => {
      if (!ofAllTenants(options)) {
        return make(ledger, resolveTenant(this.#tenant, this.#shared.requireTenant), alone);
      }
      if (this.#tenant !== undefined) {
        throw new InvalidArgumentError('allTenants', 'is not for a storage that forTenant bound to one');
      }
      return make(ledger, null, alone);
    }, beforeWrite(this.#shared));
  }

  #work<T>(make: (ledger: Ledger) => Work<T>, before?: () => Promise<void>): Promise<T> {
    return this.#track(() => {
      const { ledger, connection } = this.#shared;
      const work = make(ledger);
      const { now } = connection;
      return now ? performNow(now, work) : perform(connection, work, before);
    });
  }

  /** The records of all pages; the tenant is read here and now. */
  #walk<T>(
    page: (
      bound: LedgerStorage,
      limit: number,
      cursor: string,
    ) => Promise<{ readonly records: readonly T[]; readonly nextCursor: string }>,
  ): AsyncIterableIterator<T> {
    const bound = this.#bound();
    // Its rejection is told at the first `next()`.
    bound.catch(() => {});
    return walkPages(async (limit, cursor) => page(await bound, limit, cursor));
  }

  async #bound(): Promise<LedgerStorage> {
    return this.forTenant(resolveTenant(this.#tenant, this.#shared.requireTenant));
  }

  #track<T>(work: () => T | Promise<T>): Promise<T> {
    return track(this.#shared, work);
  }
}
