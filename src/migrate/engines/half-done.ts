import type { Connection } from '../../drivers/connection.ts';
import { MigrationError } from '../../errors.ts';
import { runCode } from '../knex-host.ts';
import type { Log } from '../log.ts';
import { repairHint } from '../partial.ts';
import type { Step } from '../plan.ts';
import { halfDoneOf, stateOf } from '../state.ts';
import { type Place, type StepFailure, stepFailure } from '../step-failure.ts';
import { type EngineOptions, rowOf } from './engine.ts';

/**
 * A step of which something may have stayed, and why. `doubt` is the statement that the log says began; null = the next
 * run may find out by itself how it ended.
 */
export function halfDone(
  { migration: { id, namespace }, direction }: Step,
  why: string,
  cause?: unknown,
  doubt: number | null = 1,
): MigrationError {
  return new MigrationError(`${id} (${direction}) ${why}; what of it stayed is not known`, {
    reason: 'MIGRATION_PARTIAL',
    migration: id,
    hint:
      doubt === null
        ? 'run `up` again: it looks at the database, and goes on or says how to settle it'
        : repairHint({ id, namespace, doubt }),
    cause,
  });
}

/** What an error means for its step, also where it is one of these already. */
export function failureOf(step: Step, thrown: unknown, place?: Place): StepFailure {
  return thrown instanceof MigrationError && isHalfDone(thrown)
    ? asFailure(thrown)
    : stepFailure(step, thrown, place);
}

export function isHalfDone(thrown: unknown): boolean {
  return thrown instanceof MigrationError && thrown.reason === 'MIGRATION_PARTIAL';
}

/**
 * Runs a host's file inside the caller's transaction. A row says that it began: a file that commits by itself
 * makes that row stay, whatever becomes of us, and one that does not takes it along.
 */
export async function runInside(
  tx: Connection,
  log: Log,
  step: Step,
  work: () => Promise<void>,
): Promise<void> {
  await log.append(tx, { ...rowOf(step, 'started'), step: 1, steps: 1 });
  await tx.script('savepoint chronos_file');
  await work();
  try {
    await tx.script('release savepoint chronos_file');
  } catch (error) {
    throw halfDone(step, 'ended the transaction that it ran in', error);
  }
}

/** Runs what a host wrote, SQL or code. */
export function runHostStep(
  on: Connection,
  { direction, migration: { code, id } }: Step,
  sql: string,
  { signal, onProgress }: Pick<EngineOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  if (code === undefined) return on.script(sql);
  const onDeaf = (afterMs: number) => {
    const message = `${id}: its code did not heed the signal for ${afterMs / 1000} s and was given up with its connection`;
    onProgress?.({ kind: 'warning', message });
  };
  return runCode(on, (context) => code[direction]?.(context), { signal, onDeaf });
}

/** Logs how a step failed, and gives the error to throw: the log knows whether something of it was committed. */
export async function logFailure(
  tx: Connection,
  log: Log,
  step: Step,
  { error, code, message }: StepFailure,
): Promise<MigrationError> {
  if (halfDoneOf(stateOf(await log.read(tx)), step.migration.id)) {
    return isHalfDone(error) ? error : halfDone(step, 'failed after it had committed', error);
  }
  const event = isHalfDone(error) ? 'started' : 'failed';
  const place = event === 'started' ? { step: 1, steps: 1 } : {};
  await log.append(tx, { ...rowOf(step, event), ...place, errorCode: code, errorMessage: message });
  return error;
}

export function asFailure(error: MigrationError): StepFailure {
  return { error, code: error.reason ?? error.code, message: error.message, unknown: false };
}
