import type { Command } from '../outcome.ts';
import { place } from '../place.ts';

/** `chronos-migrate wait`: exit 10 when something is still pending at the end. */
export const wait: Command = async (migrator, line) => {
  const timeout = line.duration('timeout');
  const report = await migrator.wait(timeout === undefined ? {} : { timeout });
  return { report, text: `nothing is pending\n${place(report)}` };
};
