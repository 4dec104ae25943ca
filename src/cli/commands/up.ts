import type { PlannedStep, UpReport } from '../../migrate/types.ts';
import type { CommandLine } from '../command-line.ts';
import type { Command } from '../outcome.ts';
import { migrations, place } from '../place.ts';

/** `chronos-migrate up`: the lines of what it applies were printed as they came. */
export const up: Command = async (migrator, line) => {
  const dryRun = line.has('dry-run');
  const report = await migrator.up({ ...chosen(line), dryRun });
  if (dryRun) return { report, text: sqlOf(report), more: { steps: report.steps } };
  return { report, text: `${summary(report)}\n${place(report)}` };
};

function chosen(line: CommandLine): { to?: string; step?: number } {
  const to = line.text('to');
  const step = line.count('step');
  return { ...(to === undefined ? {} : { to }), ...(step === undefined ? {} : { step }) };
}

function summary(report: UpReport): string {
  const left = report.pending.length === 0 ? 'nothing is pending' : `${report.pending.length} still pending`;
  return report.applied.length === 0 ? left : `${migrations(report.applied.length)} applied, ${left}`;
}

/** SQL that a DBA may run as it stands, so all else is a comment in it. */
function sqlOf(report: UpReport): string {
  const steps = report.steps.map(({ id, direction, sql }: PlannedStep) => {
    return `-- ${id} ${direction}\n${sql.trimEnd()}\n`;
  });
  return [
    `-- ${place(report)}\n-- dry run: ${migrations(steps.length)} would be applied, nothing was\n`,
    ...steps,
  ]
    .join('\n')
    .trimEnd();
}
