import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/chronos-builds');
const run = promisify(execFile);
const INPUTS = ['package.json', 'tsconfig.json', 'tsconfig.build.json'];
/** A build that takes longer than this (ms) has died and left its lock. */
const STALE = 120_000;
/** Builds of older sources are removed after this (ms). */
const OLD = 24 * 3_600_000;

/**
 * Builds the sources as they are now, once, whichever of the test processes comes first: child processes need
 * JavaScript, since Node 20 cannot strip types. Resolves to a `dist` folder beside a package.json, which nobody
 * changes afterwards, so that a build elsewhere disturbs no test that runs.
 */
export async function ensureBuilt(): Promise<string> {
  const folder = join(cache, await fingerprint());
  const lock = `${folder}.lock`;
  await mkdir(cache, { recursive: true });
  for (;;) {
    if (await exists(folder)) return join(folder, 'dist');
    if (await isTaken(lock)) {
      await sleep(200);
      continue;
    }
    try {
      if (!(await exists(folder))) await build(folder);
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
}

async function build(folder: string): Promise<void> {
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(draft, 'dist')], {
      cwd: root,
    });
  } catch (error) {
    // What does not type-check is reported by `npm run check`; what was emitted runs all the same.
    if (!(await exists(draft))) throw error;
  }
  // Below node_modules the real one is out of sight.
  await cp(join(root, 'package.json'), join(draft, 'package.json'));
  await rename(draft, folder);
  await sweep();
}

async function sweep(): Promise<void> {
  for (const name of await readdir(cache)) {
    if (await isOlder(join(cache, name), OLD)) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Takes the lock, a folder; true when another process has it. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return false;
  } catch {
    if (await isOlder(lock, STALE)) await rm(lock, { recursive: true, force: true });
    return true;
  }
}

async function isOlder(path: string, ms: number): Promise<boolean> {
  const made = (await stat(path).catch(() => undefined))?.mtimeMs;
  return made !== undefined && Date.now() - made > ms;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Of everything that the build reads. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of INPUTS) hash.update(await readFile(join(root, name)));
  const source = join(root, 'src');
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  for (const name of names.sort()) hash.update(name).update(await readFile(join(source, name)));
  return hash.digest('hex').slice(0, 16);
}
