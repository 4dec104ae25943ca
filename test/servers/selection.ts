import { type VariantName, variantNames } from './table.mjs';

export type EngineName = VariantName | 'pgbouncer';

/** What the environment asks of a run. */
export interface Selection {
  /** The engine versions to run where they are available: all, or those of DIALECTS. */
  readonly wanted: readonly VariantName[];
  /** Those without which the run fails. */
  readonly required: readonly EngineName[];
}

export function selection(env: NodeJS.ProcessEnv): Selection {
  const wanted = list(env, 'DIALECTS', variantNames);
  const required = list<EngineName>(env, 'CHRONOS_TEST_REQUIRE', [...variantNames, 'pgbouncer']);
  return { wanted: wanted.length > 0 ? wanted : variantNames, required };
}

function list<T extends string>(env: NodeJS.ProcessEnv, variable: string, known: readonly T[]): T[] {
  const names = (env[variable] ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const found = known.find((candidate) => candidate === name);
      if (!found) throw new Error(`${variable}: no engine version "${name}"; there are ${known.join(', ')}`);
      return found;
    });
}
