import type { Fate } from './driver.ts';
import type { MysqlClient, MysqlPool, MysqlPoolClient } from './handles.ts';
import { LentClients } from './lent-pool.ts';
import { ask, type MysqlFacts, type MysqlSource, readFacts } from './mysql2.ts';
import { connectMysql, type MysqlConnector, type OwnClient } from './mysql2-connect.ts';
import type { OpenOptions } from './options.ts';
import { Pool } from './pool.ts';
import { poolExhausted } from './pool-exhausted.ts';

/** How long connecting may take for a client that only kills. */
const CANCEL_TIMEOUT = 2_000;
const SQL_MODE =
  'ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** A pool of our own clients, every session set alike. */
export class OwnMysqlSource implements MysqlSource {
  readonly shared = false;
  readonly #connector: MysqlConnector;
  readonly #options: OpenOptions;
  readonly #pool: Pool<MysqlClient>;
  readonly #own = new WeakMap<MysqlClient, OwnClient>();
  readonly #broken = new WeakSet<MysqlClient>();
  #facts: MysqlFacts | undefined;

  constructor(connector: MysqlConnector, options: OpenOptions) {
    this.#connector = connector;
    this.#options = options;
    this.#pool = new Pool<MysqlClient>({
      max: options.pool?.max ?? 10,
      idleTimeout: options.pool?.idleTimeout ?? 30_000,
      acquireTimeout: options.pool?.acquireTimeout ?? 10_000,
      connect: () => this.#connect(),
      end: async (client) => this.#end(client),
      exhausted: () => poolExhausted(connector.described, options),
    });
  }

  /** Connects the first client and reads what the server is. */
  async start(): Promise<MysqlFacts> {
    const client = await this.#pool.acquire();
    this.#pool.release(client, 'good');
    return this.#facts as MysqlFacts;
  }

  acquire(): MysqlClient | Promise<MysqlClient> {
    return this.#pool.acquire();
  }

  release(client: MysqlClient, fate: Fate): void {
    this.#pool.release(client, fate);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async extra(): Promise<MysqlClient> {
    const own = await connectMysql({ ...this.#connector, timeout: CANCEL_TIMEOUT });
    this.#own.set(own.client, own);
    return own.client;
  }

  async dropExtra(client: MysqlClient): Promise<void> {
    await this.#end(client);
  }

  abandon(client: MysqlClient): void {
    this.#broken.add(client);
    this.#own.get(client)?.destroy();
  }

  isBroken(client: MysqlClient): boolean {
    return this.#broken.has(client);
  }

  markBroken(client: MysqlClient): void {
    this.#broken.add(client);
  }

  /** One that is broken has nobody to say goodbye to. */
  async #end(client: MysqlClient): Promise<void> {
    const own = this.#own.get(client);
    if (this.#broken.has(client)) own?.destroy();
    else await own?.end();
  }

  async #connect(): Promise<MysqlClient> {
    const own = await connectMysql(this.#connector);
    const { client } = own;
    this.#own.set(client, own);
    const gone = () => {
      this.#broken.add(client);
      this.#pool.forget(client);
    };
    client.on('error', gone);
    client.on('end', gone);
    try {
      this.#facts ??= await readFacts(client, 'own');
      await ask(client, 'query', { sql: this.#sessionText(this.#facts) });
    } catch (error) {
      own.destroy();
      throw error;
    }
    return client;
  }

  #sessionText({ dialectName }: MysqlFacts): string {
    const bound = this.#options.statementTimeout;
    const maria = dialectName === 'mariadb';
    const isolation = maria ? 'tx_isolation' : 'transaction_isolation';
    return (
      `set session ${isolation} = 'READ-COMMITTED', session time_zone = '+00:00', ` +
      `session sql_mode = '${SQL_MODE}', session autocommit = 1, ` +
      'session sql_select_limit = 18446744073709551615, session sql_safe_updates = 0, session unique_checks = 1' +
      (maria && bound !== undefined ? `, session max_statement_time = ${bound / 1000}` : '')
    );
  }
}

/** The pool of a host: its connections are used as they are and given back as they were. */
export class HostMysqlSource implements MysqlSource {
  readonly shared = true;
  readonly #clients: LentClients<MysqlClient>;
  readonly #broken = new WeakSet<MysqlClient>();

  constructor(pool: MysqlPool, target: string, options: OpenOptions) {
    const connect = () =>
      new Promise<MysqlClient>((resolve, reject) => {
        pool.getConnection((error, client) => (error ? reject(error as Error) : resolve(client)));
      });
    const giveBack = (client: MysqlClient) => (client as MysqlPoolClient).release();
    this.#clients = new LentClients({ connect, giveBack }, target, options);
  }

  acquire(): Promise<MysqlClient> {
    return this.#clients.acquire();
  }

  release(client: MysqlClient, fate: Fate): void {
    if (fate !== 'good') client.destroy();
    else (client as MysqlPoolClient).release();
  }

  async close(): Promise<void> {}

  extra(): Promise<MysqlClient> {
    return this.#clients.acquire(CANCEL_TIMEOUT);
  }

  async dropExtra(client: MysqlClient): Promise<void> {
    this.release(client, 'good');
  }

  abandon(client: MysqlClient): void {
    this.#broken.add(client);
    client.destroy();
  }

  isBroken(client: MysqlClient): boolean {
    return this.#broken.has(client);
  }

  markBroken(client: MysqlClient): void {
    this.#broken.add(client);
  }
}
