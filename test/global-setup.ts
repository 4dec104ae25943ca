import type { TestProject } from 'vitest/node';
import { EngineFinder, type Engines } from './servers/engines.ts';
import { type EngineName, selection } from './servers/selection.ts';
import { variantNames } from './servers/table.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    engines: Engines;
  }
}

/** Decides which engine versions run, starts their servers, and tells the workers where they are. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { wanted, required } = selection(process.env);
  const finder = new EngineFinder();
  try {
    const engines = await finder.find(wanted);
    requireAll(required, engines, finder.leftOut);
    // A file whose cases are all for engines that do not run is no mistake; with all of them it is one.
    if (engines.variants.length < variantNames.length) project.config.passWithNoTests = true;
    project.provide('engines', engines);
  } catch (error) {
    // Vitest calls no teardown of a setup that failed.
    await finder.stop();
    throw error;
  }
  return async () => {
    await finder.stop();
    if (finder.leftOut.size > 0) console.log(leftOutLine(finder.leftOut));
  };
}

function requireAll(
  required: readonly EngineName[],
  engines: Engines,
  leftOut: Map<EngineName, string>,
): void {
  const running = new Set<EngineName>(engines.variants.map(({ name }) => name));
  if (engines.pgbouncerUrl) running.add('pgbouncer');
  const missing = required.filter((name) => !running.has(name));
  if (missing.length === 0) return;
  const reasons = missing.map((name) => `${name} (${leftOut.get(name) ?? 'excluded by DIALECTS'})`);
  throw new Error(`CHRONOS_TEST_REQUIRE names engines that are not available: ${reasons.join(', ')}`);
}

function leftOutLine(leftOut: Map<EngineName, string>): string {
  const reasons = [...new Set(leftOut.values())].map((reason) => {
    const names = [...leftOut].filter(([, each]) => each === reason).map(([name]) => name);
    return `${names.join(', ')} (${reason})`;
  });
  return `Not run: ${reasons.join('; ')}. To run them: start Docker and repeat, or set CHRONOS_TEST_<NAME>_URL to servers of yours.`;
}
