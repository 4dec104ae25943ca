import { AsyncLocalStorage } from 'node:async_hooks';
import { UnsupportedError } from '../errors.ts';
import { Turns } from './turns.ts';

/** A savepoint that somebody runs code in. */
interface Held {
  readonly by: Siblings;
  ended: boolean;
}

/** The savepoints that this context is inside of; what was begun in one may outlive it. */
const around: AsyncLocalStorage<readonly Held[]> = new AsyncLocalStorage();

/**
 * The statements and savepoints of one transaction, one after the other: two savepoints at once would close each
 * other, and the rollback of one would take a statement beside it along.
 */
export class Siblings {
  readonly #turns = new Turns();

  /** Whether nothing runs and no savepoint is open. */
  get free(): boolean {
    return this.#turns.free;
  }

  /** Runs a statement in its turn. */
  async through<T>(task: () => T | Promise<T>): Promise<T> {
    this.#check();
    return this.#turns.through(task);
  }

  /** Runs a savepoint in its turn; `task` has what others wrote in it. */
  async hold<T>(task: () => Promise<T>): Promise<T> {
    this.#check();
    return this.#turns.through(async () => {
      const held: Held = { by: this, ended: false };
      try {
        return await around.run([...(around.getStore() ?? []), held], task);
      } finally {
        held.ended = true;
      }
    });
  }

  /** A call from within a savepoint that is not on it would wait for itself for ever: a handle that is lent twice. */
  #check(): void {
    if (!around.getStore()?.some(({ by, ended }) => by === this && !ended)) return;
    throw new UnsupportedError('the transaction was used inside its own savepoint', {
      hint: 'call the methods of the storage that the savepoint was given',
    });
  }
}
