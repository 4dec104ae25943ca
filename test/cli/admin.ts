import mysql from 'mysql2/promise';
import pg from 'pg';
import type { Variant } from '../variants.ts';

/** Whatever a password may hold. */
export const PASSWORD = `p@:/#?%&^$!+ '"\\é;x`;

/** Runs SQL without results on a variant's server or one of its databases, as its administrator. */
export async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
  if (url.startsWith('postgres')) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const text of statements) await client.query(text);
    } finally {
      await client.end();
    }
    return;
  }
  const connection = await mysql.createConnection({ uri: url });
  try {
    for (const text of statements) await connection.query(text);
  } finally {
    await connection.end();
  }
}

/** A login of its own on a server, and the URL of `database` for it. */
export interface Login {
  readonly url: string;
  readonly wrongUrl: string;
  drop(): Promise<void>;
}

/** Makes a login that may only connect to and read the database. */
export async function readerOf(variant: Variant, databaseUrl: string, name: string): Promise<Login> {
  const database = new URL(databaseUrl).pathname.slice(1);
  const quoted = PASSWORD.replaceAll("'", "''");
  if (variant.language === 'postgres') {
    await asAdmin(databaseUrl, [`create role ${name} login password '${quoted}'`]);
  } else {
    const literal = quoted.replaceAll('\\', '\\\\');
    await asAdmin(databaseUrl, [
      `create user '${name}'@'%' identified by '${literal}'`,
      `grant select on \`${database}\`.* to '${name}'@'%'`,
    ]);
  }
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = encodeURIComponent(PASSWORD);
  const wrong = new URL(url);
  wrong.password = encodeURIComponent(`not-${PASSWORD}`);
  const drop =
    variant.language === 'postgres' ? `drop owned by ${name}; drop role ${name}` : `drop user '${name}'@'%'`;
  return { url: url.href, wrongUrl: wrong.href, drop: () => asAdmin(databaseUrl, [drop]) };
}

/** Resolves once a statement whose text holds `part` runs on the server. */
export async function running(databaseUrl: string, part: string): Promise<void> {
  const isPostgres = databaseUrl.startsWith('postgres');
  const client = isPostgres ? new pg.Client({ connectionString: databaseUrl }) : undefined;
  const connection = isPostgres ? undefined : await mysql.createConnection({ uri: databaseUrl });
  await client?.connect();
  try {
    for (;;) {
      const rows: readonly unknown[] = client
        ? (
            await client.query(
              `select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
            and datname = current_database() and query like $1`,
              [`%${part}%`],
            )
          ).rows
        : [
            (
              await connection!.query(
                `select 1 from information_schema.processlist
            where id <> connection_id() and db = database() and info like ?`,
                [`%${part}%`],
              )
            )[0],
          ].flat();
      if (rows.length > 0) return;
    }
  } finally {
    await client?.end();
    await connection?.end();
  }
}
