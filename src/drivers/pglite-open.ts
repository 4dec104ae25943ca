import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ChronosError, InvalidArgumentError } from '../errors.ts';
import type { ServerFacts } from './connection.ts';
import { postgresFinding } from './failures/postgres.ts';
import { failure } from './failures.ts';
import { lockFolder } from './folder-lock.ts';
import type { PgliteDatabase } from './handles.ts';
import { asWritten, PgliteDriver } from './pglite.ts';
import { POSTGRES_SETTINGS } from './settings/postgres.ts';
import { refuseSettings } from './settings/refused.ts';
import { Single } from './single.ts';
import type { WaitOptions } from './when-free.ts';

/** The class that PGlite exports. */
export interface PgliteClass {
  create(options: { dataDir?: string; extensions?: Record<string, object> }): Promise<unknown>;
}

/** Opens a folder, made if absent and kept from other processes until it is closed, or a database in memory. */
export async function openPgliteDir(
  PGlite: PgliteClass,
  extensions: Record<string, object>,
  dir: string | undefined,
  wait: WaitOptions,
): Promise<PgliteDriver> {
  if (dir === undefined) return opened('pglite:memory', 'memory', () => PGlite.create({ extensions }));
  checkPlace(dir);
  const giveBack = await lockFolder(dir, wait);
  try {
    return await opened(`pglite:${dir}`, dir, () => PGlite.create({ dataDir: dir, extensions }), giveBack);
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function opened(
  target: string,
  database: string,
  create: () => Promise<unknown>,
  afterwards?: () => Promise<void>,
): Promise<PgliteDriver> {
  const db = await translated(target, async () => (await create()) as PgliteDatabase);
  const server = await facts(db, target, database);
  const end = async (): Promise<void> => {
    await db.close();
    await afterwards?.();
  };
  return new PgliteDriver(server, new Single(db, end));
}

/** Takes a host's PGlite; never closed here. */
export async function borrowPglite(db: PgliteDatabase): Promise<PgliteDriver> {
  const target = `pglite:${db.dataDir ?? 'memory'}`;
  const server = await facts(db, target, db.dataDir ?? 'memory');
  return new PgliteDriver(server, new Single(db, async () => {}));
}

/** What a PGlite is. */
export function facts(db: PgliteDatabase, target: string, database: string): Promise<ServerFacts> {
  return translated(target, async () => {
    await db.waitReady;
    const text = `select current_setting('server_version') as version, ${POSTGRES_SETTINGS} as refused`;
    const row = (await db.query(text, [], asWritten(db))).rows[0] as { version: string; refused: string };
    refuseSettings('target', row.refused);
    return { version: row.version, target, database };
  });
}

function checkPlace(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) {
    throw new InvalidArgumentError('target', `${dir} is a file; PGlite keeps a folder`, {
      reason: 'BAD_URL',
    });
  }
  const folder = dirname(dir);
  if (!found && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('target', `the folder ${folder} does not exist`, {
      reason: 'BAD_URL',
      hint: `make it: mkdir -p ${folder}`,
    });
  }
}

async function translated<T>(target: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ChronosError) throw error;
    const where = { doing: 'open', phase: 'connect', target } as const;
    throw failure(postgresFinding(error, where), where);
  }
}
