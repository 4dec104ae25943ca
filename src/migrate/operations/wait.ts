import { setTimeout as sleep } from 'node:timers/promises';
import { forbidAborted } from '../../drivers/when-free.ts';
import { InvalidArgumentError, MigrationError, type Reason, UnavailableError } from '../../errors.ts';
import { planUp } from '../plan.ts';
import { type State, stateOf } from '../state.ts';
import type { Report, WaitOptions } from '../types.ts';
import { type Context, reportNow } from './context.ts';

/** Longest time that Node's timers hold. */
const LONGEST = 2 ** 31 - 1;
const PAUSE = 500;
/** What may pass while a database starts. */
const PASSES: ReadonlySet<Reason | undefined> = new Set<Reason>([
  'CONNECT_REFUSED',
  'CONNECT_TIMEOUT',
  'CONNECTION_LOST',
  'POOL_EXHAUSTED',
]);

/** Waits until nothing is pending and nothing half done. A database that does not answer yet is waited for too. */
export async function wait(context: Context, { timeout = 60_000 }: WaitOptions): Promise<Report> {
  if (!(Number.isInteger(timeout) && timeout >= 0 && timeout <= LONGEST)) {
    const problem = `not a whole number of milliseconds from 0 to ${LONGEST}`;
    throw new InvalidArgumentError('timeout', problem, { reason: 'USAGE' });
  }
  const end = performance.now() + timeout;
  for (;;) {
    forbidAborted(context.options.signal);
    const left = await whatIsLeft(context);
    if (left === undefined) return reportNow(context);
    const ms = end - performance.now();
    if (ms <= 0) throw left(timeout);
    await sleep(Math.min(PAUSE, ms), undefined, { signal: context.options.signal }).catch(() => undefined);
  }
}

/** Makes the error to end with if it stays so; undefined = nothing is left. Throws what no waiting mends. */
async function whatIsLeft({ source }: Context): Promise<((waitedMs: number) => Error) | undefined> {
  try {
    const { engine, files } = await source.read();
    const state = stateOf(await engine.log());
    const pending = planUp(files, state).map(({ migration }) => migration.id);
    if (pending.length === 0 && state.partial === null) return undefined;
    return (waitedMs) => stillPending(pending.length, state, waitedMs);
  } catch (error) {
    if (error instanceof UnavailableError && PASSES.has(error.reason)) return () => error;
    throw error;
  }
}

function stillPending(pending: number, { open }: State, waitedMs: number): MigrationError {
  const after = waitedMs === 0 ? '' : ` after ${waitedMs / 1000} s`;
  const half = open.map(({ id }) => `, ${id} is half done`).join('');
  const message = `${pending} migration${pending === 1 ? '' : 's'} pending${after}${half}`;
  return new MigrationError(message, { reason: 'PENDING', hint: 'run chronos-migrate up' });
}
