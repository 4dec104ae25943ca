import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { blockerOf, watched } from '../../src/migrate/blocker.ts';

const late = () => new UnavailableError('waited too long', { reason: 'CONTENTION', retryable: true });

/** Who is named for `error`, which ends the work after `ms`, where the looks, one a second, see these. */
async function named(
  looks: readonly (string | undefined)[],
  error: unknown,
  ms: number,
): Promise<string | undefined> {
  let at = 0;
  const work = () => new Promise<void>((_, reject) => setTimeout(() => reject(error), ms));
  const running = watched({ ask: async () => looks[at++] }, work).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(ms);
  return blockerOf(await running);
}

describe('who blocked a statement', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is who was seen last', async () => {
    expect(await named(['a', 'b'], late(), 2_500)).toBe('b');
    expect(await named(['a', 'b'], new Error('cancelled'), 2_500)).toBe('b');
    expect(await named([], new Error('quick'), 500)).toBe(undefined);
  });

  it('is who was seen before a look that came when the wait had just ended', async () => {
    expect(await named(['a', 'a', undefined], late(), 3_001)).toBe('a');
  });

  it('is nobody where something else ended it, or where it was long ago', async () => {
    expect(await named(['a', undefined], new Error('duplicate key'), 2_500)).toBe(undefined);
    expect(await named(['a', ...Array.from({ length: 9 }, () => undefined)], late(), 9_500)).toBe(undefined);
  });
});
