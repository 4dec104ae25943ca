import { describe, expect, it } from 'vitest';
import { openStorage, type VectorStore } from '../../src/index.ts';
import type { DownOptions, Migrator } from '../../src/migrate/index.ts';
import { migrating } from '../migrate/migrating.ts';
import { oneOfEachDriver } from '../variants.ts';
import { withVectors } from './variants.ts';

describe.each(oneOfEachDriver.filter(withVectors))('0003_vectors on $name', ({ createDatabase }) => {
  it('is not reverted while there are collections, whose tables would stay behind', async () => {
    const { url } = await createDatabase('down');
    const within = async (work: (vectors: VectorStore) => Promise<unknown>) => {
      const storage = await openStorage(url);
      await work(storage.vectors());
      await storage.close();
    };
    const told: string[] = [];
    const migrator = <T>(work: (migrator: Migrator) => Promise<T>): Promise<T> =>
      migrating(url, { onProgress: ({ kind }) => told.push(kind) }, work);
    await migrator((m) => m.up());
    told.length = 0;
    await within(async (vectors) => {
      await vectors.createCollection('docs', 2);
      await vectors.upsert('docs', [{ id: 'a', vector: [1, 1] }]);
    });
    const refusal = (message: RegExp, hint: string) => ({
      reason: 'IRREVERSIBLE',
      migration: 'chronos:0003_vectors',
      message: expect.stringMatching(message),
      hint,
    });
    const one = refusal(/: 1 vector collection is left: /, 'call dropCollection of it first: "docs"');
    const ways: DownOptions[] = [{ yes: true }, {}, { to: '0', yes: true }];
    for (const way of ways) await expect(migrator((m) => m.down(way))).rejects.toMatchObject(one);
    const names = Array.from({ length: 9 }, (_, i) => `${i}`.repeat(100));
    await within(async (vectors) => {
      for (const name of names) await vectors.createCollection(name, 2, { index: 'none' });
    });
    const shown = ['docs', ...names.slice(0, 7).map((name) => name.slice(0, 60))];
    const hint = `call dropCollection of each first: ${shown.map((name) => `"${name}"`).join(', ')} and 2 more`;
    const many = refusal(/: 10 vector collections are left: /, hint);
    await expect(migrator((m) => m.down({ yes: true }))).rejects.toMatchObject(many);
    expect(told).toEqual([]);
    const history = await migrator((m) => m.history());
    expect(history.every(({ direction }) => direction === 'up')).toBe(true);
    await within(async (vectors) => {
      expect(await vectors.count('docs')).toBe(1);
      for (const name of ['docs', ...names]) await vectors.dropCollection(name);
    });
    const { pending } = await migrator((m) => m.down({ yes: true }));
    expect(pending).toEqual(['chronos:0003_vectors']);
  });
});
