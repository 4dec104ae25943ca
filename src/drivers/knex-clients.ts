import type { Fate } from './driver.ts';
import { failure } from './failures.ts';
import type { KnexInstance } from './handles.ts';

const CONNECTING = Object.freeze({
  doing: 'connect',
  phase: 'connect',
  target: "the host's knex instance",
} as const);

/** What a client of any driver may have to be ended by. */
interface Endable {
  destroy?(): void;
  end?(): unknown;
}

/** The connections of a host's knex instance, from its own pool. */
export class KnexClients<C extends object> {
  readonly shared = true;
  readonly #knex: KnexInstance;
  readonly #broken = new WeakSet<C>();

  constructor(knex: KnexInstance) {
    this.#knex = knex;
  }

  async acquire(): Promise<C> {
    try {
      return (await this.#knex.client.acquireConnection()) as C;
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'KnexTimeoutError') throw cause;
      throw failure({ cause, code: undefined, verdict: 'exhausted' }, CONNECTING);
    }
  }

  release(client: C, fate: Fate): void {
    // The mark by which knex knows that its pool must not lend a connection again.
    if (fate !== 'good') Reflect.set(client, '__knex__disposed', new Error('given up by its borrower'));
    // It rejects for a pool that is destroyed: then there is nothing to give back.
    Promise.resolve(this.#knex.client.releaseConnection(client)).catch(() => {});
  }

  async close(): Promise<void> {}

  extra(): Promise<C> {
    return this.acquire();
  }

  async dropExtra(client: C): Promise<void> {
    this.release(client, 'good');
  }

  abandon(client: C): void {
    this.#broken.add(client);
    const { destroy, end } = client as Endable;
    if (destroy) destroy.call(client);
    else end?.call(client);
  }

  isBroken(client: C): boolean {
    return this.#broken.has(client);
  }

  markBroken(client: C): void {
    this.#broken.add(client);
  }
}
