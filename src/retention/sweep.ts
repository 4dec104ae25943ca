import type { Row, Value, Values } from '../drivers/connection.ts';
import { ChronosError, UnavailableError } from '../errors.ts';
import { EARLIEST } from '../model/check.ts';
import { pause, row, run, script, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { statement } from '../sql/statement.ts';
import type { SweepStatements } from '../sql/sweep.ts';
import type { Pace } from './options.ts';

/** What was removed so far by the whole call, and for whom. */
export interface Tally {
  tenant: string;
  removed: number;
}

/** Below every key of a type. */
function lowest(dialect: Dialect, { key }: SweepStatements): Value {
  if (key.type === 'time') return dialect.time(EARLIEST);
  return key.type === 'int' ? -(2 ** 53) : '';
}

/** The key of an edge, as the next batch's `from`. */
function keyOf(dialect: Dialect, { key }: SweepStatements, found: Row): Value {
  const raw = found[key.name] ?? '';
  if (key.type === 'time') return dialect.time(Number(raw));
  return key.type === 'int' ? Number(raw) : dialect.text(raw);
}

/** Ends a call whose signal came. */
export function stopIfTold({ signal }: Pace, { removed }: Tally): void {
  if (!signal?.aborted) return;
  throw new UnavailableError(`stopped by its signal after ${removed} removed`, {
    reason: 'INTERRUPTED',
    cause: signal.reason,
  });
}

/** Counts what is removed, and tells who asked. An observer's mistake must not end the work. */
export function tell(pace: Pace, tally: Tally, removed: number): void {
  tally.removed += removed;
  if (removed === 0) return;
  try {
    pace.onProgress?.({ removed: tally.removed, tenant: tally.tenant });
  } catch {
    // What it throws is its own affair.
  }
}

/**
 * Removes all rows of a sweep in bounded batches; resolves to their number. Each batch starts where the one before
 * ended: the servers keep what was deleted in their indexes for a while, and would walk over it again.
 */
export function* sweepAll(
  dialect: Dialect,
  statements: SweepStatements,
  values: Values,
  { pace, tally }: { readonly pace: Pace; readonly tally: Tally },
): Work<number> {
  if (pace.dryRun) {
    const counted = Number((yield* row(statements.count, values))?.count);
    tally.removed += counted;
    return counted;
  }
  const { batchSize } = pace;
  let from = lowest(dialect, statements);
  let removed = 0;
  for (;;) {
    stopIfTold(pace, tally);
    const count = yield* run(statements.remove, { ...values, from, limit: batchSize });
    removed += count;
    tell(pace, tally, count);
    if (count === 0) return removed;
    // A batch may fall short though more is left: another trim beside this one took some of its rows.
    const edge = yield* row(statements.edge, { ...values, from, limit: 1 });
    if (!edge) return removed;
    from = keyOf(dialect, statements, edge);
    if (pace.pause > 0) yield* pause(pace.pause, pace.signal);
  }
}

/** Fewer are not worth the work: the pages are used again soon. */
const WORTH = 1000;

/** Gives the pages of removed rows back to the disk, where that is ours to do and nobody writes all the while. */
export function* reclaim(dialect: Dialect, removed: number): Work<void> {
  const how = dialect.reclaim;
  if (how === undefined || removed < WORTH) return;
  try {
    yield* giveBack(how);
  } catch (error) {
    // The rows are gone whatever becomes of their pages; the next trim finds them free.
    if (!(error instanceof ChronosError) || error.reason !== 'CONTENTION') throw error;
  }
}

function* giveBack(how: NonNullable<Dialect['reclaim']>): Work<void> {
  const free = statement('reclaim', how.free);
  let left = Number((yield* row(free, {}))?.pages);
  while (left > 0) {
    yield* script(how.some);
    yield* pause(0);
    const now = Number((yield* row(free, {}))?.pages);
    // A file that was not made for it gives nothing back.
    if (now >= left) break;
    left = now;
  }
  yield* script(how.end);
}
