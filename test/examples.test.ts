import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from './build.ts';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);
/** Inside the package, so that a snippet's `chronos-storage` is this one. */
const snippets = join(root, 'test/.examples');
const BLOCK = /```js\n([\s\S]*?)```(?:\n+It prints\n+```\n([\s\S]*?)```)?/g;

const pages = ['README.md', ...(await readdir(join(root, 'docs'))).sort().map((name) => `docs/${name}`)];
const texts = await Promise.all(
  pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const),
);
const found = texts.flatMap(([page, text]) =>
  [...text.matchAll(BLOCK)].map(([, code = '', printed], i) => ({ page, i, code, printed })),
);

let folder: string;
let cli: string;

beforeAll(async () => {
  cli = join(await ensureBuilt(), 'cli/main.js');
  folder = await mkdtemp(join(tmpdir(), 'chronos-examples-'));
  await mkdir(snippets, { recursive: true });
  await run(process.execPath, [cli, 'up'], { cwd: folder });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(snippets, { recursive: true });
});

describe('documentation', () => {
  it.each(found)('$page, snippet $i runs and prints what it says', async ({ page, i, code, printed }) => {
    const file = join(snippets, `${page.replace(/\W/g, '-')}-${i}.mjs`);
    await writeFile(file, code);
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    if (printed !== undefined) expect(stdout).toBe(printed);
  });

  it('has snippets in the README and the docs', () => {
    expect(new Set(found.map(({ page }) => page.split('/')[0]))).toEqual(new Set(['README.md', 'docs']));
    expect(found.filter(({ printed }) => printed !== undefined)).not.toHaveLength(0);
  });

  it.each(texts)('%s links to files that exist', async (page, text) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    for (const link of links) {
      const path = resolve(root, page, '..', link);
      const entries = await readdir(resolve(path, '..'));
      expect(entries, `${page} → ${link}`).toContain(path.split('/').at(-1));
    }
  });
});
