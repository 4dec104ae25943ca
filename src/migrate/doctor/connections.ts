import { ok, warn } from '../checks.ts';
import type { Check } from '../types.ts';

/** Connections that a storage opens at most: the default of `pool.max`. */
const POOL = 10;
/** A service and its next version, side by side while one replaces the other. */
const PROCESSES = 2;

/** How many connections there may be, and the statement that raises each limit. */
export interface ConnectionLimit {
  /** `max_connections`, `the role's limit`. */
  readonly name: string;
  readonly most: number;
  readonly mend: string;
}

/** Holds the lowest limit against what two processes with the default pool open. */
export function connectionsCheck(limits: readonly ConnectionLimit[]): Check {
  const [lowest] = [...limits].sort((a, b) => a.most - b.most);
  if (lowest === undefined) return ok('connections', 'no limit');
  const { name, most, mend } = lowest;
  const message = `${name} allows ${most}; a storage opens up to ${POOL} in each process (pool.max)`;
  return most >= POOL * PROCESSES ? ok('connections', message) : warn('connections', message, mend);
}
