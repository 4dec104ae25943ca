import { statfsSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EmbeddedDatabase {
  url: string;
  drop(): Promise<void>;
}

export type EmbeddedName = 'pglite' | 'sqlite';

/** Where a folder is in memory, and how much must be free there (bytes): a failed run keeps its databases. */
const MEMORY = '/dev/shm';
const ROOM = 8 * 2 ** 30;

const packages: Record<EmbeddedName, string> = { pglite: '@electric-sql/pglite', sqlite: 'better-sqlite3' };

/** The reason why it cannot be opened here, or null: better-sqlite3 is optional and may not have compiled. */
export async function embeddedUnavailable(name: EmbeddedName): Promise<string | null> {
  try {
    const driver = await import(packages[name]);
    if (name === 'sqlite') new driver.default(':memory:').close();
    return null;
  } catch (error) {
    return `${packages[name]}: ${firstLine(error)}`;
  }
}

/**
 * Makes a database to be copied: a copy opens in a tenth of the time that the first open of a folder takes. An open fills its
 * buffers with zeros first, 128 MB by default: two thirds of its time.
 */
export async function fillPgliteTemplate(folder: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  await (await PGlite.create(folder)).close();
  await appendFile(join(folder, 'postgresql.conf'), '\nshared_buffers = 8MB\n');
}

/** In memory where there is plenty of it: the thousand files of a PGlite take five times as long to copy on a disk. */
export function temporaryFolder(title: string): Promise<string> {
  return mkdtemp(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `${title}-`));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

export async function createPglite(title: string, template: string): Promise<EmbeddedDatabase> {
  const folder = await temporaryFolder(title);
  await cp(template, folder, { recursive: true });
  return { url: `pglite:${folder}`, drop: () => removeFolder(folder) };
}

export async function createSqlite(title: string): Promise<EmbeddedDatabase> {
  const folder = await temporaryFolder(title);
  return { url: `sqlite:${join(folder, 'chronos.db')}`, drop: () => removeFolder(folder) };
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

export function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0]!;
}
