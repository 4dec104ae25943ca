import { InvalidArgumentError } from '../errors.ts';
import { checkOptions, checkPlain, checkSwitch, checkWithin, type Names } from '../model/check.ts';
import { reading } from '../model/objects.ts';

/** What a trim has done so far. */
export interface TrimProgress {
  /** Rows removed by this call: sessions for `trimSessions`. */
  readonly removed: number;
  /** The tenant at hand. */
  readonly tenant: string;
}

/** How a trim runs. */
export interface TrimOptions {
  /** Rows that one statement removes at most, 1 to 100 000. Default 5000. */
  readonly batchSize?: number;
  /** Milliseconds between two statements, for who works beside it. Default 0. */
  readonly pause?: number;
  /** Stops it after the statement that runs: it rejects with reason INTERRUPTED, `partial` = what it removed. */
  readonly signal?: AbortSignal;
  /** Removes nothing; resolves to the number that it would remove. Default false. */
  readonly dryRun?: boolean;
  /** Told after each statement that removed something. */
  readonly onProgress?: (progress: TrimProgress) => void;
}

/** How a trim by age runs. */
export interface TrimByAgeOptions extends TrimOptions {
  /** All tenants, one by one. Default: the context's. */
  readonly allTenants?: boolean;
}

/** How `trimSessions` runs. */
export interface TrimSessionsOptions extends TrimByAgeOptions {
  /** Only sessions with this status. `''` or absent = all. */
  readonly status?: string;
}

/** The options of a trim of one session's, by name. */
export const PACE: Names<TrimOptions> = Object.freeze({
  batchSize: true,
  pause: true,
  signal: true,
  dryRun: true,
  onProgress: true,
});
/** Those of a trim by age. */
export const BY_AGE: Names<TrimByAgeOptions> = Object.freeze({ ...PACE, allTenants: true });
/** Those of `trimSessions`. */
export const OF_SESSIONS: Names<TrimSessionsOptions> = Object.freeze({ ...BY_AGE, status: true });

/** Checked options, defaults in place. */
export interface Pace {
  readonly batchSize: number;
  readonly pause: number;
  readonly signal: AbortSignal | undefined;
  readonly dryRun: boolean;
  readonly onProgress: ((progress: TrimProgress) => void) | undefined;
}

const BATCH = 5000;
const GREATEST_BATCH = 100_000;
/** The longest that a timer waits. */
const GREATEST_PAUSE = 2 ** 31 - 1;

/** The options of a trim, checked; it has those that are named. */
export function checkPace(options: unknown, names: Readonly<Record<string, true>>): Pace {
  const { batchSize = BATCH, pause = 0, signal, dryRun, onProgress } = checkOptions(options, names);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new InvalidArgumentError('signal', 'must be an AbortSignal');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InvalidArgumentError('onProgress', 'must be a function');
  }
  return {
    batchSize: checkWithin('batchSize', batchSize, 1, GREATEST_BATCH),
    pause: checkWithin('pause', pause, 0, GREATEST_PAUSE),
    signal,
    dryRun: checkSwitch('dryRun', dryRun),
    onProgress: onProgress as Pace['onProgress'],
  };
}

/** Whether a trim by age is of all tenants. */
export function ofAllTenants(options: unknown): boolean {
  return (
    options !== undefined &&
    checkSwitch(
      'allTenants',
      reading('options', () => checkPlain('options', options).allTenants),
    )
  );
}
