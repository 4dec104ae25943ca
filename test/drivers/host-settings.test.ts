import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { openStorage } from '../../src/index.ts';
import { type Driver, type Variant, variants } from '../variants.ts';
import { mysqlUrl, rejection, sql } from './forms.ts';

const garbage = () => 'garbage';

/** A handle of a host that set everything which could change a value on its way. */
const handles: Record<
  Driver,
  (url: string) => Promise<{ handle: Parameters<typeof openConnection>[0]; end(): Promise<unknown> }>
> = {
  async pg(url) {
    const types = { getTypeParser: () => garbage };
    const pool = new pg.Pool({ connectionString: url, types });
    return { handle: pool, end: () => pool.end() };
  },
  async mysql2(url) {
    const pool = mysql.createPool({
      uri: mysqlUrl(url),
      timezone: '+05:00',
      rowsAsArray: true,
      nestTables: true,
      namedPlaceholders: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      typeCast: garbage,
    });
    return { handle: pool, end: () => pool.promise().end() };
  },
  async 'better-sqlite3'(url) {
    const db = new Database(url.replace('sqlite:', ''));
    db.defaultSafeIntegers(true);
    return { handle: db, end: async () => db.close() };
  },
  async pglite(url) {
    const parsers = Object.fromEntries([20, 23, 25, 1043, 1114, 1184, 114].map((oid) => [oid, garbage]));
    const db = await PGlite.create({ dataDir: url.replace('pglite:', ''), parsers });
    return { handle: db, end: () => db.close() };
  },
};

for (const variant of variants) {
  it(`${variant.name}: no setting of a host's handle changes a value`, async () => {
    const { url } = await variant.createDatabase('drivers_host');
    const { handle, end } = await handles[variant.driver](url);
    const db = await openConnection(handle);
    try {
      await values(variant, db);
    } finally {
      await db.close();
      await end();
    }
  });
}

async function values(variant: Variant, db: Connection): Promise<void> {
  const time = { postgres: 'timestamptz(3)', mysql: 'datetime(3)', sqlite: 'integer' }[variant.language];
  const json = variant.language === 'sqlite' ? 'text' : 'json';
  await db.script(`create table t (id varchar(9) primary key, n bigint, at ${time}, body ${json})`);
  const at = variant.language === 'sqlite' ? 1_700_000_000_123 : '2023-11-14 22:13:20.123';
  const insert = sql(variant, 'insert into t (id, n, at, body) values (?, ?, ?, ?)', [
    'id',
    'n',
    'at',
    'body',
  ]);
  expect(await db.run(insert, { id: 'a', n: 5, at, body: '[1]' })).toBe(1);
  const zoned = variant.language === 'postgres' ? "at at time zone current_setting('TimeZone')" : 'at';
  const [row] = await db.rows(sql(variant, `select id, n, ${zoned} as at, body from t`), {});
  const text = variant.language === 'postgres';
  expect(row).toEqual({ id: 'a', n: text ? '5' : 5, at, body: '[1]' });
}

