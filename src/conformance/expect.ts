import assert from 'node:assert/strict';
import { type ErrorCode, type Event, type NewEvent, newId } from '../index.ts';

/** A call must return a promise that rejects with this code; `argument` is that of InvalidArgumentError. */
export async function rejects(
  call: () => Promise<unknown>,
  code: ErrorCode,
  argument?: string,
): Promise<void> {
  let promise: Promise<unknown>;
  try {
    promise = call();
  } catch (error) {
    throw new assert.AssertionError({ message: `threw at once, and must reject: ${String(error)}` });
  }
  const error = await promise.then(
    () => new assert.AssertionError({ message: `resolved, and must reject with ${code}` }),
    (reason: unknown) => reason,
  );
  if (error instanceof assert.AssertionError) throw error;
  const found = error as { readonly code?: unknown; readonly argument?: unknown };
  if (found.code !== code) throw error;
  if (argument !== undefined) assert.equal(found.argument, argument);
}

/** The order of ids on every engine: by code point, which is the order of their UTF-8 bytes. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** An event with what a case does not care about. */
export function event(given: Partial<NewEvent> & Pick<NewEvent, 'sessionId'>): NewEvent {
  return { id: newId(), seqNum: 1, type: 'message', payload: { text: 'hello' }, ...given };
}

export function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map((record) => record.id);
}

/** The events that a walk of pages gives, and the size of each page. */
export interface Walked<T> {
  readonly records: readonly T[];
  readonly sizes: readonly number[];
}

/** Follows `nextCursor` from the first page to the last. */
export async function walk<T>(
  page: (cursor: string) => Promise<{ readonly records: readonly T[]; readonly nextCursor: string }>,
): Promise<Walked<T>> {
  const records: T[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    const found = await page(cursor);
    records.push(...found.records);
    sizes.push(found.records.length);
    cursor = found.nextCursor;
    assert.ok(sizes.length <= 10_000, 'the pages do not end');
  } while (cursor !== '');
  return { records, sizes };
}

/** Events without what the store fills in, to compare with what was given. */
export function given(events: readonly Event[]): readonly Omit<Event, 'tenantId' | 'createdAt'>[] {
  return events.map(({ id, sessionId, seqNum, type, payload }) => ({ id, sessionId, seqNum, type, payload }));
}
