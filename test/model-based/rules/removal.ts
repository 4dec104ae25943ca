import type { Removed, RetentionResult, TrimByAgeOptions, TrimOptions } from '../../../src/index.ts';
import { type Place, Refusal, type Rules, type TenantState } from '../modelled.ts';
import { checkpoints, saved } from './checkpoints.ts';

function removeWhere<T>(from: Map<string, T>, which: (record: T) => boolean, dryRun = false): number {
  const ids = [...from].filter(([, record]) => which(record)).map(([id]) => id);
  if (!dryRun) for (const id of ids) from.delete(id);
  return ids.length;
}

/** A session, and all that carries its id. */
function removeSession(state: TenantState, id: string): Removed {
  const ofIt = (record: { readonly sessionId?: string }): boolean => record.sessionId === id;
  state.heads.delete(id);
  return {
    sessions: removeWhere(state.sessions, (one) => one.id === id),
    memory: removeWhere(state.memory, ofIt),
    auditLogs: removeWhere(state.auditLogs, ofIt),
    traces: removeWhere(state.traces, ofIt),
    events: removeWhere(state.events, ofIt),
    checkpoints: removeWhere(state.checkpoints, ofIt),
  };
}

function removeAll(state: TenantState): Removed {
  const all = (): boolean => true;
  state.heads.clear();
  return {
    sessions: removeWhere(state.sessions, all),
    memory: removeWhere(state.memory, all),
    auditLogs: removeWhere(state.auditLogs, all),
    traces: removeWhere(state.traces, all),
    events: removeWhere(state.events, all),
    checkpoints: removeWhere(state.checkpoints, all),
  };
}

/** Whose rows a trim is about. */
function whose(at: Place, { allTenants = false }: TrimByAgeOptions = {}): readonly TenantState[] {
  if (!allTenants) return [at.state];
  if (at.bound) throw new Refusal('INVALID_ARGUMENT', { argument: 'allTenants' });
  return at.everyone;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function trimmed(
  at: Place,
  options: TrimByAgeOptions | undefined,
  trim: (state: TenantState) => number,
): number {
  return sum(whose(at, options).map(trim));
}

function trimCheckpoints(at: Place, sessionId: string, keep: number, options: TrimOptions = {}): number {
  if (keep <= 0) return 0;
  const low = new Set(
    saved(at, sessionId)
      .slice(0, -keep)
      .map(({ id }) => id),
  );
  return removeWhere(at.state.checkpoints, ({ id }) => low.has(id), options.dryRun);
}

export const removal: Rules<
  | 'deleteSession'
  | 'deleteTenant'
  | 'trimEvents'
  | 'trimTraces'
  | 'trimAuditLogs'
  | 'trimSessions'
  | 'trimCheckpoints'
> = {
  deleteSession: ({ state }, id) => removeSession(state, id),
  deleteTenant({ state, tenantId }, id) {
    if (id !== tenantId) throw new Refusal('INVALID_ARGUMENT', { argument: 'tenant' });
    return removeAll(state);
  },
  trimEvents: (at, olderThan, options) =>
    trimmed(at, options, ({ events }) =>
      removeWhere(events, ({ createdAt }) => createdAt < olderThan, options?.dryRun),
    ),
  trimTraces: (at, olderThan, options) =>
    trimmed(at, options, ({ traces }) =>
      removeWhere(traces, ({ startedAt }) => startedAt < olderThan, options?.dryRun),
    ),
  trimAuditLogs: (at, olderThan, options) =>
    trimmed(at, options, ({ auditLogs }) =>
      removeWhere(auditLogs, ({ createdAt }) => createdAt < olderThan, options?.dryRun),
    ),
  trimSessions: (at, olderThan, options = {}) =>
    trimmed(at, options, (state) => {
      const { status = '', dryRun = false } = options;
      const old = [...state.sessions.values()].filter(
        (one) => one.updatedAt < olderThan && (status === '' || one.status === status),
      );
      if (!dryRun) for (const { id } of old) removeSession(state, id);
      return old.length;
    }),
  trimCheckpoints,
};

export const retention: Rules<'applyRetention'> = {
  applyRetention(at, { maxAge, keepCheckpointsPerSession = 0 }, sessionIds, options): RetentionResult {
    // A few milliseconds later on the store's clock: no record of the tests lies so close to a cutoff.
    const cutoff = maxAge === undefined ? undefined : new Date(at.seen.before - maxAge);
    const aged = (trim: 'trimEvents' | 'trimTraces' | 'trimAuditLogs'): number =>
      cutoff === undefined ? 0 : removal[trim](at, cutoff, options);
    const all = sessionIds === 'all' ? checkpoints.iterateCheckpointedSessions(at) : [...(sessionIds ?? [])];
    return {
      events: aged('trimEvents'),
      traces: aged('trimTraces'),
      auditLogs: aged('trimAuditLogs'),
      checkpoints: sum(all.map((id) => trimCheckpoints(at, id, keepCheckpointsPerSession, options))),
    };
  },
};
