import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type PerVariant, pgbouncerUrl, type Variant, variants } from '../variants.ts';

type Row = Record<string, unknown>;

const versions: PerVariant<RegExp> = {
  postgres18: /^PostgreSQL 18\./,
  postgres15: /^PostgreSQL 15\./,
  mysql9: /^9\.\d+\.\d+(?!.*MariaDB)/,
  mariadb118: /^11\.8\..*MariaDB/,
  mariadb1011: /^10\.11\..*MariaDB/,
  pglite: /^PostgreSQL 18\./,
  sqlite: /^3\./,
};

describe.each(variants)('$name', (variant) => {
  it('is the version of its name', async () => {
    const { url } = await variant.createDatabase('version');
    const call = variant.language === 'sqlite' ? 'sqlite_version()' : 'version()';
    const [row] = await query(variant, url, `select ${call} as version`);
    expect(row?.version).toMatch(versions[variant.name]);
  });

  it('makes an empty database of its own and drops it, although someone is in it', async () => {
    const [one, two] = await Promise.all([variant.createDatabase('own'), variant.createDatabase('own')]);
    expect(one.url).not.toBe(two.url);
    await query(variant, one.url, 'create table only_here (a int)');
    await expect(query(variant, two.url, 'select a from only_here')).rejects.toThrow();
    const inside = await enter(variant, one.url);
    await one.drop();
    await inside.leave();
    if (variant.serverUrl) await expect(query(variant, one.url, 'select 1')).rejects.toThrow();
  });
});

describe.each(variants.filter(isServer('pg')))('$name', (variant) => {
  it('is UTF8 with an ICU collation', async () => {
    const { url } = await variant.createDatabase('icu');
    const sql =
      'select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider from pg_database where datname = current_database()';
    expect(await query(variant, url, sql)).toEqual([{ encoding: 'UTF8', provider: 'i' }]);
    // Byte order would put the capital first.
    expect(await query(variant, url, "select 'a' < 'B' as linguistic, length('é') as characters")).toEqual([
      { linguistic: true, characters: 1 },
    ]);
  });
});

describe.each(variants.filter(isServer('mysql2')))('$name', (variant) => {
  it('is utf8mb4', async () => {
    const { url } = await variant.createDatabase('utf8mb4');
    const sql = 'select @@character_set_database as charset, @@collation_database as collation';
    const [row] = await query(variant, url, sql);
    expect(row?.charset).toBe('utf8mb4');
    expect(row?.collation).toMatch(/^(utf8mb4|uca1400)_/);
  });
});

const pooled = variants.filter(({ serverUrl }) => serverUrl && pgbouncerUrl(serverUrl) !== null);

describe.each(pooled)('PgBouncer before $name', (variant) => {
  it('lends a server connection for one transaction only', async () => {
    const { url } = await variant.createDatabase('pooled');
    const [one, two] = await Promise.all([connect(pgbouncerUrl(url)!), connect(pgbouncerUrl(url)!)]);
    // Two clients on one backend, then another backend while a transaction holds the first: session mode can do neither.
    const shared = await backend(one);
    expect(await backend(two)).toBe(shared);
    await two.query('begin');
    expect(await backend(two)).toBe(shared);
    expect(await backend(one)).not.toBe(shared);
    await two.query('commit');
    await Promise.all([one.end(), two.end()]);
  });
});

function isServer(driver: Variant['driver']): (variant: Variant) => boolean {
  return (variant) => variant.driver === driver;
}

async function backend(client: pg.Client): Promise<number> {
  return (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function query({ driver }: Variant, url: string, sql: string): Promise<Row[]> {
  return queries[driver](url, sql);
}

const queries: Record<Variant['driver'], (url: string, sql: string) => Promise<Row[]>> = {
  pg: async (url, sql) => {
    const client = await connect(url);
    return (await client.query(sql).finally(() => client.end())).rows;
  },
  mysql2: async (url, sql) => {
    const connection = await mysql.createConnection({ uri: url });
    const [rows] = await connection.query(sql).finally(() => connection.end());
    return rows as Row[];
  },
  pglite: async (url, sql) => {
    const database = await PGlite.create(url.slice('pglite:'.length));
    return (await database.query<Row>(sql).finally(() => database.close())).rows;
  },
  'better-sqlite3': async (url, sql) => {
    const database = new Database(url.slice('sqlite:'.length));
    try {
      const statement = database.prepare(sql);
      return statement.reader ? (statement.all() as Row[]) : [statement.run() as unknown as Row];
    } finally {
      database.close();
    }
  },
};

/** A connection with an open transaction that has read a table: what a failed test leaves behind. */
async function enter({ driver }: Variant, url: string): Promise<{ leave(): Promise<void> }> {
  if (driver === 'pg') {
    const client = await connect(url);
    client.on('error', () => undefined);
    await client.query('begin; select a from only_here');
    return { leave: () => client.end().catch(() => undefined) };
  }
  if (driver === 'mysql2') {
    const connection = await mysql.createConnection({ uri: url });
    connection.on('error', () => undefined);
    await connection.query('begin');
    await connection.query('select a from only_here');
    return { leave: async () => connection.destroy() };
  }
  return { leave: async () => undefined };
}
