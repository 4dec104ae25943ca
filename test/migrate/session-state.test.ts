import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createMigrator, type MigratorTarget } from '../../src/migrate/index.ts';
import { type Driver, type PerLanguage, pgbouncerUrl, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { query } from './raw.ts';

/** A host's only connection, and what a query on it gives. */
interface Lent {
  readonly handle: MigratorTarget;
  readonly rows: (sql: string) => Promise<readonly unknown[]>;
  readonly end: () => Promise<unknown>;
}

const LENT: Record<Driver, (url: string) => Lent> = {
  pg: (url) => {
    const handle = new pg.Pool({ connectionString: url, max: 1 });
    return { handle, rows: async (sql) => (await handle.query(sql)).rows, end: () => handle.end() };
  },
  mysql2: (url) => {
    const handle = mysql.createPool({ uri: url.replace('mariadb:', 'mysql:'), connectionLimit: 1 });
    const rows = async (sql: string) => (await handle.query(sql))[0] as unknown[];
    return { handle, rows, end: () => handle.end() };
  },
  pglite: (url) => {
    const handle = new PGlite(url.replace('pglite:', ''));
    return { handle, rows: async (sql) => (await handle.query(sql)).rows, end: () => handle.close() };
  },
  'better-sqlite3': (url) => {
    const handle = new Database(url.replace('sqlite:', ''));
    return { handle, rows: async (sql) => handle.prepare(sql).all(), end: async () => handle.close() };
  },
};

/** Each leaves something in its session. */
const SETS: PerLanguage<readonly string[]> = {
  postgres: [
    `set search_path = pg_catalog; set app.word = 'left'; select set_config('lock_timeout', '77', false)`,
    'create temp table left_over (n int); create temp view left_view as select 1 as n',
    'prepare left_plan as select 1; listen left_channel',
    'declare left_cursor cursor with hold for select 1; select pg_advisory_lock(7)',
    'set idle_in_transaction_session_timeout = 99; set local lock_timeout = 98',
    'set role pg_monitor',
  ],
  mysql: [
    `set @word = 'left'`,
    `set session sql_mode = 'ANSI_QUOTES'`,
    `set session group_concat_max_len = 77`,
    'create temporary table left_over (n int)',
    'use mysql',
    'set session lock_wait_timeout = 77',
  ],
  sqlite: [
    'create temp table left_over (n int); create temp view left_view as select 1 as n;',
    'pragma recursive_triggers = on; pragma cache_size = 77; pragma query_only = off;',
    'pragma query_only = on;',
  ],
};

/** What a session has, as one row. */
const SEEN: PerLanguage<string> = {
  postgres: `select coalesce(nullif(current_setting('app.word', true), ''), 'none') as word,
    current_setting('search_path') as path, current_setting('lock_timeout') as wait,
    current_setting('idle_in_transaction_session_timeout') as idle, current_user::text as who,
    (select count(*)::int from pg_class where relnamespace = pg_my_temp_schema()) as temporary,
    (select count(*)::int from pg_prepared_statements where from_sql) as prepared,
    (select count(*)::int from pg_listening_channels()) as channels,
    (select count(*)::int from pg_cursors where name = 'left_cursor') as cursors,
    (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and objid = 7) as locks`,
  mysql: `select coalesce(@word, 'none') as word, @@session.sql_mode as mode, database() as db,
    @@session.group_concat_max_len as len, @@session.lock_wait_timeout as wait, @@session.autocommit as auto`,
  sqlite: `select (select count(*) from sqlite_temp_master) as temporary,
    (select recursive_triggers from pragma_recursive_triggers) as triggers,
    (select cache_size from pragma_cache_size) as cache, (select query_only from pragma_query_only) as readonly`,
};

function files(language: keyof typeof SETS): Record<string, string> {
  return Object.fromEntries(SETS[language].map((sql, i) => [`000${i + 1}_sets.up.sql`, `${sql}\n`]));
}

describe.each(variants)('$name', (variant) => {
  const applied = SETS[variant.language].map((_, index) => `app:000${index + 1}_sets`);

  it("gives a host's connection back as it was, whatever its files set", async () => {
    const { url } = await variant.createDatabase('lent');
    const dir = await hostFolder(files(variant.language));
    const { handle, rows, end } = LENT[variant.driver](url);
    const before = await rows(SEEN[variant.language]);
    const migrator = createMigrator(handle, { dir });
    expect((await migrator.up()).current).toEqual(expect.arrayContaining(applied));
    expect(await rows(SEEN[variant.language])).toEqual(before);
    await migrator.close();
    await end();
  });

  it('logs on a session that every file finds as the first one did', async () => {
    const { url } = await variant.createDatabase('own');
    const dir = await hostFolder({
      ...files(variant.language),
      '0009_sees.up.sql': `create table sees as ${SEEN[variant.language]};`,
    });
    const migrator = createMigrator(url, { dir });
    expect((await migrator.up()).pending).toEqual([]);
    await migrator.close();
    const again = createMigrator(url, { dir });
    expect(await again.status()).toMatchObject({ pending: [], partial: null });
    await again.close();
    const [seen] = await query(url, 'select * from sees');
    const set = JSON.stringify(seen);
    expect(set).not.toMatch(/left|ANSI|"mysql"|pg_monitor|:"?(77|98|99)\b/);
  });
});

const pooledVariants = variants.filter(({ serverUrl }) => pgbouncerUrl(serverUrl ?? '') !== null);
describe.each(pooledVariants)('$name behind PgBouncer', (variant) => {
  it('leaves nothing in a connection that is shared with other clients', async () => {
    const { url } = await variant.createDatabase('pooled');
    const pooled = pgbouncerUrl(url)!;
    const { rows, end } = LENT.pg(pooled);
    const dir = await hostFolder(files('postgres'));
    const before = await rows(SEEN.postgres);
    const migrator = createMigrator(pooled, { dir });
    expect((await migrator.up()).pending).toEqual([]);
    expect(await rows(SEEN.postgres)).toEqual(before);
    await migrator.close();
    expect(await rows(SEEN.postgres)).toEqual(before);
    await end();
  });
});
