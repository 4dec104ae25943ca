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

describe.each(shared)('a collection that another process made anew, on $name', ({ createDatabase }) => {
  it('is judged by what it is now, also where what is remembered would refuse', async () => {
    const { url } = await createDatabase('anew');
    const [one, other] = [await openStorage(url), await openStorage(url)];
    await one.migrate();
    const [vectors, theirs] = [one.vectors(), other.vectors()];
    await vectors.createCollection('docs', 3);
    await vectors.upsert('docs', [{ id: 'a', vector: [1, 0, 0] }]);
    await theirs.dropCollection('docs');
    await theirs.createCollection('docs', 2, { metric: 'l2' });
    await vectors.upsert('docs', [{ id: 'b', vector: [0, 0] }]);
    expect(await vectors.search('docs', [0, 0])).toMatchObject([{ id: 'b', score: 1 }]);
    await theirs.dropCollection('docs');
    await theirs.createCollection('docs', 4);
    await one.transaction(async (tx) => {
      await tx.vectors().upsert('docs', [{ id: 'c', vector: [1, 0, 0, 0] }]);
    });
    expect(await vectors.search('docs', [1, 0, 0, 0])).toMatchObject([{ id: 'c' }]);
    const facts = { code: 'INVALID_ARGUMENT', argument: 'query' };
    await expect(vectors.search('docs', [1, 0])).rejects.toMatchObject(facts);
    await theirs.dropCollection('docs');
    for (const query of [
      [1, 0],
      [0, 0, 0, 0],
      [1, 0, 0, 0],
    ]) {
      await expect(vectors.search('docs', query)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await one.close();
    await other.close();
  });
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

  it('a collection that is dropped while a transaction, or a build, is at it is not found', async () => {
    const { url } = await createDatabase('dropped');
    const [one, other] = [await openStorage(url), await openStorage(url)];
    await one.migrate();
    const [vectors, theirs] = [one.vectors(), other.vectors()];
    const gone = { code: 'NOT_FOUND', record: 'collection', id: 'docs' };
    await vectors.createCollection('docs', 1, { metric: 'l2', index: 'none' });
    const inside = one.transaction(async (tx) => {
      await tx.vectors().get('docs', []);
      await theirs.dropCollection('docs');
      await tx.vectors().upsert('docs', [{ id: 'a', vector: [1] }]);
    });
    await expect(inside).rejects.toMatchObject(gone);
    // At whatever moment it is dropped.
    for (let n = 0; n < 8; n += 1) {
      await vectors.createCollection('docs', 1, { metric: 'l2', index: 'none' });
      const building = vectors.ensureIndex('docs').catch((error: unknown) => error);
      await new Promise((done) => setTimeout(done, 3 * n));
      await theirs.dropCollection('docs');
      const ended = await building;
      if (ended !== undefined) expect(ended).toMatchObject(gone);
    }
    await one.close();
    await other.close();
  });

  it('a build that a dropping transaction was in the way of is begun again', async () => {
    const { url } = await createDatabase('inway');
    const storage = await openStorage(url);
    await storage.migrate();
    const vectors = storage.vectors();
    const dropping = new pg.Client({ connectionString: url });
    await dropping.connect();
    // The server ends whoever waited that long first: never this one.
    await dropping.query("set deadlock_timeout = '1h'");
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'index concurrently'";
    const untilItWaits = async () => {
      while ((await byHand(url, waiting)).length === 0);
    };
    for (const end of ['rollback', 'commit']) {
      await vectors.createCollection('docs', 1, { metric: 'l2', index: 'none' });
      const [{ table } = { table: '' }] = await byHand(
        url,
        "select format('chronos.%I', max(relname)) as table from pg_class where relname ~ '^chronos_vectors_[0-9]+$'",
      );
      await dropping.query('begin');
      await dropping.query(`lock table ${table} in row exclusive mode`);
      const building = vectors.ensureIndex('docs').catch((error: unknown) => error);
      await untilItWaits();
      // Waits for the build, which waits for this: it gets the lock once the server has ended the build.
      await dropping.query(`drop table ${table}`);
      await dropping.query('delete from chronos.chronos_vector_collections');
      await Promise.race([untilItWaits(), building]);
      await dropping.query(end);
      const ended = await building;
      if (end === 'commit') expect(ended).toMatchObject({ code: 'NOT_FOUND', record: 'collection' });
      else {
        expect(ended).toBeUndefined();
        const valid = "select 1 from pg_index where indexrelid::regclass::text ~ '_hnsw$' and indisvalid";
        expect(await byHand(url, valid)).toHaveLength(1);
        await vectors.dropCollection('docs');
      }
    }
    await dropping.end();
    await storage.close();
  });

  it('an extension that is moved, or made anew, is found again', async () => {
    const { url } = await createDatabase('moved');
    const storage = await openStorage(url);
    await storage.migrate();
    const vectors = storage.vectors();
    const rows = [{ id: 'a', vector: [1, 1] }];
    const works = async (name: string) => {
      await vectors.upsert(name, rows);
      expect(await vectors.search(name, [1, 1])).toMatchObject([{ id: 'a' }]);
      expect(await vectors.get(name, ['a'])).toHaveLength(1);
      await vectors.ensureIndex(name);
    };
    await vectors.createCollection('docs', 2);
    await works('docs');
    await byHand(url, 'create schema ext', 'alter extension vector set schema ext');
    await works('docs');
    await byHand(url, 'alter extension vector set schema public');
    const inside = storage.transaction((tx) => tx.vectors().search('docs', [1, 1]));
    await expect(inside).rejects.toThrow('was moved, or made anew');
    await storage.transaction((tx) => tx.vectors().search('docs', [1, 1]));
    await byHand(url, 'drop extension vector cascade', 'create extension vector schema ext');
    const other = await openStorage(url);
    await other.vectors().createCollection('anew', 2);
    await other.close();
    await works('anew');
    await byHand(url, 'drop extension vector cascade');
    await expect(vectors.search('anew', [1, 1])).rejects.toMatchObject({ reason: 'EXTENSION_MISSING' });
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
