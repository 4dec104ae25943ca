import type { Command } from '../outcome.ts';

/** `chronos-migrate unlock`: names the holder of the lock, and ends its session with `--force`. */
export const unlock: Command = async (migrator, line) => {
  const { engine, target, holder, ended } = await migrator.unlock({ force: line.has('force') });
  const lines =
    holder === null
      ? ['nobody holds the lock']
      : [`held by ${holder}`, ended ? 'ended: the lock is free' : 'chronos-migrate unlock --force ends it'];
  const text = [...lines, `database: ${target} (${engine})`].join('\n');
  return { report: { engine, target }, text, more: { holder, ended } };
};
