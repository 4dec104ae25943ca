import { setImmediate } from 'node:timers/promises';

/**
 * Resolves once a signal is heard that came while a statement blocked the process. The first turn only ends the
 * phase in which the statement ran; the second lies behind a poll (one alone misses the signal, seen).
 */
export async function heard(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
