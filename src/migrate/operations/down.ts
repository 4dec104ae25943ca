import { MigrationError } from '../../errors.ts';
import type { FileSet } from '../files.ts';
import { lossLines, notConfirmed } from '../losses.ts';
import { planDown, type Step } from '../plan.ts';
import { reportOf } from '../report.ts';
import { runSteps } from '../run-steps.ts';
import { type State, stateOf } from '../state.ts';
import type { DownOptions, RedoOptions, Report } from '../types.ts';
import { type Context, reportNow } from './context.ts';
import { up } from './up.ts';

/** Reverts one migration unless told otherwise; refuses without `yes`, saying what would be lost. */
export async function down(context: Context, options: DownOptions): Promise<Report> {
  const { engine, files, namespace } = await context.source.read();
  const state = stateOf(await engine.log());
  const steps = planDown(files, state, namespace, options);
  if (steps.length === 0) return reportOf(engine, files, state, []);
  const lines = await lossLines(engine, steps);
  if (options.yes !== true) throw notConfirmed(steps, lines);
  for (const message of lines) context.options.onProgress?.({ kind: 'warning', message });
  const agreed = new Set(steps.map((step) => step.migration.id));
  const applied = await runSteps(await context.source.write(), {
    files,
    next: (now) => nextDown(files, now, namespace, agreed),
    options: context.options,
  });
  return reportNow(context, applied, lines);
}

/** Reverts the last migration and applies it again. */
export async function redo(context: Context, options: RedoOptions): Promise<Report> {
  const reverted = await down(context, { step: 1, ...options });
  const [last] = reverted.applied;
  if (last === undefined) return reverted;
  const { steps: _, ...report } = await up(context, { to: last.id });
  return { ...report, applied: [...reverted.applied, ...report.applied] };
}

/** The newest migration that was agreed to be reverted; what came on top of it meanwhile was not agreed to. */
function nextDown(
  files: FileSet,
  state: State,
  namespace: string,
  agreed: ReadonlySet<string>,
): Step | undefined {
  const left = [...state.inForce.keys()].filter((id) => agreed.has(id)).length;
  if (left === 0) return undefined;
  const [step] = planDown(files, state, namespace, { step: left });
  if (step === undefined || agreed.has(step.migration.id)) return step;
  const message = `${step.migration.id} was applied by another process meanwhile`;
  throw new MigrationError(message, {
    reason: 'OUT_OF_ORDER',
    migration: step.migration.id,
    hint: 'look at the plan again and repeat',
  });
}
