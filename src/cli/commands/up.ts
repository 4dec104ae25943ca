import type { PlannedStep, UpOptions, UpReport } from '../../migrate/types.ts';
import type { CommandLine } from '../command-line.ts';
import type { Command } from '../outcome.ts';
import { left, migrations, place, unseenNote } from '../place.ts';

/** `chronos-migrate up`: the lines of what it applies were printed as they came. */
export const up: Command = async (migrator, line) => {
  const dryRun = line.has('dry-run');
  const report = await migrator.up({ ...chosen(line), dryRun });
  const grants = report.grants === undefined ? {} : { grants: report.grants };
  const note = unseenNote(report, line);
  if (dryRun) return { report, text: sqlOf(report), more: { steps: report.steps, ...grants }, ...note };
  return { report, text: `${summary(report)}${granted(line)}\n${place(report)}`, more: grants, ...note };
};

function chosen(line: CommandLine): Pick<UpOptions, 'to' | 'step' | 'grantTo'> {
  const to = line.text('to');
  const step = line.count('step');
  const grantTo = line.text('grant-to');
  return {
    ...(to === undefined ? {} : { to }),
    ...(step === undefined ? {} : { step }),
    ...(grantTo === undefined ? {} : { grantTo }),
  };
}

function granted(line: CommandLine): string {
  const role = line.text('grant-to');
  return role === undefined ? '' : `\ngranted to ${role} what a service needs`;
}

function summary(report: UpReport): string {
  const { applied } = report;
  return applied.length === 0 ? left(report) : `${migrations(applied.length)} applied, ${left(report)}`;
}

/** SQL that a DBA may run as it stands, so all else is a comment in it. */
function sqlOf(report: UpReport): string {
  const steps = report.steps.map(({ id, direction, sql }: PlannedStep) => {
    return `-- ${id} ${direction}\n${sql.trimEnd()}\n`;
  });
  return [
    `-- ${place(report)}\n-- dry run: ${migrations(steps.length)} would be applied, nothing was\n`,
    ...steps,
    ...(report.grants === undefined ? [] : ['-- grants', ...report.grants.map((text) => `${text};`)]),
  ]
    .join('\n')
    .trimEnd();
}
