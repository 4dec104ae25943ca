import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('importing the package loads neither knex, nor umzug, nor a driver', async () => {
  const bundle = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    splitting: true,
    outdir: 'out',
    metafile: true,
  });
  const entry = bundle.metafile.outputs['out/index.js'];
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of bundle.metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next);
    }
  };
  visit('out/index.js');
  expect(entry).toBeDefined();
  const packages = [...seen].filter((path) => !path.startsWith('out/') && !path.startsWith('node:'));
  expect(packages).toEqual([]);
});
