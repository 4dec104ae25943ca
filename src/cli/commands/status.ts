import { MigrationError } from '../../errors.ts';
import type { Report } from '../../migrate/types.ts';
import type { Command } from '../outcome.ts';
import { migrations, place, unseenNote } from '../place.ts';

/** `chronos-migrate status`: changes nothing. With `--check` the exit code tells the worst that was found. */
export const status: Command = async (migrator, line) => {
  const report = await migrator.status();
  const failure = line.has('check') ? worst(report) : undefined;
  return {
    report,
    text: [place(report), ...sections(report)].join('\n'),
    ...unseenNote(report, line),
    ...(failure === undefined ? {} : { failure }),
  };
};

function sections(report: Report): string[] {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['applied', report.current],
    ['pending', report.pending],
    ['changed', report.changed],
    ['missing', report.missing],
    ['partial', report.partial === null ? [] : [report.partial]],
  ];
  return lists
    .filter(([name, ids]) => ids.length > 0 || name === 'applied' || name === 'pending')
    .flatMap(([name, ids]) => [`${name}: ${ids.length}`, ...ids.map((id) => `  ${id}`)]);
}

function worst(report: Report): MigrationError | undefined {
  const { partial } = report;
  const [changed] = report.changed;
  const [missing] = report.missing;
  if (partial !== null) {
    return failure(
      'MIGRATION_PARTIAL',
      `${partial} is half done`,
      'chronos-migrate up goes on, or says how to settle it',
      partial,
    );
  }
  if (changed !== undefined) {
    const hint = 'restore the file as it was applied; write changes as a new migration';
    return failure('CHECKSUM_MISMATCH', `the file of ${changed} is not what was applied`, hint, changed);
  }
  if (missing !== undefined) {
    const hint = 'bring its file back; for files of your own also give --dir and --namespace';
    return failure('MIGRATION_MISSING', `${missing} was applied and has no file`, hint, missing);
  }
  const pending = report.pending.length;
  if (pending === 0) return undefined;
  return failure('PENDING', `${migrations(pending)} pending`, 'run chronos-migrate up');
}

function failure(reason: MigrationError['reason'] & string, message: string, hint: string, migration = '') {
  return new MigrationError(message, { reason, hint, ...(migration === '' ? {} : { migration }) });
}
