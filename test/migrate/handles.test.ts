import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import { createMigrator, type MigratorTarget } from '../../src/migrate/index.ts';
import { migratorOn } from '../../src/migrate/migrator.ts';
import { type Driver, variants } from '../variants.ts';

const IDS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];

/** What a host has open, whether it still works, and how the host ends it. */
interface Lent {
  readonly handle: MigratorTarget;
  readonly works: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

const LENT: Record<Driver, (url: string) => Lent> = {
  pg: (url) => {
    const handle = new pg.Pool({ connectionString: url, max: 2 });
    return { handle, works: () => handle.query('select 1'), end: () => handle.end() };
  },
  mysql2: (url) => {
    const handle = mysql.createPool({ uri: url.replace('mariadb:', 'mysql:'), connectionLimit: 2 });
    return { handle, works: () => handle.query('select 1'), end: () => handle.end() };
  },
  pglite: (url) => {
    const handle = new PGlite(url.replace('pglite:', ''));
    return { handle, works: () => handle.query('select 1'), end: () => handle.close() };
  },
  'better-sqlite3': (url) => {
    const handle = new Database(url.replace('sqlite:', ''));
    return { handle, works: async () => handle.prepare('select 1').get(), end: async () => handle.close() };
  },
};

describe.each(variants)('$name', (variant) => {
  it("migrates on a host's own handle and leaves it open", async () => {
    const { url } = await variant.createDatabase('handle');
    const { handle, works, end } = LENT[variant.driver](url);
    const migrator = createMigrator(handle);
    expect((await migrator.up()).current).toEqual(IDS);
    await expect(migrator.down({ to: '0' })).rejects.toMatchObject({ reason: 'NOT_CONFIRMED' });
    expect((await migrator.down({ to: '0', yes: true })).current).toEqual([]);
    await migrator.close();
    await works();
    await end();
  });

  it('migrates on a connection that is open, which stays so', async () => {
    const { url } = await variant.createDatabase('open');
    const connection = await openConnection(url);
    const migrator = migratorOn(connection);
    expect((await migrator.up()).current).toEqual(IDS);
    await migrator.close();
    await connection.script('select 1');
    await connection.close();
  });
});

describe('options', () => {
  it.each([
    [{ schema: '' }, 'schema'],
    [{ schema: 'pg_mine' }, 'schema'],
    [{ schema: 'é'.repeat(32) }, 'schema'],
    [{ namespace: 'chronos' }, 'namespace'],
    [{ namespace: 'a:b' }, 'namespace'],
    [{ lockTimeout: -1 }, 'lockTimeout'],
    [{ connectTimeout: 1.5 }, 'connectTimeout'],
    [{ statementTimeout: 2 ** 31 }, 'statementTimeout'],
  ])('are refused at once: %j', (options, argument) => {
    expect(() => createMigrator('sqlite::memory:', options)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'USAGE', argument }),
    );
  });

  it.each(variants.filter(({ language }) => language === 'postgres'))(
    'a schema may have any name: $name',
    async (variant) => {
      const { url } = await variant.createDatabase('schema');
      const migrator = createMigrator(url, { schema: `My "own" $& schema's` });
      expect((await migrator.up()).current).toEqual(IDS);
      expect((await migrator.down({ to: '0', yes: true })).current).toEqual([]);
      await migrator.close();
      const other = createMigrator(url, { schema: 'public' });
      expect((await other.up()).current).toEqual(IDS);
      await other.close();
    },
  );
});
