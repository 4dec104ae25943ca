import type { Clients } from './driver.ts';
import { Turns } from './turns.ts';

/** The clients of a database that has one session: whoever asks waits for its turn. */
export class Single<C> implements Clients<C> {
  readonly #client: C;
  readonly #end: () => Promise<void>;
  readonly #turns = new Turns();

  constructor(client: C, end: () => Promise<void>) {
    this.#client = client;
    this.#end = end;
  }

  acquire(): C | Promise<C> {
    return this.#turns.take()?.then(() => this.#client) ?? this.#client;
  }

  tryAcquire(): C | undefined {
    if (!this.#turns.free) return undefined;
    this.#turns.take();
    return this.#client;
  }

  release(): void {
    this.#turns.give();
  }

  close(): Promise<void> {
    return this.#end();
  }
}
