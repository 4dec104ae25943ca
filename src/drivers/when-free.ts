import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../errors.ts';
import { interrupted } from './failures.ts';

/** The answer of an attempt that found the lock taken. */
export class Taken {
  /** Who has it and what it runs, for people. */
  readonly holder: string;

  constructor(holder: string) {
    this.holder = holder;
  }
}

/** What a wait tells. */
export type WaitProgress =
  | { readonly kind: 'waiting'; readonly holder: string; readonly waitedMs: number }
  | { readonly kind: 'warning'; readonly message: string };

/** How to wait. Times in milliseconds. */
export interface WaitOptions {
  readonly lockTimeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 400;
/** A holder that stays the same is named again after this. */
const REPEAT = 10_000;

/**
 * Attempts until the lock was free. Polls and never blocks: a blocked waiter deadlocks with an index that is
 * built concurrently. Throws UnavailableError LOCK_TIMEOUT or INTERRUPTED.
 */
export async function whenFree<T>(attempt: () => Promise<T | Taken>, options: WaitOptions): Promise<T> {
  const begin = performance.now();
  let pause = FIRST_PAUSE;
  let told = { holder: '', at: 0 };
  for (;;) {
    forbidAborted(options.signal);
    const result = await attempt();
    if (!(result instanceof Taken)) return result;
    const waitedMs = Math.round(performance.now() - begin);
    if (waitedMs >= options.lockTimeout) throw lockTimeout(result.holder, waitedMs);
    if (result.holder !== told.holder || waitedMs - told.at >= REPEAT) {
      told = { holder: result.holder, at: waitedMs };
      options.onProgress?.({ kind: 'waiting', holder: result.holder, waitedMs });
    }
    await pauseFor(Math.min(pause * (0.5 + Math.random()), options.lockTimeout - waitedMs), options.signal);
    pause = Math.min(pause * 1.5, LONGEST_PAUSE);
  }
}

/** Throws UnavailableError INTERRUPTED once the signal was given. */
export function forbidAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted('waiting');
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    // Only the signal rejects a sleep, and it has an error of its own.
    forbidAborted(signal);
  }
}

function lockTimeout(holder: string, waitedMs: number): UnavailableError {
  const seconds = (waitedMs / 1000).toFixed(1);
  return new UnavailableError(`the lock was not free after ${seconds} s: ${holder}`, {
    reason: 'LOCK_TIMEOUT',
    retryable: true,
    hint: 'wait for it, end it, or raise the lock timeout',
  });
}
