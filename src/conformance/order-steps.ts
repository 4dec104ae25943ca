import assert from 'node:assert/strict';
import type { Appended, AppendedAll, Event, NewEvent, Storage } from '../index.ts';
import { event } from './expect.ts';

/** One thing done in a session; resolves to what it answers, as text. */
export type Step = (storage: Storage, sessionId: string) => Promise<string>;

/** An event whose place the store gives. */
export function assigned(given: Partial<NewEvent> & Pick<NewEvent, 'sessionId'>): NewEvent {
  const { seqNum: _, ...rest } = event(given);
  return rest;
}

function one({ inserted, seqNum }: Appended): string {
  return inserted ? `${seqNum}` : `=${seqNum}`;
}

function all({ inserted, seqNums }: AppendedAll): string {
  return `${inserted}: ${seqNums.join(' ')}`;
}

/** Appends events without places; several in one batch. */
export function next(...ids: readonly string[]): Step {
  return async (storage, sessionId) => {
    const events = ids.map((id) => assigned({ id, sessionId }));
    return ids.length === 1
      ? one(await storage.appendEvent(events[0]!))
      : all(await storage.appendEvents(events));
  };
}

/** Appends events at a place, and the places after it; several in one batch. */
export function at(seqNum: number, ...ids: readonly string[]): Step {
  return async (storage, sessionId) => {
    const events = ids.map((id, n) => event({ id, sessionId, seqNum: seqNum + n }));
    return ids.length === 1
      ? one(await storage.appendEvent(events[0]!))
      : all(await storage.appendEvents(events));
  };
}

/** Removes all events of the tenant by their age. */
export const trim: Step = async (storage) =>
  `${await storage.trimEvents(new Date(Date.now() + 60_000))} trimmed`;

/** Deletes the session. */
export const drop: Step = async (storage, sessionId) =>
  `${(await storage.deleteSession(sessionId)).events} deleted`;

/** Does two things at once; their answers sorted. */
export function both(...steps: readonly [Step, Step]): Step {
  return async (storage, sessionId) => {
    const answers = await Promise.all(steps.map((step) => step(storage, sessionId)));
    return answers.sort((a, b) => Number(a > b) - Number(a < b)).join(' ');
  };
}

/** Does things in a transaction. */
export function inside(how: 'commits' | 'rolls back', ...steps: readonly Step[]): Step {
  return async (storage, sessionId) => {
    const answers: string[] = [];
    const done = storage.transaction(async (tx) => {
      for (const step of steps) answers.push(await step(tx, sessionId));
      if (how === 'rolls back') back();
    });
    await (how === 'commits' ? done : assert.rejects(done, BACK));
    return answers.join(' ');
  };
}

/** Ids and places in their order: `a1 b2`. */
export function stored(events: readonly Event[]): string {
  return events.map(({ id, seqNum }) => `${id}${seqNum}`).join(' ');
}

/** What a case throws to roll its transaction back. */
export const BACK: Error = new Error('rolls back');

export function back(): never {
  throw BACK;
}

/** Appends an event at the next place. */
export function append(storage: Storage, id: string, sessionId = 's'): Promise<Appended> {
  return storage.appendEvent(assigned({ id, sessionId }));
}

/** The events of a session: `a1 b2`. */
export async function ledger(storage: Storage, sessionId = 's'): Promise<string> {
  return stored(await storage.listEvents(sessionId));
}
