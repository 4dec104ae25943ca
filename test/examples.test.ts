import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Place, readPages, type Snippet, SnippetRunner, snippetsIn } from './snippets.ts';
import { variants } from './variants.ts';

const root = resolve(import.meta.dirname, '..');
const pages = await readPages();
const found = pages.flatMap(([page, text]) => snippetsIn(page, text));
const at = (place: Place): readonly Snippet[] => found.filter((one) => one.place === place);

/** One of them is the whole conformance suite. */
const PATIENCE = 300_000;

let runner: SnippetRunner;

beforeAll(async () => {
  runner = await SnippetRunner.start();
});
afterAll(() => runner.stop());

async function check(snippet: Snippet, env?: NodeJS.ProcessEnv): Promise<void> {
  const stdout = await runner.run(snippet, env);
  if (snippet.printed !== undefined) expect(stdout).toBe(snippet.printed);
}

describe('documentation', () => {
  it.each(at('embedded'))(
    '$page, snippet $number runs and prints what it says',
    (snippet) => check(snippet),
    PATIENCE,
  );

  it.each(at('prisma'))('$page, snippet $number runs beside a Prisma client', async (snippet) => {
    await runner.generatePrisma();
    await check(snippet);
  });

  for (const { name, language, serverUrl, createDatabase } of variants) {
    if (serverUrl === undefined || language === 'sqlite') continue;
    it.each(at(language))(`$page, snippet $number runs on ${name}`, async (snippet) => {
      const { url } = await createDatabase('snippet');
      await runner.migrate(url);
      await check(snippet, { DATABASE_URL: url });
    });
  }

  it('has snippets in the README and the docs', () => {
    expect(new Set(found.map(({ page }) => page.split('/')[0]))).toEqual(new Set(['README.md', 'docs']));
    expect(found.filter(({ printed }) => printed !== undefined)).not.toHaveLength(0);
  });

  it.each(pages)('%s links to files that exist', async (page, text) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    for (const link of links) {
      const path = resolve(root, page, '..', link);
      const entries = await readdir(resolve(path, '..'));
      expect(entries, `${page} → ${link}`).toContain(path.split('/').at(-1));
    }
  });

  it('has an entry for every code and every reason of an error', async () => {
    const source = await readFile(resolve(root, 'src/errors.ts'), 'utf8');
    const words = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, word]) => word);
    const text = new Map(pages).get('docs/errors.md') ?? '';
    const entries = [...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, word]) => word);
    expect(entries.sort()).toEqual(words.sort());
  });
});
