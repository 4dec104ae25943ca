import { reportOf } from '../report.ts';
import type { Source } from '../source.ts';
import { stateOf } from '../state.ts';
import type { Applied, MigratorOptions, Report } from '../types.ts';

/** What every operation of a migrator works with. */
export interface Context {
  readonly source: Source;
  readonly options: MigratorOptions;
}

/** Where the database stands now, and what this run did. */
export async function reportNow(
  { source }: Context,
  applied: readonly Applied[] = [],
  findings: readonly string[] = [],
): Promise<Report> {
  const { engine, files } = await source.read();
  return reportOf(engine, files, stateOf(await engine.log()), applied, findings);
}

/** The schema of our tables, where the engine has schemas. */
export function schemaOf({ options }: Context): string {
  return options.schema ?? 'chronos';
}
