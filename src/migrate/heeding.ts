import { CodeError } from './code-error.ts';

/** How long code may go on after its signal before it is given up (ms). */
const GRACE = 5_000;

/**
 * Runs code that is asked to stop by its signal. What does not stop within the grace is left alone, `onDeaf` is
 * called, and it rejects INTERRUPTED: the code itself cannot be ended.
 */
export async function heeding(
  signal: AbortSignal | undefined,
  code: () => unknown,
  onDeaf: (afterMs: number) => void,
): Promise<void> {
  if (signal === undefined) return void (await code());
  let timer: NodeJS.Timeout | undefined;
  let wait: () => void = () => undefined;
  const deaf = new Promise<never>((_, reject) => {
    wait = () => {
      timer = setTimeout(() => {
        onDeaf(GRACE);
        const said = `its code did not heed the signal within ${GRACE / 1000} s`;
        reject(new CodeError(said, { reason: 'INTERRUPTED' }));
      }, GRACE);
    };
  });
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  try {
    await Promise.race([code(), deaf]);
  } finally {
    signal.removeEventListener('abort', wait);
    clearTimeout(timer);
  }
}
