import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from './build.ts';
import { generatePrisma } from './schema/generated-prisma.ts';
import { oneOfEachDriver } from './variants.ts';
import { withVectors } from './vector/variants.ts';

const root = resolve(import.meta.dirname, '..');
const HOTELS = 'test/data/vectors/hotels-50x1536-te3-small.json.gz';

let folder: string;

beforeAll(async () => {
  const built = resolve(await ensureBuilt(), '..');
  // Beside the build's package.json, so that its `chronos-storage` is this one as it is now.
  folder = await mkdtemp(join(built, 'vectors-'));
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  await cp(join(root, HOTELS), join(folder, 'hotels.json.gz'));
});
afterAll(() => rm(folder, { recursive: true }));

async function printed(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
}

const engines = oneOfEachDriver.filter(withVectors);

it.each(engines)('rag on $name finds, and tells the ledger', async ({ createDatabase }) => {
  const { url } = await createDatabase('rag');
  const lines = (await printed('examples/rag.mjs', url, 'hotels.json.gz')).trimEnd().split('\n');
  expect(lines).toHaveLength(13);
  expect(lines[0]).toBe('like Stay-Kay City Hotel, {}');
  // Itself comes first, at a distance of nothing.
  expect(lines[1]).toMatch(/^ {2}1\.000 Stay-Kay City Hotel: This classic hotel/);
  expect(lines.at(-1)).toBe('3 retrievals in the ledger');
});

describe.each(engines.filter(({ driver }) => driver === 'pg'))("a host's own queries on $name", (variant) => {
  it('by knex', async () => {
    const { url } = await variant.createDatabase('knex');
    expect(await printed('examples/pgvector/knex.mjs', url)).toBe('orange, red\n2\n');
  });

  it('by Prisma', async () => {
    const { url } = await variant.createDatabase('prisma');
    const { clientModule } = await generatePrisma('postgres');
    const outfile = join(folder, 'client.js');
    await build({
      entryPoints: [clientModule],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const lines = await printed('examples/pgvector/prisma.mjs', url, outfile);
    expect(lines).toBe('orange, red\norange, red\n1\n');
  });
});
