import { InvalidArgumentError } from '../errors.ts';
import { checkOptions, checkSwitch, checkWithin } from '../model/check.ts';

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

/** The options of a trim, checked. */
export function checkPace(options: unknown): Pace {
  const { batchSize = BATCH, pause = 0, signal, dryRun, onProgress } = checkOptions(options);
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

/** Whether a trim is of all tenants. */
export function ofAllTenants(options: unknown): boolean {
  return checkSwitch('allTenants', checkOptions(options).allTenants);
}
