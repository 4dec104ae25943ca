// Writes every derived file of the repository, or with --check says which are not current and exits 1.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { embedded } from './generate/embedded.mjs';
import { golden } from './generate/golden.mjs';
import { prismaVariants } from './generate/prisma.mjs';

const root = resolve(import.meta.dirname, '..');
const check = process.argv.includes('--check');
/** @type {Array<(root: string) => Promise<Map<string, string>>>} each gives path → text */
const parts = [embedded, prismaVariants, golden];

let stale = 0;
for (const part of parts) {
  for (const [path, text] of await part(root)) {
    const file = resolve(root, path);
    const now = await readFile(file, 'utf8').catch(() => '');
    if (now === text) continue;
    stale += 1;
    console.log(`${check ? 'not current' : 'written'}: ${relative(root, file)}`);
    if (!check) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}
if (check && stale > 0) {
  console.error('run `npm run generate` and commit what it writes');
  process.exitCode = 1;
}
