import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
afterAll(() => Promise.all(made.map((dir) => rm(dir, { recursive: true, force: true }))));

/** A new folder with these files, gone after the test file. */
export async function hostFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'chronos-host-'));
  made.push(dir);
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  return dir;
}
