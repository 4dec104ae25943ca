// Builds dist/ from src/: compiled beside it first, then put in its place at once, so that a process that
// runs from dist/ meanwhile sees the old files or the new ones.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');
const fresh = resolve(root, `node_modules/.chronos-build-${process.pid}`);
const old = `${fresh}.old`;

try {
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    cwd: root,
    stdio: 'inherit',
  });
  chmodSync(resolve(fresh, 'cli/main.js'), 0o755);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} catch (error) {
  // The compiler has said what is wrong; a stack of ours would hide it.
  if (!(error instanceof Error && 'status' in error)) throw error;
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}
