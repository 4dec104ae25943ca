import { setImmediate } from 'node:timers';

/** How long calls may follow each other without a turn of the event loop, in ms. */
const SLICE = 10;

let since: number | undefined;

/**
 * Whether calls have kept the event loop for so long that it needs a turn. An engine in this process answers without
 * one: a loop of calls would starve timers, sockets, and itself where it waits for these.
 */
export function isTurnDue(): boolean {
  const now = performance.now();
  if (since === undefined) {
    since = now;
    setImmediate(() => {
      since = undefined;
    });
    return false;
  }
  return now - since >= SLICE;
}

/** A turn of the event loop when one is due, else undefined. */
export function turnOfEventLoop(): Promise<void> | undefined {
  return isTurnDue() ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}
