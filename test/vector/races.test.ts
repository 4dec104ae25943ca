import { fork } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Collection, openStorage } from '../../src/index.ts';
import { ensureBuilt } from '../build.ts';
import { oneOfEachDriver, variants } from '../variants.ts';
import { byHand } from './pg.ts';
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

const servers = variants.filter(({ driver }) => driver === 'pg').filter(withVectors);

describe.each(servers)('removals at once on $name', ({ createDatabase }) => {
  it('deleteAll leaves nothing, though others take rows of its batches', async () => {
    const { url } = await createDatabase('removals');
    const storage = await openStorage(url);
    await storage.migrate();
    const vectors = storage.vectors();
    await vectors.createCollection('docs', 1, { metric: 'l2', index: 'none' });
    const rows = Array.from({ length: 5000 }, (_, i) => ({ id: String(i), vector: [i] }));
    await vectors.upsert('docs', rows);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    // Of any batch, in whatever order they are found.
    const table = 'chronos.chronos_vectors_1';
    await other.query('begin');
    const taken = await other.query(`delete from ${table} where embedding <-> '[0]' < 4500`);
    const removing = vectors.deleteAll('docs');
    const blocked =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await byHand(url, blocked)).length === 0);
    await other.query('commit');
    await other.end();
    expect(taken.rowCount).toBe(4500);
    expect(await removing).toBe(500);
    expect(await vectors.count('docs')).toBe(0);
    await storage.close();
  });

  it('deleteSession and deleteTenant see a collection that was dropped, or made anew, elsewhere', async () => {
    const { url } = await createDatabase('elsewhere');
    const [one, other] = [await openStorage(url), await openStorage(url)];
    await one.migrate();
    const make = async () => {
      await other.vectors().createCollection('docs', 1, { metric: 'l2' });
      await other.vectors().upsert('docs', [{ id: 'a', vector: [1], metadata: { sessionId: 's' } }]);
    };
    const told = { vectors: { collections: ['docs'] } };
    await make();
    expect(await one.vectors().count('docs')).toBe(1);
    await other.vectors().dropCollection('docs');
    await make();
    expect(await one.deleteSession('s', told)).toMatchObject({ vectors: 1 });
    expect(await one.vectors().count('docs')).toBe(0);
    await other.vectors().dropCollection('docs');
    await expect(one.deleteSession('s', told)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await one.deleteTenant('default')).not.toHaveProperty('vectors');
    await one.close();
    await other.close();
  });
});
