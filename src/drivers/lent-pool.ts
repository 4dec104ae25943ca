import type { UnavailableError } from '../errors.ts';
import type { OpenOptions } from './options.ts';
import { lentPoolExhausted } from './pool-exhausted.ts';

/** How a host's pool hands out and takes back. */
interface LentPool<C> {
  connect(): Promise<C>;
  giveBack(client: C): void;
}

/** A client of a host's pool, for which it may let us wait for ever: one that comes too late goes back at once. */
export class LentClients<C> {
  readonly #pool: LentPool<C>;
  readonly #target: string;
  readonly #timeout: number;

  constructor(pool: LentPool<C>, target: string, options: OpenOptions) {
    this.#pool = pool;
    this.#target = target;
    this.#timeout = options.pool?.acquireTimeout ?? 10_000;
  }

  /** @throws UnavailableError POOL_EXHAUSTED when none comes in time */
  acquire(timeout: number = this.#timeout): Promise<C> {
    return new Promise((resolve, reject) => {
      let late: UnavailableError | undefined;
      const timer = setTimeout(() => {
        late = lentPoolExhausted(this.#target, timeout);
        reject(late);
      }, timeout);
      const came = (client: C): void => {
        clearTimeout(timer);
        if (late) this.#pool.giveBack(client);
        else resolve(client);
      };
      const failed = (error: unknown): void => {
        clearTimeout(timer);
        reject(error);
      };
      this.#pool.connect().then(came, failed);
    });
  }
}
