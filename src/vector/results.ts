import type { Found, Placed } from './engine.ts';
import type { Collection, Metric, SearchResult, StoredEmbedding } from './types.ts';

const SCORES: Readonly<Record<Metric, (distance: number) => number>> = {
  cosine: (distance) => 1 - distance,
  l2: (distance) => 1 / (1 + distance),
  // From 0, so that none is −0.
  ip: (distance) => 0 - distance,
};

/** What a caller is told of a collection. */
export function factsOf({ number: _, indexed: __, ...facts }: Placed): Collection {
  return facts;
}

function textsOf({ metadata, content }: Found): Pick<SearchResult, 'metadata' | 'content'> {
  return {
    ...(metadata !== null && { metadata: JSON.parse(metadata) as Readonly<Record<string, unknown>> }),
    ...(content !== null && { content }),
  };
}

/** A row that was found, with its score. */
export function resultOf(found: Found, metric: Metric): SearchResult {
  const { id, vector, distance } = found;
  return { id, score: SCORES[metric](distance ?? Number.NaN), ...(vector && { vector }), ...textsOf(found) };
}

/** A row as it is stored. */
export function embeddingOf(found: Found): StoredEmbedding {
  return { id: found.id, vector: found.vector ?? new Float32Array(), ...textsOf(found) };
}
