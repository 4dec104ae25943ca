import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationError } from '../errors.ts';
import type { Progress } from './types.ts';

/** The answer of an attempt that found the lock taken. */
export class Taken {
  /** Who has it and what it runs, for people. */
  readonly holder: string;

  constructor(holder: string) {
    this.holder = holder;
  }
}

/** How to wait. Times in milliseconds. */
export interface WaitOptions {
  readonly lockTimeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 400;
/** A holder that stays the same is named again after this. */
const REPEAT = 10_000;

/**
 * Attempts until the lock was free. Polls and never blocks: a blocked waiter deadlocks with an index that is
 * built concurrently. Throws MigrationError LOCK_TIMEOUT or INTERRUPTED.
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

/** Throws MigrationError INTERRUPTED once the signal was given. */
export function forbidAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const hint = 'run it again: what was applied stays applied';
  throw new MigrationError('stopped by its signal', { reason: 'INTERRUPTED', hint });
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    // Only the signal rejects a sleep, and it has an error of its own.
    forbidAborted(signal);
  }
}

function lockTimeout(holder: string, waitedMs: number): MigrationError {
  const seconds = (waitedMs / 1000).toFixed(1);
  return new MigrationError(`the lock was not free after ${seconds} s: ${holder}`, {
    reason: 'LOCK_TIMEOUT',
    hint: 'wait for it, end it, or raise the lock timeout',
  });
}
