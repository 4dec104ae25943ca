// A host's own query by Prisma's $queryRaw on a collection's table, with the npm package pgvector for the vector's
// text, in a transaction with the event that tells of it.
//
//   node examples/pgvector/prisma.mjs postgres://app@db.internal/agents ./generated/prisma/client.js
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { newId, openStorage } from 'chronos-storage';
import pgvector from 'pgvector';

const [target = '', client = ''] = process.argv.slice(2);
// A service imports its generated client by name.
const { PrismaClient } = await import(pathToFileURL(resolve(client)).href);
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: target }) });
const storage = await openStorage(target);
await storage.migrate();
const vectors = storage.vectors();
await vectors.createCollection('colours', 3, { metric: 'l2' });
await vectors.upsert('colours', [
  { id: 'red', vector: [1, 0, 0], metadata: { warm: true } },
  { id: 'orange', vector: [1, 0.6, 0], metadata: { warm: true } },
  { id: 'blue', vector: [0, 0, 1], metadata: { warm: false } },
]);

// Each collection has a table of its own; every query of yours names the tenant itself.
const { number } = await prisma.chronosVectorCollection.findUniqueOrThrow({ where: { name: 'colours' } });
const query = pgvector.toSql([1, 0.5, 0]);
await prisma.$transaction(async (/** @type {any} */ tx) => {
  const rows = await tx.$queryRawUnsafe(
    `select id from chronos.chronos_vectors_${number}
     where tenant_id = $1 and metadata @> '{"warm": true}' order by embedding <-> $2::vector limit 2`,
    'default',
    query,
  );
  console.log(rows.map((/** @type {{ id: string }} */ { id }) => id).join(', '));
  // The same as the library does it, on the same transaction.
  const found = await storage
    .using(tx)
    .vectors()
    .search('colours', [1, 0.5, 0], 2, { filter: { warm: true } });
  console.log(found.map(({ id }) => id).join(', '));
  await storage.using(tx).appendEvent({ id: newId(), sessionId: 's', type: 'retrieval', payload: { rows } });
});
console.log(await storage.countEvents('s'));
await vectors.dropCollection('colours');
await storage.close();
await prisma.$disconnect();
