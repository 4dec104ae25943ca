import { ChronosError, UnavailableError, UnsupportedError } from '../errors.ts';
import { row, script, type Work } from '../repositories/work.ts';
import { statement } from '../sql/statement.ts';
import type { ElementType } from './types.ts';

/** What the server's pgvector is. */
export interface Features {
  readonly version: string;
  /** The schema that the extension lives in, quoted. */
  readonly schema: string;
  /** Of the type `vector`. */
  readonly oid: number;
  /** Since 0.7: `halfvec` and indexes on bits. */
  readonly halfvec: boolean;
  /** Since 0.8: an index goes on where a filter left too few. */
  readonly iterativeScan: boolean;
}

const INSTALLED = statement(
  'vectors.features',
  `select e.extversion as version, n.nspname as schema, t.oid::bigint as oid
from pg_catalog.pg_extension as e
join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
join pg_catalog.pg_type as t on t.typname = 'vector' and t.typnamespace = n.oid
where e.extname = 'vector'`,
);
const AVAILABLE = statement(
  'vectors.available',
  "select count(*) as count from pg_catalog.pg_available_extensions where name = 'vector'",
);

/** The features of pgvector in this database; undefined where it is not made. */
export function* readFeatures(): Work<Features | undefined> {
  const found = yield* row(INSTALLED, {});
  if (!found) return undefined;
  const version = String(found.version);
  return {
    version,
    schema: `"${String(found.schema).replaceAll('"', '""')}"`,
    oid: Number(found.oid),
    halfvec: atLeast(version, 7),
    iterativeScan: atLeast(version, 8),
  };
}

function atLeast(version: string, minor: number): boolean {
  const [major = 0, ofMajor = 0] = version.split('.').map(Number);
  return major > 0 || ofMajor >= minor;
}

const PUBLIC = statement(
  'vectors.public',
  "select count(*) as count from pg_catalog.pg_namespace where nspname = 'public'",
);

/**
 * Makes the extension, in `public`, or beside our tables where that is not; never by the search path, which a host may
 * have set to anything. In a transaction that is open, under the lock of those who make collections.
 */
export function* createExtension(ours: string): Work<Features> {
  if (Number((yield* row(AVAILABLE, {}))?.count) === 0) {
    throw missing('pgvector is not installed on this server', {
      hint: 'install it on the server, then as an administrator of this database run: create extension vector; a PGlite of your own is given it: PGlite.create({ extensions: { vector } }) with vector of @electric-sql/pglite-pgvector',
    });
  }
  try {
    const hasPublic = Number((yield* row(PUBLIC, {}))?.count) > 0;
    yield* script(`create extension if not exists vector schema ${hasPublic ? 'public' : ours}`);
  } catch (cause) {
    if (!(cause instanceof UnavailableError) || cause.reason !== 'PRIVILEGE') throw cause;
    throw missing('the extension vector is not made in this database, and this role may not make it', {
      cause,
      hint: 'as an administrator of this database run: create extension vector;',
    });
  }
  const features = yield* readFeatures();
  if (!features)
    throw missing('the extension vector could not be made', { hint: 'run: create extension vector;' });
  return features;
}

/** The refusal of a database without the extension. */
export function missing(problem: string, facts: { hint: string; cause?: unknown }): UnavailableError {
  return new UnavailableError(`${problem}: ${facts.hint}`, { ...facts, reason: 'EXTENSION_MISSING' });
}

/** No such type or function, a schema or column that is gone, an array whose elements are of another type. */
const MOVED: ReadonlySet<unknown> = new Set(['42704', '42883', '3F000', '42703', '42804']);

/** Whether an error may come of an extension that is in another schema now, or was made anew. */
export function mayBeMoved(error: unknown): boolean {
  const cause: unknown = error instanceof ChronosError ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && MOVED.has(Reflect.get(cause, 'code'));
}

/** The error of a transaction in which the extension is not where it was. */
export function moved(cause: unknown): UnavailableError {
  const hint = 'run the transaction again';
  return new UnavailableError(
    `the extension vector was moved, or made anew, while this process ran: ${hint}`,
    { reason: 'DATABASE_ERROR', retryable: true, hint, cause },
  );
}

/** Refuses an index that the server's pgvector cannot make. */
export function checkElementType({ version, halfvec }: Features, elementType: ElementType): void {
  if (elementType === 'float32' || halfvec) return;
  throw new UnsupportedError(`pgvector ${version} has no index for so many elements: 0.7 has one`, {
    hint: "alter extension vector update; or { index: 'none' }",
  });
}
