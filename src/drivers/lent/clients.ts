import type { Clients } from '../driver.ts';

/** The one client of a host's transaction, which nobody else gives or takes. */
export class LentClient<C> implements Clients<C> {
  readonly shared = true;
  readonly #client: C;
  #broken = false;

  constructor(client: C) {
    this.#client = client;
  }

  acquire(): C {
    return this.#client;
  }

  release(): void {}

  async close(): Promise<void> {}

  /** There is no client beside it to cancel with; nothing asks for one. */
  async extra(): Promise<C> {
    throw new TypeError('a lent transaction has one client');
  }

  async dropExtra(): Promise<void> {}

  abandon(): void {
    this.#broken = true;
  }

  isBroken(): boolean {
    return this.#broken;
  }

  markBroken(): void {
    this.#broken = true;
  }
}