describe.each(variants.filter(({ driver }) => driver === 'pg'))("$name: a host's pool", (variant) => {
  it('gets its clients back as they were', async () => {
    const { url } = await variant.createDatabase('drivers_leak');
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const db = await openConnection(pool, { statementTimeout: 5_000 });
    await db.transaction((tx) => tx.script('create table t (id int primary key)'));
    await db.run(sql(variant, 'insert into t values (1)'), {});
    await rejection(db.run(sql(variant, 'insert into t values (1)'), {}));
    const shown = await pool.query(
      "select current_setting('statement_timeout') as bound, txid_current_if_assigned() as open",
    );
    expect(shown.rows).toEqual([{ bound: '0', open: null }]);
    await db.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('has its clients listened to from the moment that it lends them', async () => {
    const { url } = await variant.createDatabase('drivers_listened');
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const listeners: number[] = [];
    const connect = pool.connect.bind(pool);
    // An error that came with the same read as the end of the last query is told before any promise goes on.
    const watched = (
      lent: (error: Error | undefined, client: pg.PoolClient, done: () => void) => void,
    ): void =>
      connect((error, client, done) => {
        lent(error, client as pg.PoolClient, done);
        listeners.push(client?.listenerCount('error') ?? 0);
      });
    Object.assign(pool, { connect: watched });
    const db = await openConnection(pool);
    await db.rows(sql(variant, 'select 1 as one'), {});
    expect(listeners).toHaveLength(2);
    for (const count of listeners) expect(count).toBeGreaterThan(0);
    await db.close();
    await pool.end();
  });

  it('goes without names once a named statement is refused', async () => {
    const { url } = await variant.createDatabase('drivers_names');
    const db = await openConnection(url, { pool: { max: 1 } });
    const one = sql(variant, 'select ?::int as one', ['one']);
    const names = sql(variant, 'select count(*) as n from pg_prepared_statements');
    expect(await db.rows(one, { one: 1 })).toEqual([{ one: '1' }]);
    await db.script('deallocate all');
    expect(await db.rows(one, { one: 2 })).toEqual([{ one: '2' }]);
    expect(await db.rows(names, {})).toEqual([{ n: '0' }]);
    await db.close();
    const named = await openConnection(url, { pool: { max: 1 }, prepare: true });
    await named.rows(one, { one: 1 });
    await named.script('deallocate all');
    expect(await rejection(named.rows(one, { one: 2 }))).toMatchObject({
      code: 'UNAVAILABLE',
      retryable: true,
    });
    await named.close();
  });

  it.each([
    ['client_encoding', '-c client_encoding=LATIN1'],
    ['array_nulls', '-c array_nulls=off'],
  ])('is refused with settings that change values: %s', async (name, options) => {
    const { url } = await variant.createDatabase('drivers_odd');
    const storage = await openStorage(url);
    const pool = new pg.Pool({ connectionString: url, options });
    // The package itself asks for UTF-8 where nothing else is said.
    pool.on('connect', (client) =>
      client.query(`set client_encoding to ${name === 'array_nulls' ? 'UTF8' : 'LATIN1'}`),
    );
    const error = await rejection(openConnection(pool));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'target', hint: expect.any(String) });
    expect(error.message).toMatch(new RegExp(`${name} = \\S+ \\(must be `));
    const client = await pool.connect();
    await client.query('begin');
    const refused = { code: 'INVALID_ARGUMENT', argument: 'handle' };
    expect(await rejection(storage.using(client).ping())).toMatchObject(refused);
    await client.query('rollback');
    client.release();
    await pool.end();
    await storage.close();
  });

  it('is refused where values are read in the binary form; our own are not', async () => {
    const { url } = await variant.createDatabase('drivers_binary');
    // The option is in the package, and not in its types.
    const pool = new pg.Pool({ connectionString: url, binary: true } as pg.PoolConfig);
    expect(await rejection(openConnection(pool))).toMatchObject({ code: 'UNSUPPORTED' });
    const client = await pool.connect();
    await client.query('begin');
    const storage = await openStorage(url);
    expect(await rejection(storage.using(client).ping())).toMatchObject({ code: 'UNSUPPORTED' });
    await storage.close();
    client.release();
    await pool.end();
    pg.defaults.binary = true;
    try {
      const db = await openConnection(url);
      expect(await db.rows(sql(variant, 'select 7 as n'), {})).toEqual([{ n: '7' }]);
      await db.close();
    } finally {
      pg.defaults.binary = false;
    }
  });

  it('lends a client to many calls at once, one query at a time', async () => {
    const { url } = await variant.createDatabase('drivers_at_once');
    const storage = await openStorage(url);
    await storage.migrate();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    await Promise.all(Array.from({ length: 20 }, () => storage.using(client).countEvents('s')));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
    await client.end();
    await storage.close();
  });

  it('takes arrays for unnest', async () => {
    const { url } = await variant.createDatabase('drivers_arrays');
    const db = await openConnection(url);
    const unnest = sql(variant, 'select * from unnest(?::text[], ?::bigint[]) as u(word, n)', [
      'words',
      'numbers',
    ]);
    const words = ['a', 'b"\\{},', '', null, 'NULL', 'é'];
    const rows = await db.rows(unnest, { words, numbers: [1, '9007199254740993', null, 4, 5, 6] });
    expect(rows.map(({ word }) => word)).toEqual(words);
    expect(rows.map(({ n }) => n)).toEqual(['1', '9007199254740993', null, '4', '5', '6']);
    await db.close();
  });
});

