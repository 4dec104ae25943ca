import type { Connection } from '../../src/drivers/connection.ts';
import type { Variant } from '../variants.ts';
import { sql } from './forms.ts';

const UNLISTED = /ER_CANNOT_CONVERT_STRING/;

/** What the server says of the sessions of the admin's own database, the admin's aside. */
export class ServerSessions {
  readonly #variant: Variant;
  readonly #admin: Connection;

  constructor(variant: Variant, admin: Connection) {
    this.#variant = variant;
    this.#admin = admin;
  }

  async ids(onlyWaiting = false): Promise<number[]> {
    const question = sql(this.#variant, this.#question(onlyWaiting));
    for (;;) {
      try {
        return (await this.#admin.rows(question, {})).map(({ id }) => Number(id));
      } catch (error) {
        // MySQL cannot list its sessions while one of any database runs a statement with bytes that are no text.
        if (!UNLISTED.test(String(error))) throw error;
      }
    }
  }

  async kill(): Promise<void> {
    for (const id of await this.ids()) {
      const text =
        this.#variant.language === 'postgres' ? `select pg_terminate_backend(${id})` : `kill ${id}`;
      // One that ended meanwhile is as dead.
      await this.#admin.script(text).catch(() => undefined);
    }
  }

  #question(onlyWaiting: boolean): string {
    if (this.#variant.language === 'postgres') {
      const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
      return `select pid as id ${others} ${onlyWaiting ? "and wait_event_type = 'Lock'" : ''}`;
    }
    const others = 'from information_schema.processlist where db = database() and id <> connection_id()';
    return `select id as id ${others} ${onlyWaiting ? "and info like 'insert%'" : ''}`;
  }
}
