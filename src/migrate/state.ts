import type { Direction, LogEntry } from './types.ts';

/** A migration that stands half done. */
export interface Partial {
  readonly id: string;
  readonly direction: Direction;
  /** Whether its statement failed; else nobody knows how it ended. */
  readonly failed: boolean;
  /** Statement that failed, from 1, and how many its file has. */
  readonly step: number | null;
  readonly steps: number | null;
}

/** A migration in force. */
export interface InForce {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly checksum: string | null;
  readonly directives: readonly string[];
}

/** What the log says. */
export interface State {
  /** By id, in order of application. */
  readonly inForce: ReadonlyMap<string, InForce>;
  readonly partial: Partial | null;
}

/** Reads the log, oldest row first, into where the database stands. */
export function stateOf(log: readonly LogEntry[]): State {
  const inForce = new Map<string, InForce>();
  const open = new Map<string, Open>();
  for (const entry of log) {
    const id = `${entry.namespace}:${entry.migration}`;
    if (entry.event === 'started' || entry.event === 'step') {
      open.set(id, { entry, again: open.has(id) });
    } else if (entry.event === 'failed') {
      afterFailure(open, id, entry, inForce.has(id) === (entry.direction === 'up'));
    } else {
      open.delete(id);
      inForce.delete(id);
      if (entry.direction === 'up') inForce.set(id, inForceOf(id, entry));
    }
  }
  const [id, last] = [...open].at(-1) ?? [];
  return { inForce, partial: id === undefined || last === undefined ? null : partialOf(id, last.entry) };
}

/** A start without its end; `again` when it was half done before. */
interface Open {
  readonly entry: LogEntry;
  readonly again: boolean;
}

/**
 * The first statement of a file fails as a whole; a later one leaves those before it done. A process that was
 * paused may log its failure after another has finished the work (`done`): that changes nothing.
 */
function afterFailure(open: Map<string, Open>, id: string, entry: LogEntry, done: boolean): void {
  if (done) return;
  const halfDone = (entry.step ?? 1) > 1 || open.get(id)?.again === true;
  if (halfDone) open.set(id, { entry, again: false });
  else open.delete(id);
}

function partialOf(id: string, entry: LogEntry): Partial {
  const failed = entry.event === 'failed';
  return { id, direction: entry.direction, failed, step: entry.step, steps: entry.steps };
}

function inForceOf(id: string, entry: LogEntry): InForce {
  const directives = entry.directives?.split(' ') ?? [];
  return { id, namespace: entry.namespace, name: entry.migration, checksum: entry.checksum, directives };
}
