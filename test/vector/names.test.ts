import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage, type VectorStore } from '../../src/index.ts';
import { oneOfEachDriver } from '../variants.ts';
import { withVectors } from './variants.ts';

const file = new URL('../data/strings/blns.json', import.meta.url);
const LISTED = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
const OURS = [
  'chronos_events',
  'chronos_vectors_1',
  'chronos_vector_collections',
  'x"; drop table chronos_vector_collections; --',
  "x'; drop table chronos_events; --",
  'a.b.c',
  'x'.repeat(255),
  '😀'.repeat(255),
  `${'x'.repeat(254)} `,
  `${'x'.repeat(62)}1`,
  `${'x'.repeat(62)}2`,
];
/** Strings that are names: not empty, of at most 255 code points, without NUL. */
const STRINGS = [...new Set([...OURS, ...LISTED])]
  .filter((text) => text !== '' && [...text].length <= 255 && !text.includes('\0'))
  .slice(0, 300);

describe.each(oneOfEachDriver.filter(withVectors))('300 strings on $name', ({ createDatabase }) => {
  let storage: Storage;
  let vectors: VectorStore;

  beforeAll(async () => {
    storage = await openStorage((await createDatabase('names')).url);
    await storage.migrate();
    vectors = storage.vectors();
  });
  afterAll(() => storage.close());

  it('as names of collections: each its own', async () => {
    expect(STRINGS).toHaveLength(300);
    for (const name of STRINGS) await vectors.createCollection(name, 1, { metric: 'l2', index: 'none' });
    for (const [i, name] of STRINGS.entries()) await vectors.upsert(name, [{ id: 'a', vector: [i] }]);
    for (const [i, name] of STRINGS.entries()) {
      expect(await vectors.search(name, [i]), name).toEqual([{ id: 'a', score: 1 }]);
    }
    const listed = (await vectors.listCollections()).map(({ name }) => name);
    expect(listed).toEqual(STRINGS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(await storage.countEvents('s')).toBe(0);
  }, 300_000);

  it('as ids, contents and metadata: each its own', async () => {
    await vectors.createCollection('of ids', 1, { metric: 'l2', index: 'none' });
    const rows = STRINGS.map((id, i) => ({ id, vector: [i], content: id, metadata: { [id]: id, i } }));
    await vectors.upsert('of ids', rows);
    const stored = await vectors.get('of ids', STRINGS);
    expect(stored).toEqual(rows.map((row) => ({ ...row, vector: new Float32Array(row.vector) })));
    for (const id of STRINGS.slice(0, 100)) {
      const found = await vectors.search('of ids', [0], 2, {
        filter: { i: { $exists: true }, $not: { i: id } },
      });
      expect(found).toHaveLength(2);
    }
    expect(await vectors.delete('of ids', STRINGS.slice(0, 150))).toBe(150);
    expect((await vectors.get('of ids', STRINGS)).map(({ id }) => id)).toEqual(STRINGS.slice(150));
  });
});
