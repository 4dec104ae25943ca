import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import { type Driver, variants } from '../variants.ts';
import { TENANTS } from './calls.ts';
import { dryRuns, type Step, steps } from './commands.ts';
import { contentsIn, contentsOf, countsOf } from './contents.ts';
import { Model } from './model.ts';
import { runSteps } from './run.ts';

/** A server answers more slowly. */
const RUNS: Readonly<Record<Driver, number>> = { 'better-sqlite3': 60, pglite: 8, pg: 12, mysql2: 6 };
const MORE = process.env.CHRONOS_SOAK === '1' ? 50 : 1;

/** Runs steps on a storage and on a model that both begin empty, compares all that is left, and removes it. */
async function agree(storage: Storage, all: readonly Step[]): Promise<void> {
  const model = new Model(Array.from({ length: TENANTS }, () => newId()));
  let removed: readonly unknown[] = [];
  try {
    await runSteps(storage, model, [...all, ...dryRuns]);
    for (const id of model.tenantIds) {
      expect(await contentsOf(storage.forTenant(id))).toStrictEqual(contentsIn(model.tenant(id)));
    }
  } finally {
    // Also after a failure: a trim of all tenants must find those of one run only.
    removed = await Promise.all(model.tenantIds.map((id) => storage.deleteTenant(id)));
  }
  expect(removed).toStrictEqual(model.tenantIds.map((id) => countsOf(model.tenant(id))));
}

describe.each(variants)('$name', (variant) => {
  let storage: Storage;
  beforeAll(async () => {
    const { url } = await variant.createDatabase('model');
    // What a crash of the machine would take is no matter here.
    storage = await openStorage(url, { synchronous: 'normal' });
    await storage.migrate();
  });
  afterAll(() => storage.close());

  it(
    'answers and keeps what the model does, whatever is called in which order',
    async () => {
      const property = fc.asyncProperty(steps, (all) => agree(storage, all));
      await fc.assert(property, {
        seed: 1,
        numRuns: RUNS[variant.driver] * MORE,
        // Who only asks whether it fails needs no smaller sequence that does.
        endOnFailure: process.env.CHRONOS_MUTANTS === '1',
        // Ends a search for a smaller one.
        interruptAfterTimeLimit: MORE * 50_000,
        markInterruptAsFailure: true,
      });
    },
    MORE * 60_000,
  );
});
