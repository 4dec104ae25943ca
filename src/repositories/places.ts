import type { Values } from '../drivers/connection.ts';
import type { HeadStatements } from './head-statements.ts';
import { row, rows, run, type Work } from './work.ts';

/** The head is not the one that the caller expects. */
export class Unexpected extends Error {
  readonly actual: number;

  constructor(actual: number) {
    super('another head');
    this.actual = actual;
  }
}

/** The next place would be beyond what JavaScript counts exactly. */
export class NoPlace extends Error {}

type Key = { readonly tenant_id: string; readonly session_id: string };

/** By how much a head has grown. */
export interface Taken {
  readonly key: Key;
  readonly count: number;
  readonly isNew: boolean;
}

/** What is asked of a session: so many places, after the head that is expected. */
export interface Asked {
  readonly key: Key;
  readonly count: number;
  readonly expected: number | undefined;
}

/**
 * Takes the next places of a session, whose head stays locked until the transaction ends; the first of them. Adds to
 * `taken` what {@link giveBack} undoes.
 */
export function* takePlaces(
  { take, get, set, last }: Omit<HeadStatements, 'append' | 'drop'>,
  { key, count, expected }: Asked,
  taken: Taken[],
): Work<number> {
  const head = yield* grow(take, get, { ...key, head: count });
  const isNew = head === count;
  taken.push({ key, count, isNew });
  // Beyond it what comes back is rounded, and what is reckoned from it too.
  if (head > Number.MAX_SAFE_INTEGER) throw new NoPlace();
  const before = isNew ? 0 : head - count;
  if (expected !== undefined && expected !== before) throw new Unexpected(before);
  const greatest = isNew ? Number((yield* row(last, { ...key, limit: 1 }))?.seq_num ?? 0) : before;
  const below = Math.max(greatest, 0);
  if (below + count > Number.MAX_SAFE_INTEGER) throw new NoPlace();
  const first = below + 1;
  if (isNew && first > 1) yield* run(set, { ...key, head: first + count - 1 });
  return first;
}

/** Makes a head what it was; not one that grew beyond what JavaScript counts exactly. */
export function* giveBack({ take, drop }: HeadStatements, { key, count, isNew }: Taken): Work<void> {
  if (isNew) yield* run(drop, key);
  else yield* rows(take, { ...key, head: -count });
}

/** The head of a session after it has grown. Where the engine cannot give it back it is read, under the lock. */
function* grow(take: HeadStatements['take'], get: HeadStatements['get'], values: Values): Work<number> {
  const [taken] = yield* rows(take, values);
  return Number((taken ?? (yield* row(get, values)))?.head);
}
