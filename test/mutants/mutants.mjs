import { checks } from './checks.mjs';
import { migrations } from './migrations.mjs';
import { places } from './places.mjs';
import { reads } from './reads.mjs';
import { removal } from './removal.mjs';
import { tenants } from './tenants.mjs';
import { transactions } from './transactions.mjs';
import { vectors } from './vectors.mjs';
import { writes } from './writes.mjs';

/** @import { Mutant } from './mutant.mjs' */

/**
 * All mutants, each a mistake that the tests must notice.
 * @type {readonly Mutant[]}
 */
export const MUTANTS = [
  ...tenants,
  ...reads,
  ...writes,
  ...places,
  ...removal,
  ...checks,
  ...transactions,
  ...vectors,
  ...migrations,
];
