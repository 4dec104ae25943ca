import type { Command } from '../outcome.ts';
import { migrations, place, unseenNote } from '../place.ts';

/** `chronos-migrate down`: the migrator refuses without `--yes` and says what would be lost. */
export const down: Command = async (migrator, line) => {
  const to = line.text('to');
  const step = line.count('step');
  const report = await migrator.down({
    ...(to === undefined ? {} : { to }),
    ...(step === undefined ? {} : { step }),
    yes: line.has('yes'),
  });
  const reverted = report.applied.length;
  const text = reverted === 0 ? 'nothing to revert' : `${migrations(reverted)} reverted`;
  const said = `${text}, ${report.current.length} in force\n${place(report)}`;
  return { report, text: said, ...unseenNote(report, line) };
};
