import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from '../errors.ts';
import type { ServerFacts } from './connection.ts';
import { postgresFinding } from './failures/postgres.ts';
import { failure } from './failures.ts';
import type { PgliteDatabase } from './handles.ts';
import { asWritten, PgliteDriver } from './pglite.ts';
import { Single } from './single.ts';

/** The class that PGlite exports. */
export interface PgliteClass {
  create(options: { dataDir?: string; extensions?: Record<string, object> }): Promise<unknown>;
}

/** Opens a folder, made if absent, or a database in memory. */
export async function openPgliteDir(
  PGlite: PgliteClass,
  extensions: Record<string, object>,
  dir: string | undefined,
): Promise<PgliteDriver> {
  const target = `pglite:${dir ?? 'memory'}`;
  if (dir !== undefined) checkPlace(dir);
  const db = await translated(target, async () => {
    return (await PGlite.create({
      ...(dir === undefined ? {} : { dataDir: dir }),
      extensions,
    })) as PgliteDatabase;
  });
  const server = await facts(db, target, dir ?? 'memory');
  return new PgliteDriver(server, new Single(db, () => db.close()));
}

/** Takes a host's PGlite; never closed here. */
export async function borrowPglite(db: PgliteDatabase): Promise<PgliteDriver> {
  const target = `pglite:${db.dataDir ?? 'memory'}`;
  const server = await facts(db, target, db.dataDir ?? 'memory');
  return new PgliteDriver(server, new Single(db, async () => {}));
}

function facts(db: PgliteDatabase, target: string, database: string): Promise<ServerFacts> {
  return translated(target, async () => {
    await db.waitReady;
    const text = `select current_setting('server_version') as version`;
    const row = (await db.query(text, [], asWritten(db))).rows[0] as { version: string };
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
    const where = { doing: 'open', phase: 'connect', target } as const;
    throw failure(postgresFinding(error, where), where);
  }
}
