import { checkOptions, checkWithin } from '../model/check.ts';
import { checkName, GREATEST_DIMENSION, oneOf } from './check.ts';
import { COLLECTION } from './options.ts';
import type { Collection, ElementType, Metric } from './types.ts';

/** What a collection is asked to be. */
export type Wanted = Omit<Collection, 'createdAt'>;

const METRICS: readonly [Metric, ...Metric[]] = ['cosine', 'l2', 'ip'];

/** The arguments of `createCollection`. */
export function checkWanted(name: unknown, dimension: unknown, given: unknown): Wanted {
  const { metric, index, m, efConstruction, elementType } = checkOptions(given, COLLECTION);
  const length = checkWithin('dimension', dimension, 1, GREATEST_DIMENSION);
  const links = m === undefined ? 16 : checkWithin('m', m, 2, 100);
  return {
    name: checkName('name', name),
    dimension: length,
    metric: oneOf('metric', metric, METRICS),
    index: oneOf('index', index, ['hnsw', 'none']),
    m: links,
    efConstruction:
      efConstruction === undefined
        ? Math.max(200, 2 * links)
        : checkWithin('efConstruction', efConstruction, Math.max(4, 2 * links), 1000),
    elementType: checkElementType(elementType, length),
  };
}

/** The most elements of which an index holds each in this form. */
const INDEXED: Readonly<Record<ElementType, number>> = {
  float32: 2000,
  float16: 4000,
  bit: GREATEST_DIMENSION,
};

function checkElementType(given: unknown, dimension: number): ElementType {
  const fitting = (Object.keys(INDEXED) as ElementType[]).filter((one) => dimension <= INDEXED[one]);
  return oneOf('elementType', given, fitting as [ElementType, ...ElementType[]]);
}
