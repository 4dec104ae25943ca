import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll } from 'vitest';

let keeps = false;
let kept: { readonly url: string; readonly db: PGlite } | undefined;

/**
 * From now on this file stands on a PGlite of its own, open from one call to the next: a folder takes a second to open.
 * Only for files in which no other process opens the folder.
 */
export function keepPgliteOpen(): void {
  keeps = true;
  afterAll(forget);
}

/** What to open: the URL, or what stays open of it. */
export async function targetOf(url: string): Promise<string | PGlite> {
  if (!keeps || !url.startsWith('pglite:')) return url;
  if (kept?.url !== url) {
    await forget();
    kept = { url, db: await PGlite.create({ dataDir: url.slice('pglite:'.length), extensions: { vector } }) };
  }
  return kept.db;
}

async function forget(): Promise<void> {
  await kept?.db.close();
  kept = undefined;
}
