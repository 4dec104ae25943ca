import { UnavailableError } from '../errors.ts';
import type { OpenOptions } from './options.ts';

/** The error of a caller for whom no client became free in time. */
export function poolExhausted(target: string, options: OpenOptions): UnavailableError {
  const max = options.pool?.max ?? 10;
  const ms = options.pool?.acquireTimeout ?? 10_000;
  return new UnavailableError(
    `no connection became free within ${ms} ms, all ${max} are in use (${target})`,
    {
      reason: 'POOL_EXHAUSTED',
      retryable: true,
      hint: 'raise pool.max, or look for transactions that stay open',
    },
  );
}

/** Likewise, of a pool that a host made. */
export function lentPoolExhausted(target: string, ms: number): UnavailableError {
  return new UnavailableError(`no connection became free within ${ms} ms (${target})`, {
    reason: 'POOL_EXHAUSTED',
    retryable: true,
    hint: 'let the pool have more connections, or look for transactions that stay open; inside one of yours, storage.using(client)',
  });
}
