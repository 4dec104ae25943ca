import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import { oneOfEachDriver, variants } from '../variants.ts';
import { withVectors } from './variants.ts';

const UNDO = new Error('undo');

describe.each(oneOfEachDriver.filter(withVectors))(
  'vectors beside the ledger on $name',
  ({ createDatabase }) => {
    let root: Storage;

    beforeAll(async () => {
      root = await openStorage((await createDatabase('beside')).url);
      await root.migrate();
      await root.vectors().createCollection('docs', 2, { metric: 'l2' });
      await root.vectors().createCollection('notes', 2, { metric: 'l2' });
    });
    afterAll(() => root.close());

    const tenant = () => {
      const name = newId();
      return { name, storage: root.forTenant(name) };
    };
    const retrieval = (id: string) => ({ id, sessionId: 's', type: 'retrieval', payload: { found: 1 } });
    const row = (id: string, sessionId = 's') => ({ id, vector: [1, 1], metadata: { sessionId } });

    it('commits a vector and an event together, or neither', async () => {
      const { storage } = tenant();
      await storage.transaction(async (tx) => {
        await tx.vectors().upsert('docs', [row('a')]);
        await tx.appendEvent(retrieval('e1'));
        expect(await tx.vectors().search('docs', [1, 1])).toHaveLength(1);
      });
      const undone = storage.transaction(async (tx) => {
        await tx.appendEvent(retrieval('e2'));
        await tx.vectors().upsert('docs', [row('b')]);
        await tx.vectors().delete('docs', ['a']);
        throw UNDO;
      });
      await expect(undone).rejects.toBe(UNDO);
      expect(await storage.vectors().get('docs', ['a', 'b'])).toMatchObject([{ id: 'a' }]);
      expect(await storage.countEvents('s')).toBe(1);
    });

    it('leaves a transaction usable after what cannot be', async () => {
      const { storage } = tenant();
      await storage.transaction(async (tx) => {
        const vectors = tx.vectors();
        await expect(vectors.count('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(vectors.upsert('docs', [{ id: 'a', vector: [1] }])).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
        });
        await vectors.upsert('docs', [row('a')]);
      });
      expect(await storage.vectors().count('docs')).toBe(1);
    });

    it('makes and indexes no collection inside, and refuses a transaction that has ended', async () => {
      const vectors = await root.transaction(async (tx) => {
        const inside = tx.vectors();
        await expect(inside.createCollection('never', 2)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
        await expect(inside.ensureIndex('docs')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
        await expect(root.vectors().count('docs')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
        return inside;
      });
      await expect(vectors.count('docs')).rejects.toMatchObject({ code: 'CLOSED' });
    });

    it('deleteSession takes along what it is told to, in its transaction', async () => {
      const { storage } = tenant();
      const vectors = storage.vectors();
      const rows = [row('a'), row('b', 'other'), { id: 'c', vector: [0, 0] }];
      for (const name of ['docs', 'notes']) await vectors.upsert(name, rows);
      await storage.appendEvent(retrieval('e'));
      const missing = storage.deleteSession('s', { vectors: { collections: ['docs', 'nobody'] } });
      await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect([await vectors.count('docs'), await storage.countEvents('s')]).toEqual([3, 1]);
      const told = { vectors: { collections: ['docs', 'docs'] } };
      expect(await storage.deleteSession('s', told)).toMatchObject({ events: 1, vectors: 1 });
      expect(await storage.deleteSession('s', told)).toMatchObject({ events: 0, vectors: 0 });
      expect((await vectors.search('docs', [0, 0])).map(({ id }) => id)).toEqual(['c', 'b']);
      expect(await vectors.count('notes')).toBe(3);
      expect(await storage.deleteSession('s')).not.toHaveProperty('vectors');
      await vectors.upsert('docs', [{ id: 'd', vector: [0, 0], metadata: { run: { session: 's' } } }]);
      const elsewhere = { vectors: { collections: ['docs'], path: 'run.session' } };
      expect(await storage.deleteSession('s', elsewhere)).toMatchObject({ vectors: 1 });
      for (const [options, argument] of [
        [{ vectors: 'docs' }, 'vectors'],
        [{ vectors: { collections: 'docs' } }, 'vectors.collections'],
        [{ vectors: { collections: [''] } }, 'vectors.collections[0]'],
        [{ vectors: { collections: [], path: 7 } }, 'vectors.path'],
        [{ vectors: { collections: [], paths: 'id' } }, 'vectors.paths'],
        [{ vector: { collections: [] } }, 'vector'],
      ] as const) {
        await expect(storage.deleteSession('s', options as never)).rejects.toMatchObject({ argument });
      }
    });

    it('deleteTenant takes all of a tenant along, and nothing of others', async () => {
      const [gone, stays] = [tenant(), tenant()];
      for (const { storage } of [gone, stays]) {
        for (const name of ['docs', 'notes']) await storage.vectors().upsert(name, [row('a'), row('b')]);
      }
      expect(await gone.storage.deleteTenant(gone.name)).toMatchObject({ vectors: 4 });
      expect(await gone.storage.deleteTenant(gone.name)).not.toHaveProperty('vectors');
      expect(await gone.storage.vectors().count('docs')).toBe(0);
      expect(await stays.storage.vectors().count('docs')).toBe(2);
    });

    it('ends with its storage', async () => {
      const { url } = { url: 'sqlite::memory:' };
      const storage = await openStorage(url);
      const vectors = storage.vectors();
      await vectors.close();
      await storage.ping();
      await storage.close();
      await expect(vectors.count('docs')).rejects.toMatchObject({ code: 'CLOSED' });
    });
  },
);

describe.each(variants.filter(({ language }) => language === 'mysql'))('$name', ({ createDatabase }) => {
  it('has no vectors, and says where they may be', async () => {
    const storage = await openStorage((await createDatabase('vectors')).url);
    try {
      await storage.migrate();
      expect(() => storage.vectors()).toThrow(
        expect.objectContaining({ code: 'UNSUPPORTED', hint: expect.stringContaining('vectorDsn') }),
      );
      const told = storage.deleteSession('s', { vectors: { collections: ['docs'] } });
      await expect(told).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      expect(await storage.deleteSession('s')).toMatchObject({ sessions: 0 });
    } finally {
      await storage.close();
    }
  });
});
