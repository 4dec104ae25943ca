import type { Config } from './drivers/options.ts';
import { InvalidArgumentError } from './errors.ts';
import { checkNames, type Names } from './model/check.ts';
import { openShared, type StorageOptions, type StorageTarget } from './open-storage.ts';
import { noVectors } from './removal-of-vectors.ts';
import { LedgerStorage } from './storage.ts';
import type { VectorStore } from './vector/types.ts';
import { LedgerVectors } from './vector-storage.ts';

/**
 * Opens a store of vectors by itself, where there is no storage: on the targets of `openStorage`, and by a
 * {@link Config} that says where the vectors of another database are (`vectorBackend`, `vectorDsn`). The tables must be
 * there: `npx chronos-migrate up`. A service that has a storage calls `storage.vectors()`.
 *
 * @throws UnsupportedError on MySQL and MariaDB, or when a package is not installed; what `openStorage` throws.
 *
 * @example
 * ```ts
 * const vectors = await openVectorStore('postgres://app@db.internal/agents');
 * await vectors.createCollection('docs', 384);
 * await vectors.upsert('docs', [{ id: 'a', vector, metadata: { lang: 'en' }, content: text }]);
 * const nearest = await vectors.search('docs', query, 10, { filter: { lang: 'en' } });
 * await vectors.close();
 * ```
 */
export async function openVectorStore(
  target: StorageTarget,
  options: StorageOptions = {},
): Promise<VectorStore> {
  const shared = await openShared(targetOf(target), options);
  const { engine, vectors } = shared;
  const end = () => new LedgerStorage(shared).close();
  if (engine && vectors) return new LedgerVectors({ ...shared, engine, vectors, end });
  await end();
  throw noVectors(shared.plain.dialectName);
}

function isConfig(target: StorageTarget): target is Config {
  return typeof target === 'object' && target !== null && 'backend' in target && 'dsn' in target;
}

/** Where the vectors of a Config are. */
function targetOf(target: StorageTarget): StorageTarget {
  if (!isConfig(target)) return target;
  checkNames('', target, CONFIG, USAGE);
  const { backend, dsn, vectorBackend, vectorDsn } = target;
  if (vectorBackend !== undefined && !Object.hasOwn(BACKENDS, vectorBackend)) {
    throw new InvalidArgumentError('vectorBackend', 'must be one of pgvector, sqlite-vec', USAGE);
  }
  if (vectorDsn === undefined) {
    if (vectorBackend === undefined || BACKENDS[vectorBackend].includes(backend)) return { backend, dsn };
    throw new InvalidArgumentError('vectorDsn', `is required: ${backend} has no ${vectorBackend}`, USAGE);
  }
  return vectorBackend === 'sqlite-vec' ? { backend: 'sqlite', dsn: vectorDsn } : vectorDsn;
}

const USAGE = { reason: 'USAGE' } as const;
const CONFIG: Names<Config> = { backend: true, dsn: true, vectorBackend: true, vectorDsn: true };
/** Which backends of a Config each of vectors can be on. */
const BACKENDS: Readonly<Record<NonNullable<Config['vectorBackend']>, readonly Config['backend'][]>> = {
  pgvector: ['postgres', 'pglite'],
  'sqlite-vec': ['sqlite'],
};
