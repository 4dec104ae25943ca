import assert from 'node:assert/strict';
import { ChronosError, type ErrorCode, type Event, type NewEvent, newId } from '../index.ts';

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
export function event(given: Partial<NewEvent> & Pick<NewEvent, 'sessionId'>): PlacedEvent {
  return { id: newId(), seqNum: 1, type: 'message', payload: { text: 'hello' }, ...given };
}

/** An event whose place the case gives. */
export type PlacedEvent = NewEvent & { readonly seqNum: number };

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

/** A call must return a promise that rejects with an error of ours that carries these facts; the error. */
export async function rejectsWith(
  call: () => Promise<unknown>,
  facts: Readonly<Record<string, unknown>> & { readonly code: ErrorCode },
): Promise<ChronosError> {
  let error: unknown;
  await rejects(
    () =>
      call().catch((reason: unknown) => {
        error = reason;
        throw reason;
      }),
    facts.code,
  );
  assert.ok(error instanceof ChronosError);
  for (const [name, value] of Object.entries(facts)) assert.deepEqual(Reflect.get(error, name), value, name);
  return error;
}
