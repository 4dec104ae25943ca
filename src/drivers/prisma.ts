import { ChronosError, UnavailableError, UnsupportedError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import type { Statement } from '../sql/statement.ts';
import type { Connection, Row, ServerFacts, Value, Values } from './connection.ts';
import { ordered } from './driver.ts';
import type { Where } from './failures.ts';
import type { PrismaClient, PrismaTransaction } from './handles.ts';
import { type Doing, nameOf, type OnStatement, tell } from './observed.ts';
import { asText } from './pglite.ts';
import { prismaFailure } from './prisma-failure.ts';
import { Siblings } from './siblings.ts';

/** What the connections of one client, or of one interactive transaction, share. */
export interface PrismaShared {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly onStatement: OnStatement;
  /** Why nothing more is sent, if so. */
  stopped?: ChronosError;
  /** Whether a statement has failed: on Postgres the transaction may take no more. */
  hasFailed?: boolean;
}

/** How long an interactive transaction may wait to begin, and run, in ms; Prisma's own bounds are 2 s and 5 s. */
const BOUNDS = Object.freeze({ maxWait: 10_000, timeout: 600_000 });

/** A Connection over the client of a host's Prisma, by its raw queries; values cross in forms that it does not convert. */
export class PrismaConnection implements Connection {
  readonly dialectName: DialectName;
  readonly server: ServerFacts;
  readonly #client: PrismaTransaction | PrismaClient;
  readonly #shared: PrismaShared;
  readonly #depth: number;
  /** A transaction takes one statement at a time, and none while a savepoint of it is open. */
  readonly #turns: Siblings | undefined;

  /** `depth`: 0 outside a transaction, 1 inside one, more in its savepoints. */
  constructor(client: PrismaTransaction | PrismaClient, shared: PrismaShared, depth: number) {
    this.#client = client;
    this.#shared = shared;
    this.#depth = depth;
    this.#turns = depth > 0 ? new Siblings() : undefined;
    this.dialectName = shared.dialectName;
    this.server = shared.server;
  }

  run(statement: Statement, values: Values): Promise<number> {
    return this.#work(statement, Number, () =>
      this.#client.$executeRawUnsafe(statement.text, ...this.#bound(statement, values)),
    );
  }

  rows(statement: Statement, values: Values): Promise<readonly Row[]> {
    return this.#work(
      statement,
      (found) => found.length,
      async () => {
        const found = await this.#client.$queryRawUnsafe(statement.text, ...this.#bound(statement, values));
        return Array.isArray(found) ? (found as readonly Row[]) : [];
      },
    );
  }

  async runEach(statement: Statement, list: readonly Values[]): Promise<number[]> {
    const counts: number[] = [];
    for (const values of list) counts.push(await this.run(statement, values));
    return counts;
  }

  async script(text: string): Promise<void> {
    await this.#work('script', none, () => this.#client.$executeRawUnsafe(text));
  }

  transaction<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
    const begin = async () => {
      if (this.#shared.stopped) throw this.#shared.stopped;
      return this.#depth > 0 && !this.#nests ? this.#savepoint(fn) : this.#transaction(fn);
    };
    return this.#turns ? this.#turns.hold(begin) : begin();
  }

  /** Migrating needs sessions and files of many statements, which Prisma's raw queries do not give. */
  async session<T>(): Promise<T> {
    throw new UnsupportedError('a PrismaClient cannot migrate the ledger', {
      hint: 'run `npx chronos-migrate up` with the URL of its database',
    });
  }

  /** Does nothing: the host ends what it opened. */
  async close(): Promise<void> {}

  /** Whether Prisma makes the savepoints: MySQL takes none as a raw statement, and not every adapter makes them. */
  get #nests(): boolean {
    return this.dialectName === 'mysql' || this.dialectName === 'mariadb';
  }

  async #transaction<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
    let failed: { readonly error: unknown } | undefined;
    // What `fn` rejects with is not Prisma's to wrap.
    const shared = this.#inner();
    const body = async (client: PrismaTransaction): Promise<T> => {
      try {
        const tx = new PrismaConnection(client, shared, this.#depth + 1);
        const result = await fn(tx);
        await tx.#standing();
        return result;
      } catch (error) {
        failed = { error };
        throw error;
      }
    };
    try {
      return await (this.#client as PrismaClient).$transaction(body, this.#turns ? {} : this.#options());
    } catch (error) {
      if (failed) throw failed.error;
      throw this.#failed('transaction', error);
    }
  }

  /** Prisma does not tell a commit that the server made a rollback of: whoever swallowed the error must not take it for one. */
  async #standing(): Promise<void> {
    const { stopped, hasFailed } = this.#shared;
    if (stopped) throw stopped;
    if (!hasFailed) return;
    try {
      await this.#client.$executeRawUnsafe('select 1');
    } catch (cause) {
      const problem = `commit: the server rolls back, since a statement of the transaction had failed (${this.server.target})`;
      throw new UnavailableError(problem, { reason: 'DATABASE_ERROR', transactionLost: true, cause });
    }
  }

  async #savepoint<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
    const name = `chronos_${this.#depth}`;
    const send = (text: string) => this.#once(text, none, () => this.#client.$executeRawUnsafe(text));
    await send(`savepoint ${name}`);
    try {
      const result = await fn(new PrismaConnection(this.#client, this.#shared, this.#depth + 1));
      await send(`release savepoint ${name}`);
      return result;
    } catch (error) {
      // In a transaction that is lost there is no savepoint left to go back to.
      if (!this.#shared.stopped) await send(`rollback to savepoint ${name}`);
      throw error;
    }
  }

  /** A transaction of its own is lost by itself; a savepoint with what it lies in. */
  #inner(): PrismaShared {
    return this.#turns ? this.#shared : { ...this.#shared, hasFailed: false };
  }

  #options(): object {
    return this.dialectName === 'sqlite' ? BOUNDS : { ...BOUNDS, isolationLevel: 'ReadCommitted' };
  }

  #work<T>(doing: Doing, rowsOf: (result: T) => number, task: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#once(doing, rowsOf, task));
  }

  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#turns ? this.#turns.through(task) : task();
  }

  async #once<T>(doing: Doing, rowsOf: (result: T) => number, task: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      if (this.#shared.stopped) throw this.#shared.stopped;
      const result = await task();
      tell(this.#shared.onStatement, doing, started, rowsOf(result));
      return result;
    } catch (error) {
      const ours = this.#failed(nameOf(doing), error);
      tell(this.#shared.onStatement, doing, started, 0, ours);
      throw ours;
    }
  }

  #failed(doing: string, error: unknown): ChronosError {
    if (error instanceof ChronosError) return error;
    const where: Where = { doing, phase: 'statement', target: this.server.target };
    const ours = prismaFailure(error, this.dialectName, where);
    this.#shared.hasFailed = true;
    if (this.#turns && ours instanceof UnavailableError && ours.transactionLost) {
      this.#shared.stopped ??= ours;
    }
    return ours;
  }

  #bound(statement: Statement, values: Values): unknown[] {
    return ordered(statement, values).map(asPrisma);
  }
}

/** A value as Prisma takes it: a number might be bound as a fraction, an array in a form of its own. */
function asPrisma(value: Value): unknown {
  if (typeof value === 'number') return BigInt(value);
  return Array.isArray(value) ? asText(value) : value;
}

const none = (): number => 0;
