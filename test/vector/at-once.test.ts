import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../src/index.ts';
import { variants } from '../variants.ts';

describe.each(variants.filter(({ driver }) => driver === 'better-sqlite3'))(
  "vectors on a host's synchronous handle, $name",
  () => {
    let db: Database.Database;
    let storage: Storage;

    beforeAll(async () => {
      db = new Database(':memory:');
      storage = await openStorage(db);
      await storage.migrate();
      await storage.vectors().createCollection('docs', 2, { metric: 'l2' });
    });
    afterAll(async () => {
      await storage.close();
      db.close();
    });

    const stored = () => db.prepare('select count(*) as n from chronos_vectors_1').get();

    it('have run when a method returns, inside a transaction that takes no promises', async () => {
      const answers: Promise<unknown>[] = [];
      db.transaction(() => {
        const vectors = storage.using(db).vectors();
        answers.push(
          vectors.upsert(
            'docs',
            ['a', 'b', 'c'].map((id) => ({ id, vector: [1, 1] })),
          ),
        );
        expect(stored()).toEqual({ n: 3 });
        answers.push(vectors.search('docs', [1, 1], 1));
        answers.push(vectors.delete('docs', ['a', 'b']));
        expect(stored()).toEqual({ n: 1 });
      })();
      expect(await Promise.all(answers)).toEqual([undefined, [{ id: 'a', score: 1 }], 2]);
      expect(await storage.vectors().count('docs')).toBe(1);
    });

    it('refuses what can never be without ending the transaction', async () => {
      db.exec('begin');
      const vectors = storage.using(db).vectors();
      await expect(vectors.upsert('docs', [{ id: 'x', vector: [1] }])).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      await expect(vectors.count('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      db.exec('commit');
      await expect(vectors.count('docs')).rejects.toMatchObject({ argument: 'handle' });
    });
  },
);
