import { InvalidArgumentError } from '../../errors.ts';
import type { Command } from '../outcome.ts';
import { left, place } from '../place.ts';

/** `chronos-migrate repair ID [--step N] done|again`. */
export const repair: Command = async (migrator, line) => {
  const [migration = '', as = ''] = line.words;
  if (as !== 'done' && as !== 'again') {
    throw new InvalidArgumentError('repair', 'the last word is neither done nor again', {
      reason: 'USAGE',
      hint: 'done: it took effect; again: it did not, and is to run again',
    });
  }
  const step = line.count('step');
  const report = await migrator.repair({ migration, as, ...(step === undefined ? {} : { step }) });
  const hint = report.pending.length === 0 ? '' : ': run up';
  return { report, text: `logged, ${left(report)}${hint}\n${place(report)}` };
};
