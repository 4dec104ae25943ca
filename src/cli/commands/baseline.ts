import type { Command } from '../outcome.ts';
import { migrations, place } from '../place.ts';
import { refused } from '../values.ts';

/** `chronos-migrate baseline`: what was taken as applied. */
export const baseline: Command = async (migrator, line) => {
  const at = line.text('at');
  if (at === undefined)
    throw refused('at', 'is needed', 'name the last migration that the tables already have');
  const report = await migrator.baseline({ at });
  const { baselined } = report;
  const said =
    baselined.length === 0 ? 'nothing to log' : `${migrations(baselined.length)} logged as applied`;
  const lines = [said, ...baselined.map((id) => `  ${id}`), place(report)];
  return { report, text: lines.join('\n'), more: { baselined } };
};
