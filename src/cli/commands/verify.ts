import { checkLines, failureOf, tally } from '../checks.ts';
import type { Command } from '../outcome.ts';
import { migrations, place, unseenNote } from '../place.ts';

/** `chronos-migrate verify`: changes nothing; the exit code tells the worst that was found. */
export const verify: Command = async (migrator, line) => {
  const appRole = line.text('app-role');
  const report = await migrator.verify(appRole === undefined ? {} : { appRole });
  const failure = failureOf(report);
  const verified = report.current.filter((id) => !report.unseen.some((one) => id.startsWith(`${one}:`)));
  const summary = tally(report.checks) || 'nothing differs';
  const pending =
    report.pending.length === 0 ? '' : `; ${report.pending.length} pending: chronos-migrate status`;
  return {
    report,
    lines: checkLines(report.checks),
    text: `verified ${migrations(verified.length)}: ${summary}${pending}\n${place(report)}`,
    more: { checks: report.checks, reason: report.reason },
    tellsFindings: true,
    ...unseenNote(report, line),
    ...(failure === undefined ? {} : { failure }),
  };
};
