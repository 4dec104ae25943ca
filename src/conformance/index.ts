import { newId, withTenant } from '../index.ts';
import { auditLogs } from './audit-logs.ts';
import { batches } from './batches.ts';
import { checkpointAndEvent } from './checkpoint-and-event.ts';
import { checkpoints } from './checkpoints.ts';
import { closing } from './closing.ts';
import { cursors } from './cursors.ts';
import { dates } from './dates.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { expectedSeq } from './expected-seq.ts';
import { ids } from './ids.ts';
import { iterators } from './iterators.ts';
import { json } from './json.ts';
import { memory } from './memory.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';
import { removal } from './removal.ts';
import { retention } from './retention.ts';
import { retentionPolicy } from './retention-policy.ts';
import { sessionRetention } from './session-retention.ts';
import { sessions } from './sessions.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { tenants } from './tenants.ts';
import { traceBatches } from './trace-batches.ts';
import { traces } from './traces.ts';
import { transactionScopes } from './transaction-scopes.ts';
import { transactions } from './transactions.ts';
import { walks } from './walks.ts';

export type { Ability, Conformance, Opened, OpenRequest } from './suite.ts';
export {
  makeCollections,
  type OpenedVectors,
  type VectorConformance,
  type VectorRequest,
} from './vector-suite.ts';
export { vectorConformance } from './vectors.ts';

const TOPICS: Readonly<Record<string, Topic>> = {
  sessions,
  events,
  batches,
  memory,
  auditLogs,
  traces,
  traceBatches,
  checkpoints,
  checkpointAndEvent,
  pages,
  walks,
  iterators,
  cursors,
  tenants,
  ids,
  json,
  dates,
  errors,
  order,
  expectedSeq,
  retention,
  sessionRetention,
  retentionPolicy,
  removal,
  transactions,
  transactionScopes,
  closing,
};

/**
 * The storage contract as tests, for any backend and any test runner that has `describe` and `it`.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { openStorage } from 'chronos-storage';
 * import { conformance } from 'chronos-storage/conformance';
 *
 * conformance({
 *   describe,
 *   it,
 *   supports: { transactions: true, batches: true, pages: true, retention: true, order: true },
 *   open: async ({ requireTenant = false } = {}) => {
 *     const storage = await openStorage('sqlite::memory:', { requireTenant });
 *     await storage.migrate();
 *     return { storage, close: () => storage.close() };
 *   },
 * });
 * ```
 */
export function conformance({ describe, it, open, supports }: Conformance): void {
  const test: Case = (name, body, request) => {
    it(name, async () => {
      const { storage, close } = await open(request);
      try {
        await withTenant(`case-${newId()}`, () => body(storage));
      } finally {
        await close();
      }
    });
  };
  for (const [name, { needs, cases }] of Object.entries(TOPICS)) {
    const able = needs === undefined ? true : supports[needs];
    describe(name, () => {
      if (able === true) cases(test, supports);
      else it(`left out, without ${needs}: ${able}`, async () => {});
    });
  }
}
