import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variants } from '../variants.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The drivers as one file of JavaScript in `folder`: Node 20 cannot read TypeScript. */
async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'src/drivers/open.ts')],
    outfile: join(folder, 'open.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
}

describe('a process', () => {
  let inside: string;
  let outside: string;
  beforeAll(async () => {
    await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
    inside = await mkdtemp(join(root, 'node_modules/.cache/drivers-'));
    outside = await mkdtemp(join(tmpdir(), 'chronos-no-drivers-'));
    await bundle(inside);
    await bundle(outside);
    const script = `
      import { openConnection } from './open.mjs';
      const db = await openConnection(process.argv[2]);
      const text = 'select 1 as one';
      const one = { name: 'one', key: 'one', text, order: [] };
      await Promise.all([db.rows(one, {}), db.rows(one, {}), db.transaction((tx) => tx.rows(one, {}))]);
      await db.close();
      console.log('closed');`;
    await writeFile(join(inside, 'closes.mjs'), script);
    const missing = `
      import { openConnection } from './open.mjs';
      for (const url of process.argv.slice(2)) {
        await openConnection(url).catch(({ code, reason, message, hint }) => console.log(JSON.stringify({ code, reason, message, hint })));
      }`;
    await writeFile(join(outside, 'missing.mjs'), missing);
  });
  afterAll(async () => {
    await rm(inside, { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });

  it.each(variants)('ends by itself after close: $name', async (variant) => {
    const { url } = await variant.createDatabase('drivers_exit');
    const { stdout, stderr } = await run(process.execPath, [join(inside, 'closes.mjs'), url], {
      timeout: 50_000,
    });
    expect({ stdout, stderr }).toEqual({ stdout: 'closed\n', stderr: '' });
  });

  it('loads no driver before a target asks for it, and names the package to install', async () => {
    const urls = ['sqlite::memory:', 'postgres://h/d', 'mysql://h/d', 'pglite:memory'];
    const { stdout } = await run(process.execPath, [join(outside, 'missing.mjs'), ...urls], {
      timeout: 50_000,
    });
    const errors = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const packages = ['better-sqlite3', 'pg', 'mysql2', '@electric-sql/pglite'];
    expect(errors).toEqual(
      packages.map((name) => ({
        code: 'UNSUPPORTED',
        reason: 'DRIVER_MISSING',
        message: `this target needs the package ${name}, which is not installed`,
        hint: `run \`npm install ${name}\``,
      })),
    );
  });
});
