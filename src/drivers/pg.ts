import { ChronosError, UnsupportedError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { ServerFacts, Values } from './connection.ts';
import { type Clients, type Driver, oneByOne, ordered, type Result } from './driver.ts';
import { postgresFinding, refusesNames } from './failures/postgres.ts';
import { failure, type Where } from './failures.ts';
import type { PgClient, PgResult } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { POSTGRES_SETTINGS } from './settings/postgres.ts';
import { refuseSettings } from './settings/refused.ts';

/** Every value as the server wrote it, whatever parsers the host put on the package, the pool or the client. */
const TEXT = { getTypeParser: () => (text: string) => text };

/** Where a pg driver's clients come from, and what is known of them. */
export interface PgSource extends Clients<PgClient> {
  /** A host's, or behind a pooler: a setting of the session would reach others. */
  readonly shared: boolean;
  /** A client beside those of the pool, to cancel with. */
  extra(): Promise<PgClient>;
  dropExtra(client: PgClient): Promise<void>;
  abandon(client: PgClient): void;
  isBroken(client: PgClient): boolean;
}

/** What `readFacts` gives. */
export interface PgFacts {
  readonly version: string;
  readonly database: string;
  /** Process id of the server's side: not the one that the client was told, when a pooler stands between. */
  readonly pid: number;
}

/**
 * Reads what the server is, in one round trip; `before`: statements to send with it.
 *
 * @throws InvalidArgumentError for a session whose settings would change values, UnsupportedError for a client that
 * reads them in another form
 */
export async function readFacts(
  client: PgClient,
  argument: 'target' | 'handle',
  before = '',
): Promise<PgFacts> {
  if (client.binary === true) {
    throw new UnsupportedError(
      'node-postgres with `binary: true` gives values in another form; leave it off',
    );
  }
  const text = `${before}select current_setting('server_version') as version, current_database() as database,
    pg_backend_pid() as pid, ${POSTGRES_SETTINGS} as refused`;
  const result = last(await client.query({ text, types: TEXT }));
  const row = result.rows[0] ?? {};
  refuseSettings(argument, String(row.refused));
  return {
    version: String(row.version).split(' ', 1)[0] ?? '',
    database: String(row.database),
    pid: Number(row.pid),
  };
}

function last(result: PgResult | readonly PgResult[]): PgResult {
  return Array.isArray(result) ? (result as readonly PgResult[]).at(-1)! : (result as PgResult);
}

/** node-postgres: a named prepared statement per {@link Statement}. */
export class PgDriver implements Driver<PgClient> {
  readonly dialectName = 'postgres';
  readonly server: ServerFacts;
  readonly clients: PgSource;
  readonly alone: boolean;
  readonly inProcess = false;
  readonly #begin: string;
  readonly #mayForgetNames: boolean;
  /** Process ids of clients in a transaction that may be cancelled. */
  readonly #pids = new WeakMap<PgClient, number>();
  #named: boolean;

  constructor(server: ServerFacts, clients: PgSource, options: OpenOptions, named: boolean) {
    this.server = server;
    this.clients = clients;
    this.#named = named;
    this.#mayForgetNames = (options.prepare ?? 'auto') === 'auto';
    const bound = options.statementTimeout;
    this.alone = bound !== undefined && clients.shared;
    this.#begin = `begin isolation level read committed${this.alone ? `; set local statement_timeout = ${bound}` : ''}`;
  }

  async execute(client: PgClient, statement: Statement, values: Values): Promise<Result> {
    const list = ordered(statement, values);
    const { text, key } = statement;
    if (!this.#named || statement.passing)
      return counted(await client.query({ text, values: list, types: TEXT }));
    try {
      return counted(await client.query({ name: key, text, values: list, types: TEXT }));
    } catch (error) {
      if (!this.#mayForgetNames || !refusesNames(error)) throw error;
      this.#named = false;
      return this.#withoutName(client, text, list, error);
    }
  }

  executeEach(client: PgClient, statement: Statement, list: readonly Values[]): Promise<number[]> {
    return oneByOne(this, client, statement, list);
  }

  async script(client: PgClient, text: string): Promise<void> {
    await client.query({ text, types: TEXT });
  }

  async begin(client: PgClient, cancellable: boolean): Promise<void> {
    if (!cancellable) return this.script(client, this.#begin);
    const text = `${this.#begin}; select pg_backend_pid() as pid`;
    const result = last(await client.query({ text, types: TEXT }));
    this.#pids.set(client, Number(result.rows[0]?.pid));
  }

  async commit(client: PgClient): Promise<boolean> {
    const result = last(await client.query({ text: 'commit', types: TEXT }));
    this.#pids.delete(client);
    return result.command === 'COMMIT';
  }

  async rollback(client: PgClient): Promise<void> {
    this.#pids.delete(client);
    await this.script(client, 'rollback');
  }

  /** Outside a transaction behind a pooler the server's side is not known: then the client is cut off. */
  async cancel(client: PgClient): Promise<void> {
    const pid = this.#pids.get(client) ?? client.processID;
    const other = await this.clients.extra();
    try {
      await other.query({ text: 'select pg_cancel_backend($1)', values: [pid], types: TEXT });
    } finally {
      await this.clients.dropExtra(other);
    }
  }

  async absorb(client: PgClient): Promise<void> {
    await this.script(client, 'select 1').catch(() => {});
  }

  abandon(client: PgClient): void {
    this.clients.abandon(client);
  }

  isBroken(client: PgClient): boolean {
    return this.clients.isBroken(client);
  }

  failure(error: unknown, where: Where): ChronosError {
    return error instanceof ChronosError ? error : failure(postgresFinding(error, where), where);
  }

  /** Inside a transaction that the refusal aborted, the refusal is the error to report. */
  async #withoutName(client: PgClient, text: string, values: unknown[], refusal: unknown): Promise<Result> {
    try {
      return counted(await client.query({ text, values, types: TEXT }));
    } catch {
      throw refusal;
    }
  }
}

function counted(result: PgResult | readonly PgResult[]): Result {
  const { rows, rowCount } = last(result);
  return { rows, count: rowCount ?? 0 };
}
