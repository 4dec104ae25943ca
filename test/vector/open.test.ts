import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, openVectorStore } from '../../src/index.ts';

/** Nothing listens there: whoever connects to it fails. */
const NOWHERE = 'mysql://root@127.0.0.1:1/nothing';

describe('openVectorStore', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vectors-'));
    path = join(folder, 'vectors.db');
    const storage = await openStorage(path);
    await storage.migrate();
    await storage.close();
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('opens by URL and by every form of a Config, and ends what it opened', async () => {
    const targets = [
      path,
      { backend: 'sqlite', dsn: path },
      { backend: 'sqlite', dsn: path, vectorBackend: 'sqlite-vec' },
      { backend: 'mysql', dsn: NOWHERE, vectorBackend: 'sqlite-vec', vectorDsn: path },
      { backend: 'mysql', dsn: NOWHERE, vectorDsn: `sqlite:${path}` },
    ] as const;
    for (const target of targets) {
      const vectors = await openVectorStore(target);
      await vectors.createCollection('docs', 2, { metric: 'l2' });
      await vectors.forTenant('t').upsert('docs', [{ id: 'a', vector: [1, 1] }]);
      expect(await vectors.forTenant('t').search('docs', [1, 1])).toEqual([{ id: 'a', score: 1 }]);
      await vectors.close();
      await vectors.close();
      await expect(vectors.count('docs')).rejects.toMatchObject({ code: 'CLOSED' });
    }
  });

  it('refuses a Config that can never work, without connecting', async () => {
    const config = { backend: 'mysql', dsn: NOWHERE } as const;
    for (const [given, argument] of [
      [{ ...config, vectorBackend: 'sqlite-vec' }, 'vectorDsn'],
      [{ ...config, vectorBackend: 'pgvector' }, 'vectorDsn'],
      [{ ...config, vectorBackend: 'faiss', vectorDsn: path }, 'vectorBackend'],
    ] as const) {
      await expect(openVectorStore(given as never)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument,
      });
    }
  });

  it('refuses an option, and a member of a Config, that it has not', async () => {
    const config = { backend: 'sqlite', dsn: path } as const;
    for (const [target, options, argument] of [
      [path, { requireTenants: true }, 'requireTenants'],
      [path, { signal: AbortSignal.abort() }, 'signal'],
      [path, { pool: { maximum: 1 } }, 'pool.maximum'],
      [path, { pool: 1 }, 'pool'],
      [path, { ssl: { rejectUnauthorized: true } }, 'ssl.rejectUnauthorized'],
      [path, null, 'options'],
      [path, { ['x'.repeat(1000)]: 1 }, `${'x'.repeat(64)}…`],
      [{ ...config, vectorDSN: path }, {}, 'vectorDSN'],
    ] as const) {
      const refusal = { code: 'INVALID_ARGUMENT', argument };
      await expect(openVectorStore(target as never, options as never)).rejects.toMatchObject(refusal);
    }
    const absent = await openVectorStore(
      { ...config, vectorDSN: undefined } as never,
      { pool: undefined } as never,
    );
    await absent.close();
  });

  it('without migrations says what to run', async () => {
    const vectors = await openVectorStore('sqlite::memory:');
    await expect(vectors.createCollection('docs', 2)).rejects.toMatchObject({
      code: 'SCHEMA_OUT_OF_DATE',
      message: expect.stringContaining('npx chronos-migrate up'),
    });
    await vectors.close();
  });

  it('deleteTenant goes on when a collection is dropped meanwhile', async () => {
    const other = await openVectorStore(path);
    for (const name of ['a', 'b', 'c']) {
      await other.createCollection(name, 1, { metric: 'l2' });
      await other.forTenant('gone').upsert(name, [{ id: 'a', vector: [1] }]);
    }
    const host = new Database(path);
    const dropped = host.prepare("delete from chronos_vector_collections where name = 'b' returning number");
    const storage = await openStorage(path, {
      onStatement: ({ name }) => {
        if (name !== 'vectors.list') return;
        const { number } = dropped.get() as { number: number };
        host.exec(`drop table chronos_vectors_${number}`);
      },
    });
    expect(await storage.deleteTenant('gone')).toMatchObject({ vectors: 2 });
    await storage.close();
    host.close();
    for (const name of ['a', 'c']) await other.dropCollection(name);
    await other.close();
  });

  it('a collection that was dropped, or made anew, elsewhere is seen', async () => {
    const [one, other] = [await openVectorStore(path), await openVectorStore(path)];
    await one.createCollection('shared', 2, { metric: 'l2' });
    await one.upsert('shared', [{ id: 'a', vector: [1, 1] }]);
    await other.dropCollection('shared');
    await expect(one.delete('shared', [])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(one.count('shared')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await other.createCollection('shared', 3, { metric: 'l2' });
    await one.upsert('shared', [{ id: 'b', vector: [1, 1, 1] }]);
    await other.dropCollection('shared');
    await other.createCollection('shared', 1, { metric: 'l2' });
    await expect(one.upsert('shared', [{ id: 'b', vector: [1, 1, 1] }])).rejects.toMatchObject({
      argument: 'embeddings[0].vector',
    });
    await one.upsert('shared', [{ id: 'c', vector: [1] }]);
    expect(await other.count('shared')).toBe(1);
    await one.close();
    await other.close();
  });
});
