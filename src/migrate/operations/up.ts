import type { MigrationEngine } from '../engines/engine.ts';
import { planUp, type Step } from '../plan.ts';
import { reportOf } from '../report.ts';
import { runSteps } from '../run-steps.ts';
import { stateOf } from '../state.ts';
import type { PlannedStep, UpOptions, UpReport } from '../types.ts';
import { type Context, reportNow } from './context.ts';

/** Applies what is pending: looks without the lock, then takes it for each migration and looks again. */
export async function up(context: Context, options: UpOptions): Promise<UpReport> {
  const { engine, files } = await context.source.read();
  const state = stateOf(await engine.log());
  const steps = planUp(files, state, options);
  if (options.dryRun === true || steps.length === 0) {
    const planned = options.dryRun === true ? steps.map((step) => plannedStep(engine, step)) : [];
    return { ...reportOf(engine, files, state, []), steps: planned };
  }
  const to = steps.at(-1)?.migration.id ?? '';
  const applied = await runSteps(await context.source.write(), {
    files,
    next: (now) => planUp(files, now, { to })[0],
    options: context.options,
  });
  return { ...(await reportNow(context, applied)), steps: [] };
}

/** What `up` would run; touches nothing. */
export async function plan({ source }: Context, options: UpOptions): Promise<readonly PlannedStep[]> {
  const { engine, files } = await source.read();
  const steps = planUp(files, stateOf(await engine.log()), options);
  return steps.map((step) => plannedStep(engine, step));
}

function plannedStep(engine: MigrationEngine, step: Step): PlannedStep {
  return { id: step.migration.id, direction: step.direction, sql: engine.sql(step) };
}
