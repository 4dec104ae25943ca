import { createHash } from 'node:crypto';
import type { Connection, Row, RunOptions } from '../../drivers/connection.ts';
import { forbidAborted, Taken, whenFree } from '../../drivers/when-free.ts';
import type { DialectName } from '../../sql/dialect-name.ts';
import { statement } from '../../sql/statement.ts';
import { watched } from '../blocker.ts';
import { OURS } from '../files.ts';
import { heard } from '../heard.ts';
import { Log } from '../log.ts';
import type { Step } from '../plan.ts';
import type { StepFailure } from '../step-failure.ts';
import { asksFor } from '../text/directives.ts';
import type { LogEntry, Migration } from '../types.ts';
import {
  type EngineOptions,
  type LockHolder,
  type MigrationEngine,
  rowOf,
  type StepVerbs,
  type Turn,
} from './engine.ts';
import { failureOf, logFailure, runHostStep, runInside } from './half-done.ts';
import { filled, quoted } from './placeholders.ts';
import { runAlone } from './postgres-alone.ts';
import { blockerOfPid, sessionText } from './postgres-blocker.ts';
import { placeIn } from './postgres-place.ts';
import { restoreSession, type SessionBefore, sessionBefore } from './postgres-session.ts';
import { rowsIn } from './rows-in.ts';

/** Our half of the advisory key, `chro` in ASCII; the other half is the database and schema. */
const LOCK_CLASS = 0x6368726f;
const TRY_LOCK = statement(
  'migrate.lock',
  'select pg_try_advisory_xact_lock($1::int, $2::int) as got, pg_backend_pid() as pid',
  ['class', 'key'],
);
const HOLDER = statement(
  'migrate.holder',
  `select a.pid, a.usename as user, a.application_name as app, a.client_addr as address, a.state, a.query
from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and l.objsubid = 2
  and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid
  and l.database = (select oid from pg_catalog.pg_database where datname = current_database())`,
  ['class', 'key'],
);
const END = statement('migrate.end', 'select pg_catalog.pg_terminate_backend($1::int) as ended', ['pid']);
const SCHEMA_EXISTS = statement(
  'migrate.schema',
  'select 1 as found from pg_catalog.pg_namespace where nspname = $1',
  ['schema'],
);
/** A failed row waits no longer than this for the lock: the error itself must not. */
const RECORD_TIMEOUT = 5000;

/**
 * PostgreSQL and PGlite: one transaction per migration, which begins with the lock. What lost the lock
 * cannot commit, and nothing outlives the transaction, so a pooler in transaction mode is fine.
 */
export class PostgresEngine implements MigrationEngine {
  readonly dialectName: DialectName;
  readonly version: string;
  readonly target: string;
  readonly #connection: Connection;
  readonly #options: EngineOptions;
  readonly #schema: string;
  readonly #log: Log;
  readonly #key: { readonly class: number; readonly key: number };

  constructor(connection: Connection, options: EngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.dialectName = connection.dialectName;
    this.version = connection.server.version;
    this.target = connection.server.target;
    this.#schema = quoted(options.schema);
    this.#log = new Log(connection, options.schema, `${this.#schema}.`);
    const hash = createHash('sha256').update(`${connection.server.database}\0${options.schema}`).digest();
    this.#key = { class: LOCK_CLASS, key: hash.readInt32BE(0) };
  }

  get connection(): Connection {
    return this.#connection;
  }

  log(): Promise<readonly LogEntry[]> {
    return this.#log.read(this.#connection);
  }

