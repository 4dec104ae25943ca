// A host's own query by knex on a collection's table, with the npm package pgvector for the vector's text.
//
//   node examples/pgvector/knex.mjs postgres://app@db.internal/agents
import { openStorage } from 'chronos-storage';
import knex from 'knex';
import pgvector from 'pgvector';

const [target = ''] = process.argv.slice(2);
const db = knex({ client: 'pg', connection: target });
const storage = await openStorage(db);
await storage.migrate();
const vectors = storage.vectors();
await vectors.createCollection('colours', 3, { metric: 'l2' });
await vectors.upsert('colours', [
  { id: 'red', vector: [1, 0, 0], metadata: { warm: true } },
  { id: 'orange', vector: [1, 0.6, 0], metadata: { warm: true } },
  { id: 'blue', vector: [0, 0, 1], metadata: { warm: false } },
]);

// The registry tells the number of a collection's table. Every query of yours names the tenant itself.
const { number } = await db
  .withSchema('chronos')
  .first('number')
  .from('chronos_vector_collections')
  .where('name', 'colours');
const rows = await db
  .withSchema('chronos')
  .select('id')
  .from(`chronos_vectors_${number}`)
  .where('tenant_id', 'default')
  .whereRaw('metadata @> \'{"warm": true}\'')
  .orderByRaw('embedding <-> ?', [pgvector.toSql([1, 0.5, 0])])
  .limit(2);
console.log(rows.map(({ id }) => id).join(', '));

// The same in one transaction with rows of yours.
await db.transaction(async (trx) => {
  await storage.using(trx).vectors().delete('colours', ['blue']);
});
console.log(await vectors.count('colours'));
await vectors.dropCollection('colours');
await storage.close();
await db.destroy();
