import type { WaitProgress } from '../drivers/when-free.ts';
import { ChronosError } from '../errors.ts';

/** When it is first asked who blocks a statement, and how often then (ms). */
const PAUSE = 1_000;
/** A look may come when the wait has just ended, and see nobody: who was seen in one before it is still the answer (ms). */
const RECENT = 3 * PAUSE;

/** Who blocked the statement that an error ended. */
const blockers = new WeakMap<object, string>();

/** Words about who blocked the statement that failed so; undefined = nobody was seen. */
export function blockerOf(thrown: unknown): string | undefined {
  return typeof thrown === 'object' && thrown !== null ? blockers.get(thrown) : undefined;
}

/** How to watch a statement. */
export interface Watch {
  /** Who blocks it now, for people; undefined = nobody. */
  readonly ask: () => Promise<string | undefined>;
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
  /** Called while it is blocked, with how long it has been (ms). */
  readonly onBlocked?: (ms: number, holder: string) => void;
}

/** Runs `work`, tells meanwhile who blocks it, and remembers that for the error that ends it. */
export async function watched<T>({ ask, onProgress, onBlocked }: Watch, work: () => Promise<T>): Promise<T> {
  let holder: string | undefined;
  let since = 0;
  let seen = Number.NEGATIVE_INFINITY;
  let asking = false;
  const look = async () => {
    if (asking) return;
    asking = true;
    const asked = performance.now();
    // The statement is what matters: who may not look, or finds no free connection, sees nobody.
    const now = await ask().catch(() => undefined);
    asking = false;
    if (now === undefined) since = 0;
    else {
      if (since === 0) since = performance.now();
      const waitedMs = Math.round(performance.now() - since);
      if (now !== holder) onProgress?.({ kind: 'waiting', holder: now, waitedMs });
      holder = now;
      seen = asked;
      onBlocked?.(waitedMs, now);
    }
  };
  const timer = setInterval(() => void look(), PAUSE);
  try {
    return await work();
  } catch (thrown) {
    const isHeld = since > 0 || (isContention(thrown) && performance.now() - seen < RECENT);
    if (holder !== undefined && isHeld && typeof thrown === 'object' && thrown !== null) {
      blockers.set(thrown, holder);
    }
    throw thrown;
  } finally {
    clearInterval(timer);
  }
}

/** Whether it was a wait that ended it: then somebody was in its way to the last. */
function isContention(thrown: unknown): boolean {
  return thrown instanceof ChronosError && thrown.reason === 'CONTENTION';
}
