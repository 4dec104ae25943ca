import { fork } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Collection, openStorage } from '../../src/index.ts';
import { ensureBuilt } from '../build.ts';
import { oneOfEachDriver } from '../variants.ts';
import { withVectors } from './variants.ts';

const PROCESSES = 8;

/** Makes a collection in so many processes, which begin together; what each was told. */
async function makeAtOnce(target: string, name: string): Promise<readonly Collection[]> {
  const dist = await ensureBuilt();
  const script = join(import.meta.dirname, 'collection-child.mjs');
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = fork(script, [dist, target, name], { serialization: 'advanced' });
      const result = new Promise<Collection>((resolve, reject) => {
        child.on('message', (message) => {
          if (message !== 'ready') resolve(message as Collection);
        });
        child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)));
      });
      await Promise.race([new Promise((ready) => child.once('message', ready)), result]);
      return { child, result };
    }),
  );
  for (const { child } of children) child.send('go');
  return Promise.all(children.map(({ result }) => result));
}

// One process at a time opens a folder of PGlite.
const shared = oneOfEachDriver.filter(withVectors).filter(({ driver }) => driver !== 'pglite');

describe.each(shared)('$name', ({ createDatabase }) => {
  it('8 processes that make one collection make it once, the extension too', async () => {
    const { url } = await createDatabase('races');
    const storage = await openStorage(url);
    await storage.migrate();
    await storage.close();
    const made = await makeAtOnce(url, 'docs');
    expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(1);
    const after = await openStorage(url);
    expect(await after.vectors().listCollections()).toEqual([made[0]]);
    for (const id of ['a', 'b']) await after.vectors().upsert('docs', [{ id, vector: [1, 2, 3] }]);
    expect(await after.vectors().count('docs')).toBe(2);
    await after.close();
  }, 120_000);
});
