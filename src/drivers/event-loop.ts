import { setImmediate } from 'node:timers';

/** How long calls may follow each other without a turn of the event loop, in ms. */
const SLICE = 10;

let since: number | undefined;

/**
 * A turn of the event loop when calls have kept it for long, else undefined. An engine in this process answers without
 * one: a loop of calls would starve timers, sockets, and itself where it waits for these.
 */
export function turnOfEventLoop(): Promise<void> | undefined {
  const now = performance.now();
  if (since === undefined) {
    since = now;
    setImmediate(() => {
      since = undefined;
    });
    return undefined;
  }
  return now - since < SLICE ? undefined : new Promise((resolve) => setImmediate(resolve));
}
