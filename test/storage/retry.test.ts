import { describe, expect, it, vi } from 'vitest';
import { ConflictError, UnavailableError, type UnavailableFacts } from '../../src/errors.ts';
import { retry } from '../../src/repositories/retry.ts';

/** Work that fails the given number of times, and how often it was tried. */
function failing(times: number, error: Error) {
  const work = async () => {
    work.tries += 1;
    if (work.tries <= times) throw error;
    return 'done';
  };
  work.tries = 0;
  return work;
}

const unavailable = (facts: UnavailableFacts) => new UnavailableError('not now', facts);
const contention = unavailable({ reason: 'CONTENTION', retryable: true });
const lost = unavailable({ reason: 'CONNECTION_LOST', retryable: true, maybeApplied: true });
const unsent = unavailable({ reason: 'CONNECTION_LOST', retryable: true });

describe('retry', () => {
  it.each([
    ['contention', contention, false],
    ['contention, once', contention, true],
    ['a lost connection', lost, false],
    ['a connection lost before sending, once', unsent, true],
  ])('tries again after %s', async (_, error, once) => {
    const work = failing(2, error);
    expect(await retry(work, once)).toBe('done');
    expect(work.tries).toBe(3);
  });

  it.each([
    ['a lost connection, when it is to be sent once', lost, true],
    ['an exhausted pool', unavailable({ reason: 'POOL_EXHAUSTED', retryable: true }), false],
    ['a dead server', unavailable({ reason: 'CONNECT_REFUSED', retryable: true }), false],
    ['a full disk', unavailable({ reason: 'STORAGE_FULL' }), false],
    ['a conflict', new ConflictError('no'), false],
  ])('gives up at once after %s', async (_, error, once) => {
    const work = failing(1, error);
    await expect(retry(work, once)).rejects.toBe(error);
    expect(work.tries).toBe(1);
  });

  it('gives up after a bounded number of lost connections with the last error', async () => {
    const work = failing(99, unsent);
    await expect(retry(work)).rejects.toBe(unsent);
    expect(work.tries).toBe(7);
  });

  it('gives up after ten seconds of contention with the last error', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const work = failing(99, contention);
      const second = () => {
        vi.advanceTimersByTime(1_000);
        return work();
      };
      await expect(retry(second)).rejects.toBe(contention);
      expect(work.tries).toBe(11);
    } finally {
      vi.useRealTimers();
    }
  });
});
