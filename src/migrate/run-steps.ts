import type { Umzug } from 'umzug';
import { forbidAborted } from '../drivers/when-free.ts';
import { MigrationError } from '../errors.ts';
import type { MigrationEngine, StepVerbs, Turn } from './engines/engine.ts';
import type { FileSet } from './files.ts';
import { forbidPartial } from './partial.ts';
import type { Step } from './plan.ts';
import { type State, stateOf } from './state.ts';
import type { Applied, MigratorOptions } from './types.ts';

type UmzugModule = typeof import('umzug');

/** What a run of steps needs beside the engine. */
export interface Run {
  readonly files: FileSet;
  /** The next step from where the database stands; undefined = none is left. */
  readonly next: (state: State) => Step | undefined;
  readonly options: Pick<MigratorOptions, 'signal' | 'onProgress'>;
}

/** Takes the lock for one step at a time until none is left; others may do some of them meanwhile. */
export async function runSteps(engine: MigrationEngine, run: Run): Promise<readonly Applied[]> {
  const applied: Applied[] = [];
  for (;;) {
    forbidAborted(run.options.signal);
    const done = await engine.locked((turn) => oneTurn(engine, run, turn));
    if (done === undefined) return applied;
    applied.push(done);
    run.options.onProgress?.({ kind: 'applied', ...done });
  }
}

async function oneTurn(engine: MigrationEngine, run: Run, turn: Turn): Promise<Applied | undefined> {
  const rows = await turn.log();
  const state = stateOf(rows);
  const step = run.next(state);
  if (step === undefined) return undefined;
  if (rows.length === 0 && (await turn.tablesExist())) throw logLost(step);
  const { direction, migration } = step;
  const can = { rerun: engine.rerunnable(migration), resume: engine.resumable(migration) };
  for (const partial of state.open) forbidPartial(partial, step, can);
  run.options.onProgress?.({ kind: 'started', id: migration.id, direction });
  // Here, not before: of many that start at once most find nothing left to do, and loading it is half of a start.
  const umzug = await import('umzug');
  let ms = 0;
  await turn.apply(step, async (verbs) => {
    ms = await runStep(umzug, run.files, state, step, verbs);
  });
  return { id: migration.id, direction, ms };
}

/** The log has a row before the first table is made, or in the same transaction: without rows it was lost. */
function logLost({ migration: { id } }: Step): MigrationError {
  const message = 'the tables of chronos are there, but chronos_migration_log has no rows: nothing was run';
  return new MigrationError(message, {
    reason: 'MIGRATION_MISSING',
    migration: id,
    hint: 'put the rows of chronos_migration_log back from a backup, or say with `baseline --at X` what was applied',
  });
}

/** Has umzug run one step of the whole list, with a storage that writes our log. Resolves to the time that the log has. */
async function runStep(
  { MigrationError: UmzugError, Umzug: Runner }: UmzugModule,
  files: FileSet,
  state: State,
  step: Step,
  verbs: StepVerbs,
): Promise<number> {
  const { id } = step.migration;
  const executed = [...state.inForce.keys()].filter((each) => each !== id || step.direction === 'down');
  const time = { from: 0, ms: 0 };
  const run = () => {
    time.from = performance.now();
    return verbs.run();
  };
  const logged = () => {
    time.ms = Math.round(performance.now() - time.from);
    return verbs.succeeded(time.ms);
  };
  const umzug: Umzug = new Runner({
    migrations: files.all.map((file) => ({ name: file.id, up: run, down: run })),
    storage: {
      executed: async () => executed,
      logMigration: logged,
      unlogMigration: logged,
    },
    logger: undefined,
  });
  try {
    await umzug[step.direction]({ migrations: [id] });
  } catch (error) {
    throw error instanceof UmzugError ? error.cause : error;
  }
  return time.ms;
}
