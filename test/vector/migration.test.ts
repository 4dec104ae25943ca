import { describe, expect, it } from 'vitest';
import { openStorage, type VectorStore } from '../../src/index.ts';
import { createMigrator } from '../../src/migrate/index.ts';
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
    const down = async () => {
      const migrator = createMigrator(url);
      return migrator.down({ yes: true }).finally(() => migrator.close());
    };
    const up = createMigrator(url);
    await up.up();
    await up.close();
    await within(async (vectors) => {
      await vectors.createCollection('docs', 2);
      await vectors.upsert('docs', [{ id: 'a', vector: [1, 1] }]);
    });
    await expect(down()).rejects.toMatchObject({ reason: 'MIGRATION_FAILED' });
    await within(async (vectors) => {
      expect(await vectors.count('docs')).toBe(1);
      await vectors.dropCollection('docs');
    });
    expect((await down()).pending).toEqual(['chronos:0003_vectors']);
  });
});
