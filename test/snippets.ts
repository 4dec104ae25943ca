import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ensureBuilt } from './build.ts';
import { generatePrisma } from './schema/generated-prisma.ts';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Where a snippet runs: on the embedded default, on each server of a language, or beside a Prisma client. */
export type Place = 'embedded' | 'postgres' | 'mysql' | 'prisma';

/** A program in a page: a block of ```js, or ```js with a place, and what the page says that it prints. */
export interface Snippet {
  readonly page: string;
  /** From 1. */
  readonly number: number;
  readonly place: Place;
  readonly code: string;
  readonly printed: string | undefined;
}

const BLOCK = /```js(?: (postgres|mysql|prisma))?\n([\s\S]*?)```(?:\n+It prints\n+```\n([\s\S]*?)```)?/g;

/** The README and the pages of docs/, by path. */
export async function readPages(): Promise<readonly (readonly [page: string, text: string])[]> {
  const pages = ['README.md', ...(await readdir(join(root, 'docs'))).sort().map((name) => `docs/${name}`)];
  return Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const));
}

export function snippetsIn(page: string, text: string): readonly Snippet[] {
  return [...text.matchAll(BLOCK)].map(([, place = 'embedded', code = '', printed], i) => ({
    page,
    number: i + 1,
    place: place as Place,
    code,
    printed,
  }));
}

/** Runs snippets with the package as it is now, in a folder with a migrated ledger. */
export class SnippetRunner {
  readonly #cli: string;
  readonly #folder: string;

  private constructor(cli: string, folder: string) {
    this.#cli = cli;
    this.#folder = folder;
  }

  static async start(): Promise<SnippetRunner> {
    const cli = join(await ensureBuilt(), 'cli/main.js');
    // Inside the built package, so that a snippet's `chronos-storage` is this one.
    const runner = new SnippetRunner(cli, await mkdtemp(join(cli, '../../../snippets-')));
    await runner.migrate('sqlite:./chronos.db');
    return runner;
  }

  async stop(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  async migrate(url: string): Promise<void> {
    await run(process.execPath, [this.#cli, 'up', '--url', url], { cwd: this.#folder });
  }

  /** A client of the ledger's own schema where a host has one, as JavaScript. */
  async generatePrisma(): Promise<void> {
    const { clientModule } = await generatePrisma('sqlite');
    await mkdir(join(this.#folder, 'generated/prisma'), { recursive: true });
    await build({
      entryPoints: [clientModule],
      outfile: join(this.#folder, 'generated/prisma/client.js'),
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
  }

  /** What a snippet prints. */
  async run({ page, number, code }: Snippet, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const file = join(this.#folder, `${page.replace(/\W/g, '-')}-${number}.mjs`);
    await writeFile(file, code);
    const { stdout } = await run(process.execPath, [file], {
      cwd: this.#folder,
      env: { ...process.env, ...env },
    });
    return stdout;
  }
}
