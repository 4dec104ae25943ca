import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, openVectorStore, type Storage } from '../../src/index.ts';
import { type Variant, variants } from '../variants.ts';
import { asRole, byHand } from './pg.ts';
import { withVectors } from './variants.ts';

const servers = variants.filter((variant) => variant.driver === 'pg');
const PASSWORD = 'of-a-test';

/** Roles belong to the whole server: a name for each test, dropped with what they own at its end. */
function roles(serverUrl: string) {
  const made: { readonly role: string; readonly url: string }[] = [];
  afterAll(async () => {
    for (const { role, url } of made) {
      await byHand(url, `drop owned by ${role} cascade`);
      await byHand(serverUrl, `drop owned by ${role} cascade`, `drop role ${role}`);
    }
  });
  return async (word: string, url: string): Promise<string> => {
    const role = `chronos_${word}_${process.pid}_${Date.now().toString(36)}`;
    await byHand(serverUrl, `create role ${role} login password '${PASSWORD}'`);
    made.push({ role, url });
    return role;
  };
}

async function migrated(url: string): Promise<void> {
  const storage = await openStorage(url);
  await storage.migrate();
  await storage.close();
}

function withPgvector({ name, serverUrl = '', createDatabase }: Variant): void {
  describe(`the extension on ${name}`, () => {
    const newRole = roles(serverUrl);

    it('is asked for by its statement, where a role may not make it', async () => {
      const { url } = await createDatabase('extension');
      const role = await newRole('plain', url);
      // It owns its tables, and may not create what belongs to the database.
      await byHand(url, `create schema chronos authorization ${role}`);
      const storage = await openStorage(asRole(url, role, PASSWORD));
      try {
        await storage.migrate();
        const vectors = storage.vectors();
        await expect(vectors.createCollection('docs', 3)).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          reason: 'EXTENSION_MISSING',
          message: expect.stringContaining('create extension vector;'),
          hint: 'as an administrator of this database run: create extension vector;',
        });
        expect(await vectors.listCollections()).toEqual([]);
        await byHand(url, 'create extension vector');
        await vectors.createCollection('docs', 3);
        await vectors.upsert('docs', [{ id: 'a', vector: [1, 2, 3] }]);
        expect(await vectors.search('docs', [1, 2, 3])).toMatchObject([{ id: 'a' }]);
      } finally {
        await storage.close();
      }
    });

    it('that was dropped with the vectors is told, and its collections can be made anew', async () => {
      const { url } = await createDatabase('gone');
      await migrated(url);
      const before = await openVectorStore(url);
      await before.createCollection('docs', 3);
      await before.close();
      await byHand(url, 'drop extension vector cascade');
      const vectors = await openVectorStore(url);
      try {
        for (const call of [
          () => vectors.search('docs', [1, 2, 3]),
          () => vectors.upsert('docs', [{ id: 'a', vector: [1, 2, 3] }]),
          () => vectors.get('docs', ['a']),
          () => vectors.ensureIndex('docs'),
        ]) {
          await expect(call()).rejects.toMatchObject({ reason: 'EXTENSION_MISSING' });
        }
        await vectors.dropCollection('docs');
        await vectors.createCollection('docs', 3);
        await vectors.upsert('docs', [{ id: 'a', vector: [1, 2, 3] }]);
        expect(await vectors.count('docs')).toBe(1);
      } finally {
        await vectors.close();
      }
    });

    it('may live in any schema', async () => {
      for (const schema of ['extensions', 'Odd "one" $1']) {
        const quoted = `"${schema.replaceAll('"', '""')}"`;
        const { url } = await createDatabase('schema');
        const role = await newRole('elsewhere', url);
        await byHand(
          url,
          `create schema ${quoted}`,
          `create extension vector schema ${quoted}`,
          `grant usage on schema ${quoted} to ${role}`,
          `create schema chronos authorization ${role}`,
        );
        const storage = await openStorage(asRole(url, role, PASSWORD));
        try {
          await storage.migrate();
          const vectors = storage.vectors();
          for (const elementType of ['float32', 'float16', 'bit'] as const) {
            await vectors.createCollection(elementType, 3, { elementType, index: 'none' });
            await vectors.upsert(elementType, [{ id: 'a', vector: [1, 2, 3], metadata: { k: 1 } }]);
            await vectors.ensureIndex(elementType);
            const found = await vectors.search(elementType, [1, 2, 3], 1, { filter: { k: 1 } });
            expect(found).toMatchObject([{ id: 'a' }]);
          }
        } finally {
          await storage.close();
        }
      }
    });
  });

  describe(`row-level security on ${name}`, () => {
    const newRole = roles(serverUrl);
    let owner: Storage;
    let pool: pg.Pool;
    let app: Storage;

    beforeAll(async () => {
      const { url } = await createDatabase('rls');
      const role = await newRole('app', url);
      await migrated(url);
      await byHand(
        url,
        `grant usage on schema chronos to ${role}`,
        `grant select, insert, update, delete on all tables in schema chronos to ${role}`,
      );
      owner = await openStorage(url);
      await owner.vectors().createCollection('docs', 2, { metric: 'l2' });
      pool = new pg.Pool({ connectionString: asRole(url, role, PASSWORD), max: 2 });
      app = await openStorage(pool);
    });
    afterAll(async () => {
      await app?.close();
      await pool?.end();
      await owner?.close();
    });

    async function asTenant<T>(
      tenant: string,
      work: (storage: Storage, client: pg.PoolClient) => Promise<T>,
    ): Promise<T> {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('select set_config($1, $2, true)', ['chronos.tenant_id', tenant]);
        const result = await work(app.using(client).forTenant(tenant), client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    }

    it('an app role reads and writes its own rows only', async () => {
      for (const tenant of ['acme', 'other']) {
        await asTenant(tenant, async (storage) => {
          await storage.vectors().upsert('docs', [{ id: 'a', vector: [1, 1], content: tenant }]);
        });
      }
      await asTenant('acme', async (storage, client) => {
        expect(await storage.vectors().search('docs', [1, 1])).toMatchObject([{ id: 'a', content: 'acme' }]);
        expect(await storage.vectors().forTenant('other').count('docs')).toBe(0);
        const all = await client.query('select tenant_id from chronos.chronos_vectors_1');
        expect(all.rows).toEqual([{ tenant_id: 'acme' }]);
        expect(await storage.vectors().deleteAll('docs')).toBe(1);
      });
      expect(await owner.vectors().forTenant('other').count('docs')).toBe(1);
    });

    it('what would land in another tenant is refused', async () => {
      const foreign = asTenant('acme', (storage) =>
        storage
          .vectors()
          .forTenant('other')
          .upsert('docs', [{ id: 'b', vector: [1, 1] }]),
      );
      await expect(foreign).rejects.toMatchObject({ reason: 'PRIVILEGE' });
      // Without a tenant in its session the role sees nothing at all.
      expect(await app.vectors().forTenant('other').count('docs')).toBe(0);
    });

    it('an app role makes and drops no collection', async () => {
      const vectors = app.vectors();
      await expect(vectors.createCollection('mine', 2)).rejects.toMatchObject({ reason: 'PRIVILEGE' });
      await expect(vectors.dropCollection('docs')).rejects.toMatchObject({ reason: 'PRIVILEGE' });
      await expect(vectors.createCollection('docs', 2, { metric: 'l2' })).resolves.toMatchObject({
        name: 'docs',
      });
      expect((await owner.vectors().listCollections()).map(({ name: one }) => one)).toEqual(['docs']);
    });
  });
}

for (const variant of servers.filter(withVectors)) withPgvector(variant);

describe.each(servers.filter((variant) => !withVectors(variant)))(
  '$name without pgvector',
  ({ createDatabase }) => {
    it('says what is to be installed', async () => {
      const { url } = await createDatabase('bare');
      await migrated(url);
      const vectors = await openVectorStore(url);
      try {
        await expect(vectors.createCollection('docs', 3)).rejects.toMatchObject({
          reason: 'EXTENSION_MISSING',
          message: expect.stringContaining('pgvector is not installed on this server'),
        });
        await expect(vectors.count('docs')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      } finally {
        await vectors.close();
      }
    });
  },
);

describe.each(variants.filter(({ driver }) => driver === 'pglite'))(
  "a host's $name without the module",
  () => {
    it('says what is to be installed', async () => {
      const db = await PGlite.create();
      const storage = await openStorage(db);
      await storage.migrate();
      const made = storage.vectors().createCollection('docs', 3);
      await expect(made).rejects.toMatchObject({
        reason: 'EXTENSION_MISSING',
        message: expect.stringContaining('@electric-sql/pglite-pgvector'),
      });
      await storage.close();
      await db.close();
    });
  },
);
