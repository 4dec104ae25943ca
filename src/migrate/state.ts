import { OURS } from './files.ts';
import type { Direction, LogEntry } from './types.ts';

/** A migration that stands half done. */
export interface Partial {
  readonly id: string;
  readonly namespace: string;
  readonly direction: Direction;
  /** How many statements are done, from the first. */
  readonly done: number;
  /** The statement that began and of which nobody knows how it ended, from 1; null = none. */
  readonly doubt: number | null;
  /** How many its file has, where it was told. */
  readonly steps: number | null;
  /** Why the statement after the last one done failed, where it did. */
  readonly failure: string | null;
  /** Checksums of the statements that began, by number. */
  readonly checksums: ReadonlyMap<number, string>;
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
  /** What stands half done, in the order in which it began; at most one of a namespace, but by accident. */
  readonly open: readonly Partial[];
  /** The last of them. */
  readonly partial: Partial | null;
  /** What failed when it was last applied and left nothing: by id why, in the server's words; '' = not told. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Reads the log, oldest row first, into where the database stands. */
export function stateOf(log: readonly LogEntry[]): State {
  const inForce = new Map<string, InForce>();
  const open = new Map<string, Open>();
  const failures = new Map<string, string>();
  for (const entry of log) {
    const id = `${entry.namespace}:${entry.migration}`;
    const before = open.get(id);
    const reached = inForce.has(id) === (entry.direction === 'up');
    const after = next(before, entry, reached);
    failures.delete(id);
    const isUndone = entry.event === 'failed' && after === undefined && !reached;
    // Whoever stopped it knows.
    const isNews = entry.direction === 'up' && entry.errorCode !== 'INTERRUPTED';
    if (isUndone && isNews) failures.set(id, entry.errorMessage ?? '');
    if (after === 'ended') {
      open.delete(id);
      inForce.delete(id);
      if (entry.direction === 'up') inForce.set(id, inForceOf(id, entry));
    } else if (after === undefined) open.delete(id);
    else open.set(id, after);
  }
  return { inForce, failed: failures, ...standing([...open].map(([id, each]) => partialOf(id, each))) };
}

/** What stands half done, in the two forms of a {@link State}. */
export function standing(open: readonly Partial[]): Pick<State, 'open' | 'partial'> {
  return { open, partial: open.at(-1) ?? null };
}

/** How a migration stands half done, if it does. */
export function halfDoneOf({ open }: State, id: string): Partial | null {
  return open.find((partial) => partial.id === id) ?? null;
}

/** A start without its end. */
type Open = Omit<Partial, 'id' | 'checksums'> & {
  /** One map for all rows of a try: a copy a row takes minutes for a dump of thousands of statements. */
  readonly checksums: Map<number, string>;
  /** Whether it was half done before the try that runs. */
  readonly again: boolean;
};

/**
 * What a row makes of a migration: open, back where it was (undefined), or ended in its direction. `reached` says
 * that it is there already: a process that was paused may log its failure after another has finished the work.
 */
function next(before: Open | undefined, entry: LogEntry, reached: boolean): Open | undefined | 'ended' {
  const { event, step } = entry;
  if (event === 'succeeded' || event === 'baselined') return 'ended';
  if (event === 'repaired') return step === null ? 'ended' : settled(before, entry, step);
  if (event === 'failed') return reached ? before : failed(before, entry);
  const open = { ...begun(before, entry), failure: null };
  if (step === null) return { ...open, again: wasHalfDone(before) };
  if (entry.checksum !== null) open.checksums.set(step, entry.checksum);
  if (event === 'started') return { ...open, doubt: step };
  return { ...open, done: step, doubt: null };
}

function begun(before: Open | undefined, { namespace, direction, steps }: LogEntry): Open {
  const checksums = new Map<number, string>();
  const fresh = { namespace, done: 0, doubt: null, failure: null, checksums, again: false };
  return { ...(before?.direction === direction ? before : fresh), direction, steps };
}

/** A file of ours logs no statements, so one that began may have done any of them. */
function wasHalfDone(before: Open | undefined): boolean {
  return before !== undefined && (before.namespace === OURS || before.done > 0 || before.doubt !== null);
}

/** The first statement of a file fails as a whole; a later one leaves those before it done. */
function failed(before: Open | undefined, entry: LogEntry): Open | undefined {
  const step = entry.step ?? 1;
  if (step === 1 && before?.again !== true) return undefined;
  const failure = entry.errorMessage ?? '';
  return { ...begun(before, entry), done: step - 1, doubt: null, failure, again: false };
}

/** A person said how many statements are done. */
function settled(before: Open | undefined, entry: LogEntry, done: number): Open | undefined {
  if (done === 0) return undefined;
  const open = begun(before, entry);
  return { ...open, steps: entry.steps ?? before?.steps ?? null, done, doubt: null, failure: null };
}

function partialOf(id: string, { again: _, ...open }: Open): Partial {
  return { id, ...open };
}

function inForceOf(id: string, entry: LogEntry): InForce {
  const directives = entry.directives?.split(' ') ?? [];
  return { id, namespace: entry.namespace, name: entry.migration, checksum: entry.checksum, directives };
}
