import { InvalidArgumentError, UnavailableError } from '../errors.ts';
import { checkOptions, type Names } from '../model/check.ts';
import type { CollectionOptions, IndexOptions, OperatorOptions, SearchOptions } from './types.ts';

export const SEARCH: Names<SearchOptions> = Object.freeze({
  filter: true,
  includeVectors: true,
  minScore: true,
  efSearch: true,
  exact: true,
});

export const OPERATOR: Names<OperatorOptions> = Object.freeze({ allTenants: true });

export const COLLECTION: Names<CollectionOptions> = Object.freeze({
  ...OPERATOR,
  metric: true,
  index: true,
  m: true,
  efConstruction: true,
  elementType: true,
});

export const INDEX: Names<IndexOptions> = Object.freeze({ ...OPERATOR, signal: true, onProgress: true });

/** How `ensureIndex` was told to build. */
export function checkBuild(given: unknown): Pick<IndexOptions, 'signal' | 'onProgress'> {
  const { signal, onProgress } = checkOptions(given, INDEX) as IndexOptions;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new InvalidArgumentError('signal', 'must be an AbortSignal');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InvalidArgumentError('onProgress', 'must be a function');
  }
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

/** Ends a build whose signal has come. */
export function stopIfTold({ signal }: Pick<IndexOptions, 'signal'>): void {
  if (!signal?.aborted) return;
  throw new UnavailableError('ensureIndex: stopped by its signal', {
    reason: 'INTERRUPTED',
    cause: signal.reason,
  });
}