describe.each(variants.filter(({ driver }) => driver === 'mysql2'))('$name: sessions', (variant) => {
  const facts = sql(
    variant,
    `select @@${variant.name === 'mysql9' ? 'transaction_isolation' : 'tx_isolation'} as isolation,
      @@time_zone as zone, @@character_set_client as charset, @@sql_mode as mode`,
  );

  it("are set alike when they are ours, and left alone when they are a host's", async () => {
    const { url } = await variant.createDatabase('drivers_session');
    const own = await openConnection(url);
    expect(await own.rows(facts, {})).toMatchObject([
      {
        isolation: 'READ-COMMITTED',
        zone: '+00:00',
        charset: 'utf8mb4',
        mode: expect.stringContaining('STRICT_ALL_TABLES'),
      },
    ]);
    await own.close();
    const pool = mysql.createPool({ uri: mysqlUrl(url), connectionLimit: 1 });
    const before = await pool.promise().query(facts.text);
    const db = await openConnection(pool, { statementTimeout: 5_000 });
    await db.transaction(async (tx) => {
      await tx.script('create table t (id int primary key)');
      await tx.rows(facts, {});
    });
    await db.close();
    expect((await pool.promise().query(facts.text))[0]).toEqual(before[0]);
    await pool.promise().end();
  });

  const odd: Readonly<Record<string, string>> = {
    character_set_client: "set character_set_client = 'latin1'",
    character_set_results: "set character_set_results = 'latin1'",
    character_set_connection: 'set names latin1',
    sql_select_limit: 'set sql_select_limit = 5',
    sql_safe_updates: 'set sql_safe_updates = 1',
    ...(variant.name.startsWith('mariadb') && {
      unique_checks: 'set unique_checks = 0',
      sql_mode: "set sql_mode = 'EMPTY_STRING_IS_NULL'",
    }),
  };

  it.each(Object.entries({ ...odd, autocommit: 'set autocommit = 0' }))(
    'under which rows would be lost or changed are refused in a pool: %s',
    async (name, text) => {
      const { url } = await variant.createDatabase('drivers_odd');
      const pool = mysql.createPool({ uri: mysqlUrl(url) });
      pool.on('connection', (connection) => connection.query(text));
      const error = await rejection(openConnection(pool));
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'target', hint: expect.any(String) });
      expect(error.message).toMatch(new RegExp(`${name} = .* \\(must be `));
      await pool.promise().end();
    },
  );

  it.each(Object.entries(odd))('… and in a transaction that is lent: %s', async (name, text) => {
    const { url } = await variant.createDatabase('drivers_odd_lent');
    const storage = await openStorage(url);
    const connection = mysql.createConnection({ uri: mysqlUrl(url) });
    await connection.promise().query(text);
    await connection.promise().query('begin');
    const error = await rejection(storage.using(connection).ping());
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'handle' });
    expect(error.message).toContain(`${name} = `);
    await connection.promise().end();
    await storage.close();
  });

  it('refuse a value above max_allowed_packet before it is sent', async () => {
    const { url } = await variant.createDatabase('drivers_packet');
    const db = await openConnection(url, { pool: { max: 1 } });
    const [limit] = await db.rows(sql(variant, 'select @@max_allowed_packet as bytes'), {});
    const length = sql(variant, 'select length(?) as bytes', ['text']);
    const bytes = Number(limit?.bytes);
    const session = await db.rows(sql(variant, 'select connection_id() as id'), {});
    const error = await rejection(db.rows(length, { text: 'x'.repeat(bytes) }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'text' });
    expect(await db.rows(length, { text: 'é'.repeat(bytes / 2 - 200) })).toEqual([{ bytes: bytes - 400 }]);
    expect(await db.rows(sql(variant, 'select connection_id() as id'), {})).toEqual(session);
    await db.close();
  });

  it('prepare nothing that stays, when told so', async () => {
    const { url } = await variant.createDatabase('drivers_unprepared');
    const db = await openConnection(url, { prepare: false, pool: { max: 1 } });
    const count = sql(variant, "show session status like 'Com_stmt_close'");
    const one = sql(variant, 'select ? as one', ['one']);
    for (let i = 0; i < 3; i += 1) expect(await db.rows(one, { one: 'x' })).toEqual([{ one: 'x' }]);
    const [row] = await db.rows(count, {});
    expect(Number(row?.Value)).toBeGreaterThanOrEqual(3);
    await db.close();
  });
});
