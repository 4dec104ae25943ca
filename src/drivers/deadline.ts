import { UnavailableError } from '../errors.ts';

/** The error of a server that did not answer in time. */
export function connectTimeout(target: string, ms: number, cause?: unknown): UnavailableError {
  return new UnavailableError(`connect: no answer within ${ms} ms (${target})`, {
    reason: 'CONNECT_TIMEOUT',
    retryable: true,
    hint: 'check host, port and firewall, or raise the connect timeout',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Waits for `work`; after `ms` calls `expire`, which must make it reject. Rejects with `late(error)` then. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  expire: () => void,
  late: (cause: unknown) => Error,
): Promise<T> {
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    expire();
  }, ms);
  try {
    return await work;
  } catch (error) {
    throw expired ? late(error) : error;
  } finally {
    clearTimeout(timer);
  }
}
