import { checkLines, failureOf, tally } from '../checks.ts';
import type { Command } from '../outcome.ts';
import { place } from '../place.ts';

/** `chronos-migrate doctor`: changes nothing; exit 13 for a privilege or an extension, else 1, where a line failed. */
export const doctor: Command = async (migrator) => {
  const report = await migrator.doctor();
  const failure = failureOf(report);
  return {
    report,
    lines: checkLines(report.checks),
    text: `${tally(report.checks) || 'all is well'}\n${place(report)}`,
    more: { checks: report.checks, reason: report.reason },
    tellsFindings: true,
    ...(failure === undefined ? {} : { failure }),
  };
};
