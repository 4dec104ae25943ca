import type { Command } from '../outcome.ts';
import { place, unseenNote } from '../place.ts';

/** `chronos-migrate redo`: the lines of what it reverts and applies were printed as they came. */
export const redo: Command = async (migrator, line) => {
  const report = await migrator.redo({ yes: line.has('yes') });
  const [last] = report.applied;
  const text = last === undefined ? 'nothing to revert' : `${last.id} reverted and applied again`;
  return { report, text: `${text}\n${place(report)}`, ...unseenNote(report, line) };
};
