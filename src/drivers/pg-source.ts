import type { Fate } from './driver.ts';
import type { PgClient, PgPool, PgPoolClient } from './handles.ts';
import { LentClients } from './lent-pool.ts';
import type { OpenOptions } from './options.ts';
import { type PgFacts, type PgSource, readFacts } from './pg.ts';
import { connectPg, type OwnClient, type PgConnector } from './pg-connect.ts';
import { Pool } from './pool.ts';
import { poolExhausted } from './pool-exhausted.ts';

/** How long connecting may take for a client that only cancels. */
const CANCEL_TIMEOUT = 2_000;

/** A pool of our own clients. */
export class OwnPgSource implements PgSource {
  /** Whether a pooler stands between: known once the first client is there. */
  shared = false;
  readonly #connector: PgConnector;
  readonly #options: OpenOptions;
  readonly #pool: Pool<PgClient>;
  readonly #own = new WeakMap<PgClient, OwnClient>();
  readonly #broken = new WeakSet<PgClient>();
  #started = false;

  constructor(connector: PgConnector, options: OpenOptions) {
    this.#connector = connector;
    this.#options = options;
    this.#pool = new Pool<PgClient>({
      max: options.pool?.max ?? 10,
      idleTimeout: options.pool?.idleTimeout ?? 30_000,
      acquireTimeout: options.pool?.acquireTimeout ?? 10_000,
      connect: () => this.#connect(),
      end: async (client) => this.#own.get(client)?.end(),
      exhausted: () => poolExhausted(connector.described, options),
    });
  }

  /** Connects the first client and reads what the server is. */
  async start(): Promise<PgFacts> {
    const client = await this.#pool.acquire();
    try {
      const facts = await readFacts(client, 'target');
      this.shared = client.processID !== facts.pid;
      this.#started = true;
      await this.#prepareSession(client);
      this.#pool.release(client, 'good');
      return facts;
    } catch (error) {
      this.#pool.release(client, 'spoiled');
      await this.#pool.close();
      throw error;
    }
  }

  acquire(): PgClient | Promise<PgClient> {
    return this.#pool.acquire();
  }

  release(client: PgClient, fate: Fate): void {
    this.#pool.release(client, fate);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async extra(): Promise<PgClient> {
    const own = await connectPg({ ...this.#connector, timeout: CANCEL_TIMEOUT });
    this.#own.set(own.client, own);
    return own.client;
  }

  async dropExtra(client: PgClient): Promise<void> {
    await this.#own.get(client)?.end();
  }

  abandon(client: PgClient): void {
    this.#broken.add(client);
    this.#own.get(client)?.destroy();
  }

  isBroken(client: PgClient): boolean {
    return this.#broken.has(client);
  }

  async #connect(): Promise<PgClient> {
    const own = await connectPg(this.#connector);
    const { client } = own;
    this.#own.set(client, own);
    const gone = () => {
      this.#broken.add(client);
      this.#pool.forget(client);
    };
    client.on('error', gone);
    client.on('end', gone);
    if (this.#started) await this.#prepareSession(client);
    return client;
  }

  /** Never in the startup packet, which PgBouncer refuses; behind a pooler not at all, it would leak. */
  async #prepareSession(client: PgClient): Promise<void> {
    const bound = this.#options.statementTimeout;
    if (bound === undefined || this.shared) return;
    try {
      await client.query({ text: `set statement_timeout = ${bound}` });
    } catch (error) {
      this.abandon(client);
      throw error;
    }
  }
}

/** The pool of a host: its clients are used as they are and given back as they were. */
export class HostPgSource implements PgSource {
  readonly shared = true;
  readonly #clients: LentClients<PgClient>;
  readonly #broken = new WeakSet<PgClient>();
  readonly #listeners = new WeakMap<PgClient, () => void>();

  constructor(pool: PgPool, target: string, options: OpenOptions) {
    const giveBack = (client: PgClient) => this.release(client, 'good');
    this.#clients = new LentClients({ connect: () => this.#listened(pool), giveBack }, target, options);
  }

  acquire(): Promise<PgClient> {
    return this.#clients.acquire();
  }

  release(client: PgClient, fate: Fate): void {
    const listener = this.#listeners.get(client);
    if (listener) client.removeListener('error', listener);
    (client as PgPoolClient).release(fate !== 'good');
  }

  async close(): Promise<void> {}

  extra(): Promise<PgClient> {
    return this.#clients.acquire(CANCEL_TIMEOUT);
  }

  async dropExtra(client: PgClient): Promise<void> {
    this.release(client, 'good');
  }

  /** While something runs, its own `end` cuts it off; its pool drops it when it is given back. */
  abandon(client: PgClient): void {
    this.#broken.add(client);
    (client as PgPoolClient).end().catch(() => {});
  }

  isBroken(client: PgClient): boolean {
    return this.#broken.has(client);
  }

  /** While a client is out its pool does not listen, and an error without a listener ends the process: we do at once. */
  #listened(pool: PgPool): Promise<PgClient> {
    return new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (error) return reject(error as Error);
        const gone = () => this.#broken.add(client);
        client.on('error', gone);
        this.#listeners.set(client, gone);
        resolve(client);
      });
    });
  }
}
