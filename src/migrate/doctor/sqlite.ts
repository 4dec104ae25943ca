import type { Connection } from '../../drivers/connection.ts';
import { statement } from '../../sql/statement.ts';
import { fail, ok, warn } from '../checks.ts';
import type { Check } from '../types.ts';

/** `pragma auto_vacuum` by its number. */
const AUTO_VACUUM = ['none', 'full', 'incremental'];

/** Version, encoding, write-ahead log and vacuuming of a file, as it is before anybody sets it up. */
export async function sqliteChecks(connection: Connection): Promise<Check[]> {
  const mode = await pragma(connection, 'journal_mode');
  return [
    versionCheck(connection.server.version),
    encodingCheck(await pragma(connection, 'encoding')),
    modeCheck(mode),
    vacuumCheck(AUTO_VACUUM[Number(await pragma(connection, 'auto_vacuum'))] ?? 'none', mode),
  ];
}

async function pragma(connection: Connection, name: string): Promise<string> {
  const [row = {}] = await connection.rows(statement(`doctor.${name}`, `pragma ${name}`), {});
  return String(Object.values(row)[0]);
}

/** STRICT tables came with 3.37. */
function versionCheck(version: string): Check {
  const [, minor = 0] = version.split('.').map(Number);
  if (minor >= 37) return ok('server version', `SQLite ${version}`);
  const message = `SQLite ${version} has no STRICT tables`;
  return fail('DATABASE_ERROR', 'server version', message, 'npm install better-sqlite3@12');
}

function encodingCheck(encoding: string): Check {
  if (encoding === 'UTF-8') return ok('encoding', encoding);
  const message = `${encoding} sorts text by other bytes; a file keeps it: move to a new one`;
  return fail('DATABASE_ERROR', 'encoding', message, 'sqlite3 OLD .dump | sqlite3 NEW');
}

function modeCheck(mode: string): Check {
  if (mode === 'wal' || mode === 'memory') return ok('journal mode', mode);
  const message = `${mode}: a reader and the writer wait for each other`;
  return warn('journal mode', message, 'pragma journal_mode = wal');
}

/** Where a write-ahead log is kept, the setting is taken only after it was left. */
function vacuumCheck(setting: string, mode: string): Check {
  if (setting !== 'none') return ok('auto_vacuum', setting);
  const change = 'pragma auto_vacuum = incremental; vacuum; pragma journal_mode = wal';
  const mend = mode === 'wal' ? `pragma journal_mode = delete; ${change}` : change;
  if (mode === 'memory') return ok('auto_vacuum', setting);
  return warn('auto_vacuum', 'none: the file never shrinks, whatever is trimmed', mend);
}
