import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../dist/index.js';
import { rawMysql2 } from '../raw/mysql2.mjs';
import { rawPg } from '../raw/pg.mjs';
import { rawSqlite } from '../raw/sqlite.mjs';
import { newDatabase } from './servers.mjs';

/** @typedef {'postgres' | 'mysql' | 'mariadb' | 'sqlite'} EngineName */

/** @type {readonly EngineName[]} */
const ALL = ['postgres', 'mysql', 'mariadb', 'sqlite'];

/** All, or those that `CHRONOS_BENCH_ENGINES` names. */
export const ENGINES = chosen(process.env.CHRONOS_BENCH_ENGINES?.split(',') ?? ALL);

/** @param {readonly string[]} names */
function chosen(names) {
  const unknown = names.filter((name) => !ALL.some((one) => one === name));
  if (unknown.length === 0) return ALL.filter((name) => names.includes(name));
  // A bench that measures nothing would be within all targets.
  throw new Error(`no engine named ${unknown.join(', ')}; there are: ${ALL.join(', ')}`);
}

export const RAW = { postgres: rawPg, mysql: rawMysql2, mariadb: rawMysql2, sqlite: rawSqlite };

/** Memory where there is such a folder: a disk's waiting, many times what is measured, would hide it. */
const FILES = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new file of SQLite. */
function newFile() {
  const folder = mkdtempSync(join(FILES, 'chronos-bench-'));
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
  const { url: rawUrl, drop } = name === 'sqlite' ? newFile() : await newDatabase(name);
  // The drivers speak plain text unless they are told otherwise, and we try TLS first: what is compared is not that.
  const url = name === 'sqlite' ? rawUrl : `${rawUrl}?sslmode=disable`;
  const storage = await openStorage(url);
  await storage.migrate();
  const raw = await RAW[name](rawUrl);
  return {
    url,
    rawUrl,
    storage,
    raw,
    close: async () => {
      await storage.close();
      await raw.close();
      await drop();
    },
  };
}
