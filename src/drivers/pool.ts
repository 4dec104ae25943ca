import type { Clients, Fate } from './driver.ts';

/** How a {@link Pool} makes, keeps and ends its clients. Times in milliseconds. */
export interface PoolOptions<C> {
  readonly max: number;
  readonly idleTimeout: number;
  readonly acquireTimeout: number;
  connect(): Promise<C>;
  end(client: C): Promise<void>;
  /** The error of a caller that waited too long. */
  exhausted(): Error;
}

interface Waiter<C> {
  readonly resolve: (client: C) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

interface Idle<C> {
  readonly client: C;
  readonly since: number;
}

/** A server may have closed a client that lay idle for this long, its word still unread in our socket. */
const DOUBTFUL_AFTER = 500;

/** A bounded pool of clients: last in, first out; waiters first come, first served. */
export class Pool<C> implements Clients<C> {
  readonly #options: PoolOptions<C>;
  readonly #idle: Idle<C>[] = [];
  readonly #waiting: Waiter<C>[] = [];
  readonly #ending = new Set<Promise<void>>();
  #open = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions<C>) {
    this.#options = options;
  }

  acquire(): C | Promise<C> {
    const idle = this.#idle.pop();
    if (idle === undefined) return this.#open < this.#options.max ? this.#connect() : this.#wait();
    if (Date.now() - idle.since < DOUBTFUL_AFTER) return idle.client;
    return this.#afterNews(idle);
  }

  release(client: C, fate: Fate): void {
    if (fate !== 'good') {
      this.#discard(client);
      // What ended one connection, a restart, mostly ended those beside it, whose news may be under way.
      if (fate === 'lost') this.#discardIdle();
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter === undefined) {
      this.#idle.push({ client, since: Date.now() });
      this.#sweep ??= setTimeout(() => this.#sweepIdle(), this.#options.idleTimeout).unref();
    } else {
      clearTimeout(waiter.timer);
      waiter.resolve(client);
    }
  }

  /** Drops a client that ended while it lay idle; one in use is dropped by its `release`. */
  forget(client: C): void {
    const at = this.#idle.findIndex((idle) => idle.client === client);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    this.#discard(client);
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweep);
    this.#discardIdle();
    await Promise.all(this.#ending);
  }

  /** One turn of the event loop: a disconnection that already arrived is then known, and `forget` was told. */
  async #afterNews(idle: Idle<C>): Promise<C> {
    this.#idle.push(idle);
    await new Promise((resolve) => setImmediate(resolve));
    const now = this.#idle.pop();
    if (now !== undefined) return now.client;
    return this.#open < this.#options.max ? this.#connect() : this.#wait();
  }

  async #connect(): Promise<C> {
    this.#open += 1;
    try {
      return await this.#options.connect();
    } catch (error) {
      this.#open -= 1;
      this.#serveWaiter();
      throw error;
    }
  }

  #wait(): Promise<C> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(this.#options.exhausted());
      }, this.#options.acquireTimeout);
      const waiter: Waiter<C> = { resolve, reject, timer };
      this.#waiting.push(waiter);
    });
  }

  #serveWaiter(): void {
    const waiter = this.#waiting.shift();
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    this.#connect().then(waiter.resolve, waiter.reject);
  }

  #discard(client: C): void {
    this.#open -= 1;
    // A client that does not end cleanly is destroyed by `end` itself; there is nobody to tell.
    const ending = this.#options.end(client).catch(() => {});
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
    this.#serveWaiter();
  }

  #discardIdle(): void {
    for (const { client } of this.#idle.splice(0)) this.#discard(client);
  }

  #sweepIdle(): void {
    const limit = Date.now() - this.#options.idleTimeout;
    const old = this.#idle.findIndex((idle) => idle.since > limit);
    for (const { client } of this.#idle.splice(0, old < 0 ? this.#idle.length : old)) this.#discard(client);
    const oldest = this.#idle[0];
    this.#sweep =
      oldest === undefined
        ? undefined
        : setTimeout(() => this.#sweepIdle(), Math.max(oldest.since - limit, 1)).unref();
  }
}
