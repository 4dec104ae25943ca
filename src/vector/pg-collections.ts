import { UnavailableError } from '../errors.ts';
import { row, rows, script, transaction, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { statement } from '../sql/statement.ts';
import type { Placed } from './engine.ts';
import { checkElementType, createExtension, type Features, readFeatures } from './pg-features.ts';
import { INDEX, indexOf, indexText } from './pg-index.ts';
import { type Registry, tableOf } from './registry.ts';
import type { Wanted } from './wanted.ts';

const REGISTRY = 'chronos_vector_collections';
const OURS = "tenant_id = nullif(current_setting('chronos.tenant_id', true), '')";

/** Held by whoever makes a collection, to the end of its transaction: two that make the extension would fail. */
const LOCK = statement(
  'vectors.lock',
  "select pg_advisory_xact_lock(hashtext('chronos_vectors'), hashtext($1::text))::text as locked",
  ['schema'],
);

/** What roles were granted on the table of collections, but its owner. */
const GRANTS = statement(
  'vectors.grants',
  `select a.privilege_type as privilege, a.is_grantable::text as grantable,
case when a.grantee = 0 then 'public' else quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) end as role
from pg_catalog.pg_class as c, lateral aclexplode(c.relacl) as a
where c.oid = $1::text::regclass and a.grantee <> c.relowner
and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
  ['registry'],
);

const INDEXED = statement('vectors.indexed', `select count(*) as count ${INDEX} and i.indisvalid`, [
  'table',
  'index',
]);

/** Whether a collection's index is there and complete. */
export function* isIndexed(dialect: Dialect, collection: Pick<Placed, 'number'>): Work<boolean> {
  const found = yield* row(INDEXED, {
    table: dialect.place(tableOf(collection)),
    index: indexOf(collection),
  });
  return Number(found?.count) === 1;
}

/** Makes the extension where it is not, then the collection with its table, policy, grants and index. */
export function createInside(dialect: Dialect, registry: Registry, wanted: Wanted): Work<Features> {
  return transaction(function* () {
    const registryPlace = dialect.place(REGISTRY);
    yield* rows(LOCK, { schema: registryPlace });
    const features = (yield* readFeatures()) ?? (yield* createExtension(dialect.home));
    if (wanted.index === 'hnsw') checkElementType(features, wanted.elementType);
    const number = yield* registry.insert(wanted);
    if (number === undefined) return features;
    const collection: Placed = { ...wanted, number, createdAt: new Date(0), indexed: false };
    for (const text of tableTexts(dialect, features, collection)) yield* script(text);
    for (const { privilege, role, grantable } of yield* rows(GRANTS, { registry: registryPlace })) {
      const option = grantable === 'true' ? ' with grant option' : '';
      yield* script(`grant ${privilege} on ${dialect.place(tableOf(collection))} to ${role}${option}`);
    }
    if (wanted.index === 'hnsw') yield* script(indexText(dialect, features, collection, false));
    return features;
  });
}

/**
 * One statement each: Prisma takes no more at once. Row-level security is enabled and not forced, as on the ledger's
 * tables: forced hides every row from the owner too.
 */
function tableTexts(dialect: Dialect, { schema }: Features, collection: Placed): readonly string[] {
  const table = dialect.place(tableOf(collection));
  return [
    `create table ${table} (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  embedding ${schema}.vector(${collection.dimension}) not null,
  metadata jsonb,
  content text,
  constraint "${tableOf(collection)}_pkey" primary key (tenant_id, id)
)`,
    `alter table ${table} enable row level security`,
    `create policy chronos_tenant on ${table} using (${OURS}) with check (${OURS})`,
  ];
}

/** The table first: only its owner may, and a role that may not must not take the collection for dropped. */
export function dropInside(dialect: Dialect, registry: Registry, collection: Placed): Work<void> {
  return transaction(function* () {
    yield* script(`drop table if exists ${dialect.place(tableOf(collection))}`);
    const removed = yield* registry.remove(collection.number);
    const left = removed === 0 ? yield* registry.find(collection.name) : undefined;
    if (left?.number !== collection.number) return;
    throw new UnavailableError('dropCollection: this role may not drop collections', {
      reason: 'PRIVILEGE',
      hint: 'connect as the owner of the tables',
    });
  });
}

/** Gives the planner statistics. A role that may not analyze is passed over by the server, with a warning. */
export function analyze(dialect: Dialect, collection: Placed): Work<void> {
  return script(`analyze ${dialect.place(tableOf(collection))}`);
}
