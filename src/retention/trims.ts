import type { Row } from '../drivers/connection.ts';
import { ChronosError } from '../errors.ts';
import { checkDate, checkInteger, checkOptions, checkText, EARLIEST } from '../model/check.ts';
import { CHECKPOINTS, type Column, SESSIONS } from '../model/tables.ts';
import type { Backing } from '../repositories/backing.ts';
import { pause, row, rows, run, transaction, type Work } from '../repositories/work.ts';
import { columnsOf } from '../sql/rows.ts';
import { BY_AGE, checkPace, OF_SESSIONS, PACE, type Pace } from './options.ts';
import type { Removal } from './removal.ts';
import { type RetentionStatements, statements } from './statements.ts';
import { reclaim, stopIfTold, sweepAll, type Tally, tell } from './sweep.ts';

const [STATUS] = columnsOf(SESSIONS, 'status') as [Column];
const [SESSION] = columnsOf(CHECKPOINTS, 'session_id') as [Column];

/** What is trimmed by age. */
export type Aged = 'events' | 'traces' | 'auditLogs';

/** Whose rows a trim removes: one tenant's, or all tenants' one after the other. */
export type Whose = string | null;

/** Finds the next tenant that has rows of a kind. */
type Next = RetentionStatements['checkpointed'];

/** Removes what is old, in bounded batches. */
export class Trims {
  readonly #backing: Backing;
  readonly #removal: Removal;

  constructor(backing: Backing, removal: Removal) {
    this.#backing = backing;
    this.#removal = removal;
  }

  /** `alone`: outside a transaction. */
  *byAge(what: Aged, whose: Whose, olderThan: Date, options: unknown, alone: boolean): Work<number> {
    const { dialect } = this.#backing;
    const before = dialect.time(checkDate('olderThan', olderThan));
    const pace = checkPace(options, BY_AGE);
    const { aged, tenants } = statements(dialect);
    return yield* this.#each(whose, tenants[what], { pace, alone }, (tally) =>
      sweepAll(dialect, aged[what], { tenant_id: tally.tenant, before }, { pace, tally }),
    );
  }

  *sessions(whose: Whose, olderThan: Date, options: unknown, alone: boolean): Work<number> {
    const { dialect } = this.#backing;
    const before = checkDate('olderThan', olderThan);
    const pace = checkPace(options, OF_SESSIONS);
    const { status } = checkOptions(options, OF_SESSIONS);
    const only = status === undefined || status === '' ? undefined : checkText('status', status, STATUS);
    return yield* this.#each(whose, statements(dialect).tenants.sessions, { pace, alone }, (tally) =>
      this.#oldSessions(before, only, pace, tally),
    );
  }

  /** All but the `keep` highest of a session. */
  *checkpoints(tenant: string, sessionId: string, keep: number, options: unknown): Work<number> {
    const { dialect } = this.#backing;
    const values = { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) };
    const kept = checkInteger('keep', keep);
    const pace = checkPace(options, PACE);
    if (kept <= 0) return 0;
    const { highest, checkpoints } = statements(dialect);
    const least = yield* row(highest, { ...values, limit: 1, offset: kept - 1 });
    if (!least) return 0;
    const below = { ...values, before: Number(least.seq_num) };
    const tally = { tenant, removed: 0 };
    return yield* counted(tally, sweepAll(dialect, checkpoints, below, { pace, tally }));
  }

  /** The first session above `after` that has checkpoints. */
  *nextCheckpointed(tenant: string, after: string): Work<string | undefined> {
    const { dialect } = this.#backing;
    const found = yield* row(statements(dialect).checkpointed, { tenant_id: tenant, after });
    return nextOf(this.#backing, found);
  }

  *#each(
    whose: Whose,
    next: Next,
    { pace, alone }: { readonly pace: Pace; readonly alone: boolean },
    trim: (tally: Tally) => Work<number>,
  ): Work<number> {
    const tally: Tally = { tenant: whose ?? '', removed: 0 };
    yield* counted(tally, whose === null ? this.#everyTenant(next, tally, trim) : trim(tally));
    if (alone && !pace.dryRun) yield* reclaim(this.#backing.dialect, tally.removed);
    return tally.removed;
  }

  *#everyTenant(next: Next, tally: Tally, trim: (tally: Tally) => Work<number>): Work<number> {
    for (;;) {
      const tenant = nextOf(this.#backing, yield* row(next, { after: tally.tenant }));
      if (tenant === undefined) return tally.removed;
      tally.tenant = tenant;
      yield* trim(tally);
    }
  }

  *#oldSessions(before: number, only: string | undefined, pace: Pace, tally: Tally): Work<number> {
    const { dialect } = this.#backing;
    const { old } = statements(dialect);
    let position = { at: EARLIEST, id: '' };
    for (;;) {
      stopIfTold(pace, tally);
      const found = yield* rows(old, {
        tenant_id: tally.tenant,
        'cursor.updated_at': dialect.time(position.at),
        'cursor.id': position.id,
        before: dialect.time(before),
        limit: pace.batchSize,
      });
      for (const one of found) {
        if (only === undefined || dialect.text(one.status ?? '') === only) {
          yield* this.#oldSession(one, before, pace, tally);
        }
      }
      const last = found.at(-1);
      if (!last || found.length < pace.batchSize) return tally.removed;
      position = { at: Number(last.updated_at), id: dialect.text(last.id ?? '') };
      if (pace.pause > 0) yield* pause(pace.pause, pace.signal);
    }
  }

  /** In one transaction, and only if nobody touched it since: a run that goes on keeps all that it has. */
  *#oldSession(found: Row, before: number, pace: Pace, tally: Tally): Work<void> {
    stopIfTold(pace, tally);
    const { dialect } = this.#backing;
    const id = dialect.text(found.id ?? '');
    const key = { tenant_id: tally.tenant, id };
    const status = dialect.text(found.status ?? '');
    if (pace.dryRun) {
      tally.removed += 1;
      return;
    }
    const { sessionIfOld } = statements(dialect);
    const removal = this.#removal;
    const removed = yield* transaction(function* () {
      const count = yield* run(sessionIfOld, { ...key, status, before: dialect.time(before) });
      if (count > 0) yield* removal.children(tally.tenant, id);
      return count;
    });
    tell(pace, tally, removed);
  }
}

/** What fails carries what it removed before. */
function* counted(tally: Tally, work: Work<number>): Work<number> {
  try {
    return yield* work;
  } catch (error) {
    if (error instanceof ChronosError) error.partial = tally.removed;
    throw error;
  }
}

function nextOf({ dialect }: Backing, found: Row | undefined): string | undefined {
  const next = found?.next;
  return next === null || next === undefined ? undefined : dialect.text(next);
}
