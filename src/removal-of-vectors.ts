import { InvalidArgumentError, UnsupportedError } from './errors.ts';
import { checkEach, checkMembers, checkOptions, type Names } from './model/check.ts';
import type { Removed } from './model/results.ts';
import { transaction, type Work } from './repositories/work.ts';
import { checkName } from './vector/check.ts';
import type { SessionVectors } from './vector/vectors.ts';

/** The refusal of an engine that compares no vectors. */
export function noVectors(engine: string): UnsupportedError {
  return new UnsupportedError(`vectors are not kept on ${engine}`, {
    hint: "keep them beside it: openVectorStore({ backend, dsn, vectorBackend: 'pgvector', vectorDsn: 'postgres://…' })",
  });
}

/** Which vectors `deleteSession` was told to take along. */
export function checkSessionVectors(options: unknown): SessionVectors | undefined {
  const { vectors } = checkOptions(options, { vectors: true });
  if (vectors === undefined) return undefined;
  const members = { collections: true, path: true } satisfies Names<SessionVectors>;
  const { collections, path = 'sessionId' } = checkMembers('vectors', vectors, members);
  if (typeof path !== 'string') throw new InvalidArgumentError('vectors.path', 'must be a string');
  const names = checkEach('vectors.collections', collections, (name, at) =>
    checkName(`vectors.collections[${at}]`, name),
  );
  return { collections: [...new Set(names)], path };
}

/** A session and its vectors: both or neither. */
export function withVectors(session: () => Work<Removed>, vectors: () => Work<number>): Work<Removed> {
  return transaction(function* () {
    const removed = yield* session();
    return { ...removed, vectors: yield* vectors() };
  });
}

/** A tenant's records, then its vectors: told where there were any. */
export function* alsoVectors(tenant: Work<Removed>, vectors: Work<number> | undefined): Work<Removed> {
  const removed = yield* tenant;
  const count = vectors ? yield* vectors : 0;
  return count === 0 ? removed : { ...removed, vectors: count };
}
