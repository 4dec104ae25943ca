import { types } from 'node:util';
import { ChronosError, InvalidArgumentError } from '../errors.ts';
import { checkInteger, checkMembers, type Names } from '../model/check.ts';
import { checkPace, PACE, type TrimOptions } from './options.ts';

/** What `applyRetention` needs of a storage. */
export interface Retention {
  trimEvents(olderThan: Date, options?: TrimOptions): Promise<number>;
  trimTraces(olderThan: Date, options?: TrimOptions): Promise<number>;
  trimAuditLogs(olderThan: Date, options?: TrimOptions): Promise<number>;
  trimCheckpoints(sessionId: string, keep: number, options?: TrimOptions): Promise<number>;
  /** The ids of all sessions that have checkpoints; needed for `'all'`. */
  iterateCheckpointedSessions?(): AsyncIterable<string>;
}

/** How long what is kept. */
export interface RetentionPolicy {
  /** Milliseconds; absent = no event, trace or audit log is too old. */
  readonly maxAge?: number;
  /** How many checkpoints a session keeps, the highest; absent or ≤ 0 = all. */
  readonly keepCheckpointsPerSession?: number;
}

/** What `applyRetention` removed. */
export interface RetentionResult {
  readonly events: number;
  readonly traces: number;
  readonly auditLogs: number;
  readonly checkpoints: number;
}

const POLICY: Names<RetentionPolicy> = { maxAge: true, keepCheckpointsPerSession: true };

type Counts = { -readonly [Name in keyof RetentionResult]: number };

function cutoffOf({ maxAge }: Readonly<Record<string, unknown>>): Date | undefined {
  if (maxAge === undefined) return undefined;
  const age = checkInteger('maxAge', maxAge);
  if (age <= 0) throw new InvalidArgumentError('maxAge', 'must be above 0: it is an age in milliseconds');
  return new Date(Date.now() - age);
}

/** Refuses, before anything is removed, what can name no sessions. A text would be taken for the list of its letters. */
function checkSessions(storage: Retention, sessionIds: unknown): void {
  if (sessionIds === null) return;
  if (sessionIds === 'all') {
    if (storage.iterateCheckpointedSessions) return;
    throw new InvalidArgumentError('sessionIds', "this storage cannot list them: 'all' is not possible");
  }
  if (
    typeof sessionIds === 'object' &&
    Symbol.iterator in sessionIds &&
    !types.isBoxedPrimitive(sessionIds)
  ) {
    return;
  }
  throw new InvalidArgumentError('sessionIds', "must be a list of ids, 'all' or null");
}

async function* idsOf(
  storage: Retention,
  sessionIds: Iterable<string> | 'all' | null,
): AsyncGenerator<string> {
  if (sessionIds === null) return;
  if (sessionIds === 'all') {
    if (storage.iterateCheckpointedSessions) yield* storage.iterateCheckpointedSessions();
    return;
  }
  let at = 0;
  for (const id of sessionIds as Iterable<unknown>) {
    if (typeof id !== 'string') throw new InvalidArgumentError(`sessionIds[${at}]`, 'must be a string');
    yield id;
    at += 1;
  }
}

/**
 * Removes events, traces and audit logs older than `maxAge`, all against one moment, then all but the highest
 * checkpoints of the sessions named: a list, `'all'` that have any, or `null` = none. In the context's tenant.
 *
 * @throws whatever a step throws, with what was removed before as `partial` on the error.
 */
export async function applyRetention(
  storage: Retention,
  policy: RetentionPolicy,
  sessionIds: Iterable<string> | 'all' | null,
  options?: TrimOptions,
): Promise<RetentionResult> {
  const checked = checkMembers('policy', policy, POLICY);
  const cutoff = cutoffOf(checked);
  const { keepCheckpointsPerSession = 0 } = checked;
  const keep = checkInteger('keepCheckpointsPerSession', keepCheckpointsPerSession);
  checkSessions(storage, sessionIds);
  checkPace(options, PACE);
  const removed: Counts = { events: 0, traces: 0, auditLogs: 0, checkpoints: 0 };
  let at: keyof Counts = 'events';
  try {
    if (cutoff) {
      removed.events = await storage.trimEvents(cutoff, options);
      at = 'traces';
      removed.traces = await storage.trimTraces(cutoff, options);
      at = 'auditLogs';
      removed.auditLogs = await storage.trimAuditLogs(cutoff, options);
    }
    at = 'checkpoints';
    if (keep > 0) {
      for await (const id of idsOf(storage, sessionIds)) {
        removed.checkpoints += await storage.trimCheckpoints(id, keep, options);
      }
    }
    return removed;
  } catch (error) {
    if (error instanceof ChronosError) {
      // The step that failed tells how far it came.
      if (typeof error.partial === 'number') removed[at] += error.partial;
      error.partial = removed;
    }
    throw error;
  }
}
