import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../dist/index.js';
import { rawMysql2 } from '../raw/mysql2.mjs';
import { rawPg } from '../raw/pg.mjs';
import { rawSqlite } from '../raw/sqlite.mjs';
import { newDatabase } from './servers.mjs';

/** @typedef {'postgres' | 'mysql' | 'mariadb' | 'sqlite'} EngineName */

/** @type {readonly EngineName[]} */
export const ENGINES = ['postgres', 'mysql', 'mariadb', 'sqlite'];

export const RAW = { postgres: rawPg, mysql: rawMysql2, mariadb: rawMysql2, sqlite: rawSqlite };

/** A new file of SQLite. */
function newFile() {
  const folder = mkdtempSync(join(tmpdir(), 'chronos-bench-'));
  return {
    url: `sqlite:${join(folder, 'bench.db')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A migrated database with a storage and the raw driver on it.
 * @param {EngineName} name
 */
export async function openBoth(name) {
  const { url, drop } = name === 'sqlite' ? newFile() : await newDatabase(name);
  const storage = await openStorage(url);
  await storage.migrate();
  const raw = await RAW[name](url);
  return {
    url,
    storage,
    raw,
    close: async () => {
      await storage.close();
      await raw.close();
      await drop();
    },
  };
}
