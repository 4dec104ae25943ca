import { ChronosError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';
import type { Row, ServerFacts, Values } from './connection.ts';
import { type Clients, type Driver, oneByOne, ordered, type Result } from './driver.ts';
import { isFatal, mysqlFinding } from './failures/mysql.ts';
import { failure, type Where } from './failures.ts';
import type { MysqlAnswer, MysqlClient, MysqlField } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { packetSized } from './packet.ts';
import { mysqlSettings } from './settings/mysql.ts';
import { refuseSettings } from './settings/refused.ts';

/**
 * How every row is read, by our connections' own settings or whatever the host told its pool: dates as text, integers exact (beyond ±(2^53−1) as
 * text), rows as objects, no cast of the host's.
 */
export const FORM = {
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: false,
  rowsAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
} as const;
const HOST_FORM = { ...FORM, typeCast: asOurs } as const;

/** Undoes what FORM cannot: a pool's own cast, its `bigNumberStrings`, and its parsing of JSON. */
function asOurs(field: MysqlField, next: () => unknown): unknown {
  if (field.type === 'JSON' || field.extendedFormat === 'json') return field.string('utf8');
  const value = next();
  if (field.type !== 'LONGLONG' || typeof value !== 'string') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Where a mysql2 driver's clients come from, and what is known of them. */
export interface MysqlSource extends Clients<MysqlClient> {
  /** A host's: a setting of the session would reach others. */
  readonly shared: boolean;
  /** A client beside those of the pool, to kill with. */
  extra(): Promise<MysqlClient>;
  dropExtra(client: MysqlClient): Promise<void>;
  abandon(client: MysqlClient): void;
  isBroken(client: MysqlClient): boolean;
  markBroken(client: MysqlClient): void;
}

/** What `readFacts` gives. */
export interface MysqlFacts {
  readonly dialectName: 'mysql' | 'mariadb';
  readonly version: string;
  readonly database: string;
  /** `max_allowed_packet` in bytes. */
  readonly maxPacket: number;
}

/**
 * Reads what the server is, in one round trip.
 *
 * @throws InvalidArgumentError for a session that a host set up so that rows would be lost
 */
export async function readFacts(client: MysqlClient, as: 'own' | 'target' | 'handle'): Promise<MysqlFacts> {
  const sql = `select version() as version, database() as name, @@max_allowed_packet as packet,
    ${mysqlSettings(as === 'target')} as refused`;
  const answer = await ask(client, 'query', { ...HOST_FORM, sql });
  const row: Row = (answer as readonly Row[])[0] ?? {};
  const version = String(row.version);
  if (as !== 'own') refuseSettings(as, String(row.refused));
  return {
    dialectName: /mariadb/i.test(version) ? 'mariadb' : 'mysql',
    version,
    database: String(row.name ?? ''),
    maxPacket: Number(row.packet),
  };
}

/** One statement by mysql2's callback form. */
export function ask(client: MysqlClient, how: 'execute' | 'query', options: object): Promise<MysqlAnswer> {
  return new Promise((resolve, reject) => {
    client[how](options, (error, answer) => (error ? reject(error as Error) : resolve(answer)));
  });
}

/** mysql2, for MySQL and MariaDB: a prepared statement per {@link Statement}. */
export class MysqlDriver implements Driver<MysqlClient> {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly clients: MysqlSource;
  readonly alone = false;
  readonly inProcess = false;
  readonly #form: object;
  readonly #maxPacket: number;
  readonly #keepPrepared: boolean;
  /** MariaDB on a host's pool: the bound belongs to the statement, not the session. */
  readonly #prefix: string;
  /** MySQL: the bound on each statement, kept by us. */
  readonly #killAfter: number | undefined;

  constructor(server: ServerFacts, facts: MysqlFacts, clients: MysqlSource, options: OpenOptions) {
    this.dialectName = facts.dialectName;
    this.server = server;
    this.clients = clients;
    this.#form = clients.shared ? HOST_FORM : {};
    this.#maxPacket = facts.maxPacket;
    this.#keepPrepared = options.prepare !== false;
    const bound = options.statementTimeout;
    const maria = facts.dialectName === 'mariadb';
    this.#killAfter = maria ? undefined : bound;
    this.#prefix =
      maria && clients.shared && bound !== undefined
        ? `set statement max_statement_time = ${bound / 1000} for `
        : '';
  }

  async execute(client: MysqlClient, statement: Statement, values: Values): Promise<Result> {
    const list = packetSized(statement, ordered(statement, values), this.#maxPacket);
    const sql = this.#prefix + statement.text;
    const options = { ...this.#form, sql, values: list };
    const answer = await this.#bounded(client, () => this.#ask(client, 'execute', options));
    if (!this.#keepPrepared) client.unprepare(options);
    return Array.isArray(answer)
      ? { rows: answer as readonly Row[], count: answer.length }
      : { rows: [], count: (answer as { affectedRows: number }).affectedRows };
  }

  executeEach(client: MysqlClient, statement: Statement, list: readonly Values[]): Promise<number[]> {
    return oneByOne(this, client, statement, list);
  }

  async script(client: MysqlClient, text: string): Promise<void> {
    await this.#bounded(client, () => this.#ask(client, 'query', { ...this.#form, sql: text }));
  }

  /** The isolation is set for the next transaction only: a host's session keeps its own. */
  async begin(client: MysqlClient): Promise<void> {
    if (this.clients.shared) {
      await this.#ask(client, 'query', { sql: 'set transaction isolation level read committed' });
    }
    await this.#ask(client, 'query', { sql: 'start transaction' });
  }

  async commit(client: MysqlClient): Promise<boolean> {
    await this.#ask(client, 'query', { sql: 'commit' });
    return true;
  }

  async rollback(client: MysqlClient): Promise<void> {
    await this.#ask(client, 'query', { sql: 'rollback' });
  }

  async cancel(client: MysqlClient): Promise<void> {
    const other = await this.clients.extra();
    try {
      await ask(other, 'query', { sql: `kill query ${client.threadId}` });
    } finally {
      await this.clients.dropExtra(other);
    }
  }

  async absorb(client: MysqlClient): Promise<void> {
    await ask(client, 'query', { sql: 'do 0' }).catch(() => {});
  }

  abandon(client: MysqlClient): void {
    this.clients.abandon(client);
  }

  isBroken(client: MysqlClient): boolean {
    return this.clients.isBroken(client);
  }

  failure(error: unknown, where: Where): ChronosError {
    return error instanceof ChronosError ? error : failure(mysqlFinding(error, where), where);
  }

  async #ask(client: MysqlClient, how: 'execute' | 'query', options: object): Promise<MysqlAnswer> {
    try {
      return await ask(client, how, options);
    } catch (error) {
      if (isFatal(error)) this.clients.markBroken(client);
      throw error;
    }
  }

  /** MySQL bounds only SELECT by itself. A kill that comes too late must not hit the next statement. */
  async #bounded<T>(client: MysqlClient, task: () => Promise<T>): Promise<T> {
    if (this.#killAfter === undefined) return task();
    let killing: Promise<void> | undefined;
    const timer = setTimeout(() => {
      killing = this.cancel(client).catch(() => this.abandon(client));
    }, this.#killAfter);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      if (killing) {
        await killing;
        await this.absorb(client);
      }
    }
  }
}
