// Retrieval for an agent: real texts with real vectors beside the ledger, a filter, and the event of each retrieval
// committed in the transaction that read it.
//
//   node examples/rag.mjs pglite:memory test/data/vectors/hotels-50x1536-te3-small.json.gz
//
// The first argument is where ledger and vectors are: one Postgres, a PGlite, or a SQLite file.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { newId, openStorage, withTenant } from 'chronos-storage';

/**
 * @typedef {object} Hotel
 * @property {string} HotelId
 * @property {string} HotelName
 * @property {string} Description
 * @property {string} Category
 * @property {number} Rating
 * @property {readonly string[]} Tags
 * @property {readonly number[]} DescriptionVector
 */

const [target, file] = process.argv.slice(2);
if (target === undefined || file === undefined) {
  console.error('usage: node examples/rag.mjs TARGET FILE');
  process.exit(2);
}

/** @type {readonly Hotel[]} */
const hotels = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
const storage = await openStorage(target);
await storage.migrate();
// The operator makes collections; what is in them belongs to tenants.
await storage.vectors().createCollection('hotels', 1536);

await withTenant('travel', async () => {
  await storage.vectors().upsert(
    'hotels',
    hotels.map(({ HotelId, HotelName, Description, Category, Rating, Tags, DescriptionVector }) => ({
      id: HotelId,
      vector: DescriptionVector,
      metadata: { name: HotelName, category: Category, rating: Rating, tags: Tags },
      content: Description,
    })),
  );

  const sessionId = newId();
  await storage.createSession({ id: sessionId, agentId: 'concierge', status: 'running' });

  /**
   * A question of the guest: more like a hotel they know. A service would embed the question's text here.
   * @param {string} name
   * @param {import('chronos-storage').Filter} filter
   */
  async function moreLike(name, filter) {
    const known = hotels.find((hotel) => hotel.HotelName === name);
    if (known === undefined) throw new Error(`no hotel is called ${name}`);
    return storage.transaction(async (tx) => {
      const found = await tx.vectors().search('hotels', known.DescriptionVector, 3, { filter });
      const results = found.map(({ id, score }) => ({ id, score }));
      await tx.appendEvent({
        id: newId(),
        sessionId,
        type: 'retrieval',
        payload: { like: name, filter, results },
      });
      return found;
    });
  }

  const name = 'Stay-Kay City Hotel';
  for (const filter of [{}, { category: 'Budget', rating: { $gte: 3 } }, { tags: { $contains: 'pool' } }]) {
    console.log(`like ${name}, ${JSON.stringify(filter)}`);
    for (const { score, metadata, content } of await moreLike(name, filter)) {
      console.log(`  ${score.toFixed(3)} ${metadata?.name}: ${content?.slice(0, 60)}…`);
    }
  }
  console.log(`${await storage.countEvents(sessionId)} retrievals in the ledger`);
});
await storage.close();
