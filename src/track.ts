import { checkScope, type Scope } from './transaction-scope.ts';

/** What is counted while it runs, so that closing waits for it. */
export interface Tracked {
  readonly scope: Scope;
  readonly inFlight: Set<Promise<unknown>>;
}

/** Runs a call of a storage, or of what stands on it, unless its scope has ended. What it throws at once rejects. */
export async function track<T>({ inFlight, scope }: Tracked, work: () => T | Promise<T>): Promise<T> {
  checkScope(scope);
  const running = work();
  if (!(running instanceof Promise)) return running;
  inFlight.add(running);
  try {
    return await running;
  } finally {
    inFlight.delete(running);
  }
}
