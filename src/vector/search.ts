import { InvalidArgumentError } from '../errors.ts';
import { checkOptions, checkSwitch, checkWithin, clampLimit } from '../model/check.ts';
import { type Node, parseFilter } from './filter.ts';
import { SEARCH } from './options.ts';

/** What `search` was told, checked. */
export interface Search {
  readonly filter: Node;
  /** Whether only a part of the collection may be found: there is a filter, or the tenant has a part of its rows. */
  readonly filtered: boolean;
  readonly topK: number;
  readonly includeVectors: boolean;
  readonly minScore: number | undefined;
  readonly efSearch: number;
  readonly exact: boolean;
}

/** The arguments of `search` beside the query. */
export function checkSearch(topK: unknown, given: unknown): Search {
  if (topK !== undefined && typeof topK !== 'number') {
    throw new InvalidArgumentError('topK', 'must be a number');
  }
  const { filter, includeVectors, minScore, efSearch, exact } = checkOptions(given, SEARCH);
  const rows = clampLimit(topK);
  if (minScore !== undefined && (typeof minScore !== 'number' || Number.isNaN(minScore))) {
    throw new InvalidArgumentError('minScore', 'must be a number, and not NaN');
  }
  return {
    filter: parseFilter(filter),
    filtered: filter !== undefined,
    topK: rows,
    includeVectors: checkSwitch('includeVectors', includeVectors),
    minScore,
    efSearch:
      efSearch === undefined
        ? Math.min(1000, Math.max(100, 2 * rows))
        : checkWithin('efSearch', efSearch, 1, 1000),
    exact: checkSwitch('exact', exact),
  };
}
