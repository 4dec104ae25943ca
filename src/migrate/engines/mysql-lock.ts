import { createHash } from 'node:crypto';
import type { Connection, RunOptions } from '../../drivers/connection.ts';
import { Taken } from '../../drivers/when-free.ts';
import { statement } from '../../sql/statement.ts';
import type { EngineOptions, LockHolder } from './engine.ts';
import { sessionText } from './mysql-blocker.ts';

const GET = statement('migrate.lock', 'select get_lock(?, 0) as got', ['name']);
const RELEASE = statement('migrate.unlock', 'select release_lock(?) as released', ['name']);
const LIMITS = statement(
  'migrate.limits',
  'select @@session.wait_timeout as idle, @@session.lock_wait_timeout as ddl, @@session.autocommit as auto',
);
const HELD = statement('migrate.held', 'select is_used_lock(?) as id', ['name']);
const HOLDER = statement(
  'migrate.holder',
  `select id, user, host, state, info from information_schema.processlist where id = is_used_lock(?)`,
  ['name'],
);

/** A named lock of the server, held by one session: it ends with the session, or with the statement that runs there. */
export class MysqlLock {
  readonly #name: string;
  readonly #idleSeconds: number;
  readonly #ddlSeconds: number;

  /** Names are the server's, so the database is in ours; they may have 64 characters and do not tell case. */
  constructor(database: string, { idleLimit, lockTimeout }: EngineOptions) {
    const hash = createHash('sha256').update(database.toLowerCase()).digest('hex').slice(0, 32);
    this.#name = `chronos-migrate:${hash}`;
    this.#idleSeconds = Math.max(1, Math.ceil(idleLimit / 1000));
    this.#ddlSeconds = Math.max(1, Math.ceil(lockTimeout / 1000));
  }

  /** Gives `work` the session that has the lock; answers {@link Taken} at once where another has it. */
  hold<T>(
    connection: Connection,
    work: (session: Connection) => Promise<T>,
    options: Pick<RunOptions, 'spent'> = {},
  ): Promise<T | Taken> {
    return connection.session(async (session) => {
      const [row] = await session.rows(GET, { name: this.#name });
      if (Number(row?.got ?? 0) !== 1) return new Taken(await this.#holder(session));
      try {
        return await this.#limited(session, work);
      } finally {
        // Where the session is lost, so is the lock, and nothing is left to release.
        await session.rows(RELEASE, { name: this.#name }).catch(() => {});
      }
    }, options);
  }

  /**
   * A holder that stops is ended by the server after the idle limit, and each row of the log commits by itself;
   * a host's own settings come back after.
   */
  async #limited<T>(session: Connection, work: (session: Connection) => Promise<T>): Promise<T> {
    const [before] = await session.rows(LIMITS, {});
    await session.script(limits(this.#idleSeconds, this.#ddlSeconds, 1));
    try {
      return await work(session);
    } finally {
      const old = limits(Number(before?.idle), Number(before?.ddl), Number(before?.auto));
      await session.script(old).catch(() => {});
    }
  }

  async holder(on: Connection): Promise<LockHolder | undefined> {
    const [held] = await on.rows(HELD, { name: this.#name });
    if (held?.id === null || held?.id === undefined) return undefined;
    const id = Number(held.id);
    // MySQL fails here (3854) while any session runs a statement whose text holds bytes that are no text.
    const [row] = await on.rows(HOLDER, { name: this.#name }).catch(() => []);
    const text = row === undefined ? `connection ${id}` : sessionText(row);
    return { session: String(id), text, end: () => on.script(`kill ${id}`) };
  }

  async #holder(session: Connection): Promise<string> {
    return (await this.holder(session))?.text ?? 'another migrator';
  }
}

function limits(idle: number, ddl: number, autocommit: number): string {
  return `set session wait_timeout = ${idle}, session lock_wait_timeout = ${ddl}, session autocommit = ${autocommit}`;
}
