import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from '../errors.ts';
import type { CodeMigration } from './knex-host.ts';

/** How often what a file exports may stand in a `default`; one may be its own. */
const WRAPS = 3;
/** Longest time to load a file (ms). */
const LOADS = 30_000;
const TYPESCRIPT = /\.[cm]?ts$/i;

/**
 * What a JavaScript or TypeScript file exports, by name or by default. TypeScript is loaded by Node where it can,
 * else by the package `jiti`. Throws InvalidArgumentError USAGE or DRIVER_MISSING that names the file.
 */
export async function loadCode(path: string): Promise<CodeMigration> {
  const found = exportsOf(await bounded(path, load(path)));
  const { up, down, checksum } = found;
  if (typeof up !== 'function')
    throw unusable(path, 'exports no function up', 'export async function up({ knex })');
  if (down !== undefined && typeof down !== 'function') {
    throw unusable(
      path,
      'its down is not a function',
      'export async function down({ knex }), or leave it out',
    );
  }
  if (checksum !== undefined && (typeof checksum !== 'string' || checksum.length > 64 || checksum === '')) {
    throw unusable(path, 'its checksum is not a text of 1 to 64 characters', 'mend it, or leave it out');
  }
  return found as unknown as CodeMigration;
}

async function load(path: string): Promise<unknown> {
  try {
    const url = pathToFileURL(path).href;
    if (!TYPESCRIPT.test(path) || readsTypescript()) return await import(url);
    const { createJiti } = await import('jiti').catch(jitiMissing);
    return await createJiti(import.meta.url).import(path);
  } catch (cause) {
    if (cause instanceof InvalidArgumentError) throw cause;
    const problem = `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw unusable(path, problem, 'run the file alone with node to see why', cause);
  }

  function jitiMissing(cause: unknown): never {
    throw new InvalidArgumentError('dir', `${path}: this Node does not load TypeScript`, {
      reason: 'DRIVER_MISSING',
      hint: 'npm install jiti, or write it in JavaScript',
      cause,
    });
  }
}

/** A top-level await that never ends would keep every command waiting, or end the process without a word. */
async function bounded<T>(path: string, loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = `cannot be loaded: it had not ended after ${LOADS / 1000} s`;
    timer = setTimeout(() => reject(unusable(path, problem, 'move what it awaits into up')), LOADS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function readsTypescript(): boolean {
  const features: object = process.features;
  return 'typescript' in features && features.typescript !== false;
}

/** CommonJS has all it exports under `default`, and TypeScript compiled to it once more. */
function exportsOf(module: unknown, depth = 0): Readonly<Record<string, unknown>> {
  const own = module as Readonly<Record<string, unknown>>;
  const inner = own.default;
  const isWrapped = own.up === undefined && typeof inner === 'object' && inner !== null;
  return isWrapped && depth < WRAPS ? exportsOf(inner, depth + 1) : own;
}

function unusable(path: string, problem: string, hint: string, cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError('dir', `${path}: ${problem}`, { reason: 'USAGE', hint, cause });
}
