import type { PGlite, Results } from '@electric-sql/pglite';
import knex from 'knex';

interface Asked {
  readonly sql: string;
  readonly bindings?: unknown[];
  response?: Results;
}

/** What this dialect overrides of knex's own for Postgres; its types leave these out. */
interface PostgresClient {
  config: { connection: { db: PGlite } };
}

const Postgres = (knex({ client: 'pg' }).client as object).constructor as new (
  config: object,
) => PostgresClient;

/** A dialect of knex for a PGlite that its host has open, as hosts write it themselves. */
export class PgliteDialect extends Postgres {
  _driver(): object {
    return {};
  }

  async acquireRawConnection(): Promise<PGlite> {
    return this.config.connection.db;
  }

  async destroyRawConnection(): Promise<void> {}

  async _query(db: PGlite, asked: Asked): Promise<Asked> {
    asked.response = { ...(await db.query(asked.sql, asked.bindings ?? [])) };
    return asked;
  }

  processResponse({ response }: Asked): unknown {
    return response;
  }
}
