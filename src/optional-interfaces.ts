import type { AppendOptions } from './contract.ts';
import type { NewEvent, NewTrace } from './model/records.ts';
import type {
  AppendedAll,
  AuditLogPage,
  CheckpointPage,
  EventPage,
  MemoryFilter,
  MemoryPage,
  PageOptions,
  SessionFilter,
  SessionPage,
  TracePage,
} from './model/results.ts';
import type { Retention } from './retention/policy.ts';

/** A storage that stores many records in one call, all or none. Ours does; an adapter need not. */
export interface BatchIngester {
  appendEvents(events: readonly NewEvent[], options?: AppendOptions): Promise<AppendedAll>;
  insertTraces(traces: readonly NewTrace[]): Promise<void>;
}

/** A storage that reads page by page. Ours does, for all six records; an adapter need not. */
export interface Paginator {
  listEventsPaged(
    sessionId: string,
    afterSeq?: number,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<EventPage>;
  listTracesPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<TracePage>;
  listCheckpointsPaged(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<CheckpointPage>;
  listSessionsPaged?(
    filter?: SessionFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<SessionPage>;
  listAuditLogsPaged?(
    sessionId: string,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<AuditLogPage>;
  listMemoryPaged?(
    filter: MemoryFilter,
    limit?: number,
    cursor?: string,
    options?: PageOptions,
  ): Promise<MemoryPage>;
}

/** Whether a storage has the methods of {@link BatchIngester}. */
export function isBatchIngester(storage: unknown): storage is BatchIngester {
  return has(storage, 'appendEvents', 'insertTraces');
}

/** Whether a storage has the methods of {@link Paginator}, but those that are optional in it. */
export function isPaginator(storage: unknown): storage is Paginator {
  return has(storage, 'listEventsPaged', 'listTracesPaged', 'listCheckpointsPaged');
}

/** Whether a storage has the methods of {@link Retention}, but those that are optional in it. */
export function isRetention(storage: unknown): storage is Retention {
  return has(storage, 'trimEvents', 'trimTraces', 'trimAuditLogs', 'trimCheckpoints');
}

function has(storage: unknown, ...methods: readonly string[]): boolean {
  if (typeof storage !== 'object' || storage === null) return false;
  return methods.every((name) => typeof Reflect.get(storage, name) === 'function');
}
