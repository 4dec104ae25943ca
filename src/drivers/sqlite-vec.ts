import { UnsupportedError } from '../errors.ts';
import type { SqliteDatabase } from './handles.ts';

/** Tells where the compiled part of sqlite-vec is; undefined: not looked for, or not there. */
let loadablePath: (() => string) | undefined;
const loaded = new WeakSet<SqliteDatabase>();

/** Told by whoever opens a database, before anything asks for vectors: that may be without a promise. */
export function sqliteVecIsAt(find: () => string): void {
  loadablePath = find;
}

/** Gives a database the functions that vectors need, once. */
export function loadSqliteVec(db: SqliteDatabase): void {
  if (loaded.has(db)) return;
  if (loadablePath === undefined) {
    throw new UnsupportedError('vectors on SQLite need the package sqlite-vec, which is not installed', {
      reason: 'DRIVER_MISSING',
      hint: 'run `npm install sqlite-vec`',
    });
  }
  try {
    db.loadExtension(loadablePath());
  } catch (cause) {
    // Installed for another platform, or a SQLite that loads no extensions.
    throw new UnsupportedError('sqlite-vec is installed, but its compiled part does not load', {
      cause,
      reason: 'DRIVER_MISSING',
      hint: 'run `npm install sqlite-vec` on this machine',
    });
  }
  db.function('chronos_inner_product', { deterministic: true }, innerProduct);
  loaded.add(db);
}

/** sqlite-vec has none. */
function innerProduct(a: Buffer, b: Buffer): number {
  const [left, right] = [elementsOf(a), elementsOf(b)];
  let sum = 0;
  for (let i = 0; i < left.length; i += 1) sum += (left[i] as number) * (right[i] as number);
  return sum;
}

/** A Float32Array stands on an address that four divides: else it needs a copy. */
function elementsOf(blob: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob);
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
