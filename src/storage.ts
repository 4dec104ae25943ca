import type { Connection } from './drivers/connection.ts';
import { ClosedError } from './errors.ts';
import type { Report } from './migrate/types.ts';
import type {
  Appended,
  AppendedAll,
  Event,
  EventPage,
  NewEvent,
  NewSession,
  PageOptions,
  Session,
  SessionFilter,
  SessionPage,
  SessionStatus,
  SessionUpdate,
} from './model/records.ts';
import { checkTenant, resolveTenant } from './model/tenant.ts';
import type { Events } from './repositories/events.ts';
import type { Sessions } from './repositories/sessions.ts';
import { statement } from './sql/statement.ts';

/** What `updateSession` may be told. */
export interface UpdateOptions {
  /** Change the session only if its `updatedAt` is this, else ConflictError. */
  readonly ifUpdatedAt?: Date;
}

const PING = statement('ping', 'select 1 as one');

/** What a storage shares with those that `forTenant` makes of it. */
interface Shared {
  readonly schema: string;
  readonly requireTenant: boolean;
  readonly connection: Connection;
  readonly sessions: Sessions;
  readonly events: Events;
  readonly inFlight: Set<Promise<unknown>>;
  closing?: Promise<void>;
}

/**
 * A ledger of agents' sessions and events. Made by {@link openStorage}.
 *
 * Every method reads the tenant once, when it is called: that of `forTenant`, else that of `withTenant`, else
 * `default`. A bad argument rejects with InvalidArgumentError before anything is sent. Every method may reject with
 * UnavailableError, SchemaOutOfDateError (run `npx chronos-migrate up`) or ClosedError.
 */
export class Storage {
  readonly #shared: Shared;
  readonly #tenant: string | undefined;

  /** @internal */
  constructor(shared: Shared, tenant?: string) {
    this.#shared = shared;
    this.#tenant = tenant;
  }

  /**
   * The same storage, bound to one tenant, whatever `withTenant` says. `''` means `default`.
   *
   * @throws InvalidArgumentError when the tenant has more than 128 code points, NUL or a lone surrogate.
   */
  forTenant(tenant: string): Storage {
    return new Storage(this.#shared, checkTenant(tenant));
  }

  /** Stores a new session. Rejects with AlreadyExistsError when its id is taken in this tenant. */
  createSession(session: NewSession): Promise<void> {
    return this.#call((tenant) => this.#shared.sessions.create(tenant, session));
  }

  /** Rejects with NotFoundError when there is none with this id in this tenant. */
  getSession(id: string): Promise<Session> {
    return this.#call((tenant) => this.#shared.sessions.get(tenant, id));
  }

  /**
   * Replaces status and metadata (absent metadata clears it). `updatedAt` becomes the latest of now, the one given
   * and one millisecond after the one stored. Resolves to the session as stored; rejects with NotFoundError, or
   * ConflictError when `ifUpdatedAt` is not its `updatedAt`.
   */
  updateSession(session: SessionUpdate, options?: UpdateOptions): Promise<Session> {
    return this.#call((tenant) => this.#shared.sessions.update(tenant, session, options));
  }

  /** Changes status and `updatedAt` only. Resolves to the session as stored; rejects with NotFoundError. */
  updateSessionStatus(id: string, status: SessionStatus): Promise<Session> {
    return this.#call((tenant) => this.#shared.sessions.updateStatus(tenant, id, status));
  }

  /**
   * Sessions, newest first (createdAt, then id). `agentId` `''` or absent = all agents; `limit` absent or ≤ 0 = 100,
   * at most 1000; `offset` default 0.
   */
  listSessions(agentId?: string, limit?: number, offset?: number): Promise<Session[]> {
    return this.#call((tenant) => this.#shared.sessions.list(tenant, agentId, limit, offset));
  }

  /**
   * Sessions page by page, newest first, or oldest first with `{ direction: 'backward' }`. `cursor` `''` or absent =
   * the first page. Rejects with InvalidCursorError when the cursor is damaged or of another method or direction.
   */
  listSessionsPaged(
    filter?: SessionFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<SessionPage> {
    return this.#call((tenant) => this.#shared.sessions.page(tenant, filter, { limit, cursor, options }));
  }

  /** Stores an event once: a repeat of its id, even with other content, changes nothing. */
  appendEvent(event: NewEvent): Promise<Appended> {
    return this.#call((tenant) => this.#shared.events.append(tenant, event));
  }

  /** As `appendEvent`, all or none, any number; of a repeated id the first wins. */
  appendEvents(events: readonly NewEvent[]): Promise<AppendedAll> {
    return this.#call((tenant) => this.#shared.events.appendAll(tenant, events));
  }

  /** All events of a session above `afterSeq` (absent: all), ordered by seqNum, then id. */
  listEvents(sessionId: string, afterSeq?: number): Promise<Event[]> {
    return this.#call((tenant) => this.#shared.events.list(tenant, sessionId, afterSeq));
  }

  /**
   * Events of a session above `afterSeq` page by page, in the order of `listEvents`, or against it with
   * `{ direction: 'backward' }`. `limit` absent or ≤ 0 = 100, at most 1000; `cursor` `''` or absent = the first page.
   * Rejects with InvalidCursorError when the cursor is damaged or of another method or direction.
   */
  listEventsPaged(
    sessionId: string,
    afterSeq?: number,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<EventPage> {
    return this.#call((tenant) =>
      this.#shared.events.page(tenant, sessionId, afterSeq, { limit, cursor, options }),
    );
  }

  /** Resolves when the database answers. */
  async ping(): Promise<void> {
    await this.#track(() => this.#shared.connection.rows(PING, {}));
  }

  /** Applies the migrations that are pending: `chronos-migrate up` on this storage's target. */
  migrate(): Promise<Report> {
    const { connection, schema } = this.#shared;
    return this.#track(async () => {
      const { migratorOn } = await import('./migrate/migrator.ts');
      const migrator = migratorOn(connection, { schema });
      try {
        return await migrator.up();
      } finally {
        await migrator.close();
      }
    });
  }

  /**
   * Waits for the calls in flight and ends the connections that `openStorage` opened; a host's pool stays open. Later
   * calls, on every storage that `forTenant` made of this one too, reject with ClosedError. Idempotent.
   */
  close(): Promise<void> {
    this.#shared.closing ??= this.#close();
    return this.#shared.closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#shared.inFlight);
    await this.#shared.connection.close();
  }

  /** Runs a method with its tenant, which is read here and now. */
  #call<T>(work: (tenant: string) => Promise<T>): Promise<T> {
    return this.#track(() => work(resolveTenant(this.#tenant, this.#shared.requireTenant)));
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    const { inFlight, closing } = this.#shared;
    if (closing) throw new ClosedError();
    const running = work();
    inFlight.add(running);
    try {
      return await running;
    } finally {
      inFlight.delete(running);
    }
  }
}
