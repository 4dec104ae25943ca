import type { Knex } from 'knex';

/** The languages that knex compiles here, by the name of a driver that need not be installed. */
export type Client = 'pg' | 'mysql2' | 'better-sqlite3';

const builders = new Map<Client, Promise<Knex>>();

async function load(client: Client): Promise<Knex> {
  // Not on the path of importing the package: loading knex takes 30 to 70 ms.
  // By its default: Node finds no other names in knex's CommonJS, whatever its types say.
  const { default: knex } = await import('knex');
  return knex({ client, useNullAsDefault: client === 'better-sqlite3' });
}

/** knex as a compiler only: it has no connection and never runs a query. */
export function builderFor(client: Client): Promise<Knex> {
  let builder = builders.get(client);
  if (!builder) {
    builder = load(client);
    builders.set(client, builder);
  }
  return builder;
}
