import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import { oneOfEachDriver } from '../variants.ts';
import { withVectors } from './variants.ts';

const ROWS = 50_000;
const IDS = 100_000;

describe.each(oneOfEachDriver.filter(withVectors))('many rows on $name', ({ createDatabase }) => {
  let storage: Storage;

  beforeAll(async () => {
    storage = await openStorage((await createDatabase('volume')).url);
    await storage.migrate();
    await storage.vectors().createCollection('docs', 4, { metric: 'l2', index: 'none' });
  });
  afterAll(() => storage.close());

  it('50 000 in one upsert, 100 000 ids in one delete, a failed one leaves nothing', async () => {
    const vectors = storage.forTenant(newId()).vectors();
    const rows = Array.from({ length: ROWS }, (_, i) => ({
      id: String(i),
      vector: [i % 100, 0, 0, 1],
      metadata: { i },
    }));
    const wrong = [...rows, { id: 'wrong', vector: [1, 2, 3] }];
    await expect(vectors.upsert('docs', wrong)).rejects.toMatchObject({
      argument: `embeddings[${ROWS}].vector`,
    });
    expect(await vectors.count('docs')).toBe(0);
    await vectors.upsert('docs', rows);
    expect(await vectors.count('docs')).toBe(ROWS);
    const nearest = await vectors.search('docs', [7, 0, 0, 1], 3);
    const near = rows.filter(({ vector }) => vector[0] === 7).map(({ id }) => id);
    expect(nearest.map(({ id, score }) => [id, score])).toEqual(
      near
        .sort()
        .slice(0, 3)
        .map((id) => [id, 1]),
    );
    const ids = Array.from({ length: IDS }, (_, i) => String(i + 1));
    expect(await vectors.delete('docs', ids)).toBe(ROWS - 1);
    expect((await vectors.search('docs', [0, 0, 0, 1])).map(({ id }) => id)).toEqual(['0']);
  }, 300_000);
});