  sql(step: Step): string {
    return filled(step, this.dialectName, this.#options.schema);
  }

  /** Ours always: nothing of a transaction that did not end is there. A host's began only where it ended ours. */
  rerunnable(migration: Migration): boolean {
    return migration.namespace === OURS;
  }

  /** What of a file that ended our transaction stayed, nobody can know; what runs beside it is looked up. */
  resumable(migration: Migration): boolean {
    return migration.directives.includes('no-transaction');
  }

  rowsIn(table: string): Promise<number | null> {
    return rowsIn(this.#connection, table);
  }

  locked<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return whenFree(() => this.#attempt(work), this.#options);
  }

  async holder(): Promise<LockHolder | undefined> {
    const row = await this.#holderRow(this.#connection);
    if (row === undefined) return undefined;
    const end = async () => void (await this.#connection.rows(END, { pid: Number(row.pid) }));
    return { session: String(row.pid), text: sessionText(row), end };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #attempt<T>(work: (turn: Turn) => Promise<T>): Promise<T | Taken> {
    let running: Step | undefined;
    let committed: { readonly value: T } | undefined;
    try {
      const spent = () => running !== undefined && running.migration.namespace !== OURS;
      return await this.#underLock({ ...this.#options, spent }, async (tx, before) => {
        let alone = false;
        const value = await work({
          connection: tx,
          log: () => this.#log.read(tx),
          tablesExist: () => this.#log.tablesExist(tx),
          record: async (rows) => {
            await this.#bootstrap(tx);
            for (const row of rows) await this.#log.append(tx, row);
          },
          apply: async (step, inner) => {
            alone = asksFor(step, 'no-transaction');
            if (alone) return this.#runAlone(tx, step, inner);
            running = step;
            await this.#bootstrap(tx);
            await inner(this.#verbs(tx, step, before));
          },
        });
        if (alone) committed = { value };
        return value;
      });
    } catch (thrown) {
      if (thrown instanceof Taken) return thrown;
      // The lock may be lost while an index is built; what was built and logged beside it stays.
      if (committed !== undefined) return committed.value;
      if (running === undefined) throw thrown;
      const { namespace, code } = running.migration;
      const isHosts = namespace !== OURS && code === undefined;
      const place = isHosts ? placeIn(this.sql(running), thrown) : undefined;
      const failure = failureOf(running, thrown, place);
      throw await this.#logFailure(running, failure);
    }
  }

  /** PGlite has one session, and its folder is locked: there the transaction is ended instead of left idle. */
  async #runAlone(tx: Connection, step: Step, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
    const single = this.dialectName === 'pglite';
    if (single) await tx.script('commit');
    try {
      const work = single ? tx : this.#connection;
      await runAlone(
        { step, sql: this.sql(step), lock: tx, work, log: this.#log, options: this.#options },
        inner,
      );
    } finally {
      if (single) await tx.script('begin');
    }
  }

  #underLock<T>(
    { signal, spent }: Pick<EngineOptions, 'signal'> & Pick<RunOptions, 'spent'>,
    work: (tx: Connection, before: SessionBefore) => Promise<T>,
  ): Promise<T | Taken> {
    const bounded = this.#options.statementTimeout === undefined ? [] : ['statement_timeout'];
    return this.#connection.transaction(
      async (tx) => {
        // READ COMMITTED, or the log would be read as it was before the lock was free.
        await tx.script('set transaction isolation level read committed');
        const [row] = await tx.rows(TRY_LOCK, this.#key);
        if (!isTrue(row?.got)) return new Taken(await this.#holder(tx));
        const before = await sessionBefore(tx, bounded);
        await tx.script(this.#limits());
        const ask = () => blockerOfPid(this.#connection, Number(row?.pid));
        const watch = { ask, onProgress: this.#options.onProgress };
        return watched(watch, () => work(tx, before));
      },
      { ...(signal && { signal }), ...(spent && { spent }) },
    );
  }

  #limits(): string {
    const { idleLimit, lockTimeout, statementTimeout } = this.#options;
    return [
      `set local idle_in_transaction_session_timeout = ${Math.round(idleLimit)}`,
      `set local lock_timeout = ${Math.max(1, Math.round(lockTimeout))}`,
      ...(statementTimeout === undefined
        ? []
        : [`set local statement_timeout = ${Math.round(statementTimeout)}`]),
    ].join('; ');
  }

  #verbs(tx: Connection, step: Step, before: SessionBefore): StepVerbs {
    return {
      run: async () => {
        if (step.migration.namespace === OURS) await tx.script(this.sql(step));
        else await this.#runHosts(tx, step, before);
        // PGlite blocks the process while a statement runs.
        await heard();
        forbidAborted(this.#options.signal);
      },
      succeeded: (ms) => this.#log.append(tx, rowOf(step, 'succeeded', ms)),
    };
  }

  async #runHosts(tx: Connection, step: Step, before: SessionBefore): Promise<void> {
    const work = () => runHostStep(tx, step, this.sql(step), this.#options);
    await runInside(tx, this.#log, step, work);
    await restoreSession(tx, before);
    await tx.script(this.#limits());
    await this.#log.retract(tx, step.migration);
  }

  /** Looks before it creates: `create schema if not exists` asks for the privilege all the same. */
  async #bootstrap(tx: Connection): Promise<void> {
    if (await this.#log.exists(tx)) return;
    const { schema } = this.#options;
    const found = await tx.rows(SCHEMA_EXISTS, { schema });
    if (found.length === 0) await tx.script(`create schema ${this.#schema}`);
    await this.#log.create(tx);
  }

  async #logFailure(step: Step, failure: StepFailure): Promise<Error> {
    if (failure.unknown) return failure.error;
    try {
      const { lockTimeout } = this.#options;
      return await whenFree(
        () =>
          this.#underLock({}, async (tx) => {
            await this.#bootstrap(tx);
            return logFailure(tx, this.#log, step, failure);
          }),
        { lockTimeout: Math.min(lockTimeout, RECORD_TIMEOUT) },
      );
    } catch {
      // The failure itself is what the caller must hear of; what keeps it out of the log is most often the same cause.
      return failure.error;
    }
  }

  async #holder(tx: Connection): Promise<string> {
    const row = await this.#holderRow(tx);
    return row === undefined ? 'another migrator that has just ended' : sessionText(row);
  }

  async #holderRow(on: Connection): Promise<Row | undefined> {
    const [row] = await on.rows(HOLDER, { class: this.#key.class, key: this.#key.key >>> 0 });
    return row;
  }
}

/** Text of a boolean, or the number that a driver makes of it. */
function isTrue(value: Row[string] | undefined): boolean {
  return value === 't' || value === 'true' || value === 1;
}
