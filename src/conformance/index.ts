import { newId, withTenant } from '../index.ts';
import { batches } from './batches.ts';
import { closing } from './closing.ts';
import { cursors } from './cursors.ts';
import { dates } from './dates.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { ids } from './ids.ts';
import { json } from './json.ts';
import { pages } from './pages.ts';
import { sessions } from './sessions.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { tenants } from './tenants.ts';

export type { Ability, Conformance, Opened, OpenRequest } from './suite.ts';

const TOPICS: Readonly<Record<string, Topic>> = {
  sessions,
  events,
  batches,
  pages,
  cursors,
  tenants,
  ids,
  json,
  dates,
  errors,
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
 *   supports: { batches: true, pages: true },
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
