import type { MigrationEngine } from '../engines/engine.ts';
import type { FileSet } from '../files.ts';
import type { Granting } from '../grants/grant-to.ts';
import { planUp, type Step } from '../plan.ts';
import { reportOf } from '../report.ts';
import { runSteps } from '../run-steps.ts';
import { stateOf } from '../state.ts';
import type { PlannedStep, Report, UpOptions, UpReport } from '../types.ts';
import { type Context, reportNow, schemaOf } from './context.ts';

/** Applies what is pending: looks without the lock, then takes it for each migration and looks again. */
export async function up(context: Context, options: UpOptions): Promise<UpReport> {
  const { engine, files } = await context.source.read();
  const granting = await grantingTo(context, engine, options.grantTo);
  const state = stateOf(await engine.log());
  const steps = planUp(files, state, options);
  if (options.dryRun === true) {
    const grants = granting?.statements([...state.inForce.keys(), ...steps.map(idOf)]);
    const planned = steps.map((step) => plannedStep(engine, step));
    return { ...reportOf(engine, files, state, []), steps: planned, ...(grants && { grants }) };
  }
  const report = steps.length === 0 ? reportOf(engine, files, state, []) : await apply(context, files, steps);
  const grants = granting?.statements(report.current);
  if (grants !== undefined) await granting?.run(grants);
  return { ...report, steps: [], ...(grants && { grants }) };
}

async function apply(context: Context, files: FileSet, steps: readonly Step[]): Promise<Report> {
  const to = steps.at(-1)?.migration.id ?? '';
  const applied = await runSteps(await context.source.write(), {
    files,
    next: (now) => planUp(files, now, { to })[0],
    options: context.options,
  });
  return reportNow(context, applied);
}

/** Looked up before anything is touched: a role that is not there must stop the whole. */
async function grantingTo(
  context: Context,
  engine: MigrationEngine,
  role: string | undefined,
): Promise<Granting | undefined> {
  if (role === undefined) return undefined;
  const { granting } = await import('../grants/grant-to.ts');
  return granting(engine, schemaOf(context), role);
}

/** What `up` would run; touches nothing. */
export async function plan({ source }: Context, options: UpOptions): Promise<readonly PlannedStep[]> {
  const { engine, files } = await source.read();
  const steps = planUp(files, stateOf(await engine.log()), options);
  return steps.map((step) => plannedStep(engine, step));
}

function idOf(step: Step): string {
  return step.migration.id;
}

function plannedStep(engine: MigrationEngine, step: Step): PlannedStep {
  return { id: step.migration.id, direction: step.direction, sql: engine.sql(step) };
}
