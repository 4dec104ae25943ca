import { MigrationError } from '../../errors.ts';
import { forbidOrphans } from '../collections-left.ts';
import type { FileSet } from '../files.ts';
import { lossLines, notConfirmed } from '../losses.ts';
import { planDown, planUp, type Reverting, type Step, without } from '../plan.ts';
import { reportOf } from '../report.ts';
import { runSteps } from '../run-steps.ts';
import type { Opened } from '../source.ts';
import { type State, stateOf } from '../state.ts';
import type { DownOptions, RedoOptions, Report } from '../types.ts';
import { type Context, reportNow } from './context.ts';
import { up } from './up.ts';

/** Reverts one migration unless told otherwise; refuses without `yes`, saying what would be lost. */
export async function down(context: Context, options: DownOptions): Promise<Report> {
  return revert(context, await context.source.read(), options);
}

/** What `down` and `redo` do alike. */
async function revert(
  context: Context,
  { engine, files, namespace }: Opened,
  options: DownOptions & Reverting,
): Promise<Report> {
  const state = stateOf(await engine.log());
  const steps = planDown(files, state, namespace, options);
  if (options.redo === true) forbidOneWay(files, state, steps);
  if (steps.length === 0) return reportOf(engine, files, state, []);
  await forbidOrphans(engine, steps);
  const lines = await lossLines(engine, steps);
  if (options.yes !== true) throw notConfirmed(steps, lines);
  for (const message of lines) context.options.onProgress?.({ kind: 'warning', message });
  const agreed = new Set(steps.map((step) => step.migration.id));
  const applied = await runSteps(await context.source.write(), {
    files,
    next: (now) => nextDown(files, now, namespace, { agreed, redo: options.redo === true }),
    options: context.options,
  });
  return reportNow(context, applied, lines);
}

/** Throws what would forbid the way up again, while nothing is reverted yet. */
function forbidOneWay(files: FileSet, state: State, steps: readonly Step[]): void {
  for (const { migration } of steps) planUp(files, without(state, migration.id), { to: migration.id });
}

/** Reverts the last migration and applies it again, as its file is now. */
export async function redo(context: Context, options: RedoOptions): Promise<Report> {
  const opened = await context.source.read();
  const reverted = await revert(context, opened, { ...options, step: 1, redo: true });
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
  { agreed, redo }: { readonly agreed: ReadonlySet<string>; readonly redo: boolean },
): Step | undefined {
  const left = [...state.inForce.keys()].filter((id) => agreed.has(id)).length;
  if (left === 0) return undefined;
  const [step] = planDown(files, state, namespace, { step: left, redo });
  if (step === undefined || agreed.has(step.migration.id)) return step;
  const message = `${step.migration.id} was applied by another process meanwhile`;
  throw new MigrationError(message, {
    reason: 'OUT_OF_ORDER',
    migration: step.migration.id,
    hint: 'look at the plan again and repeat',
  });
}
