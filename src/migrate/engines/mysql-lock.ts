import { createHash } from 'node:crypto';
import type { Connection, Row, RunOptions } from '../../drivers/connection.ts';
import { Taken } from '../../drivers/when-free.ts';
import { statement } from '../../sql/statement.ts';
import type { EngineOptions } from './engine.ts';
import { holderText } from './holder.ts';

const GET = statement('migrate.lock', 'select get_lock(?, 0) as got', ['name']);
const RELEASE = statement('migrate.unlock', 'select release_lock(?) as released', ['name']);
const LIMITS = statement(
  'migrate.limits',
  'select @@session.wait_timeout as idle, @@session.lock_wait_timeout as ddl, @@session.autocommit as auto',
);
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

  async #holder(session: Connection): Promise<string> {
    // MySQL fails here (3854) while any session runs a statement whose text holds bytes that are no text.
    const [row] = await session.rows(HOLDER, { name: this.#name }).catch(() => []);
    return row === undefined ? 'another migrator' : holderOf(row);
  }
}

function limits(idle: number, ddl: number, autocommit: number): string {
  return `set session wait_timeout = ${idle}, session lock_wait_timeout = ${ddl}, session autocommit = ${autocommit}`;
}

/** Column names come in the case in which each server has them. */
function holderOf(row: Row): string {
  const lower = Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
  return holderText({
    session: `connection ${lower.id}`,
    user: lower.user,
    address: lower.host,
    state: lower.state,
    query: lower.info,
  });
}
