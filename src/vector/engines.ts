import type { Dialect } from '../sql/dialect.ts';
import type { VectorEngine } from './engine.ts';
import { PgVector } from './pgvector.ts';
import { SqliteVec } from './sqlite-vec.ts';

/** What keeps vectors on a dialect; undefined where nothing does. */
export function vectorEngine(dialect: Dialect): VectorEngine | undefined {
  switch (dialect.vectors?.kind) {
    case 'pgvector':
      return new PgVector(dialect);
    case 'sqlite-vec':
      return new SqliteVec(dialect);
    default:
      return undefined;
  }
}
