import { InvalidArgumentError } from '../errors.ts';
import type { Migration } from './types.ts';

/** Throws InvalidArgumentError USAGE where `to` and `step` make no sense. */
export function checkStep(options: { readonly to?: string; readonly step?: number }): void {
  const { to, step } = options;
  if (step === undefined) return;
  if (to !== undefined) {
    throw new InvalidArgumentError('step', 'given beside `to`', {
      reason: 'USAGE',
      hint: 'give one of the two',
    });
  }
  if (!Number.isSafeInteger(step) || step < 1) {
    throw new InvalidArgumentError('step', 'not a whole number from 1', { reason: 'USAGE' });
  }
}

/** Whether a word names a migration: `NNNN` or `NNNN_name`, each with its namespace or without. */
export function isNamed({ id, name }: Pick<Migration, 'id' | 'name'>, word: string): boolean {
  const space = id.slice(0, id.length - name.length);
  return [name, name.slice(0, 4)].some((one) => word === one || word === space + one);
}

/** The one migration that {@link isNamed} so; else InvalidArgumentError UNKNOWN_TARGET. */
export function locate(word: string, among: readonly Migration[], argument = 'to'): Migration {
  const found = among.filter((one) => isNamed(one, word));
  const [only, second] = found;
  if (only === undefined)
    throw unknown(word, `there is no such migration; there are ${listed(among)}`, argument);
  if (second !== undefined) throw unknown(word, `it may be ${listed(found)}; write one of these`, argument);
  return only;
}

/** How many of `applied` (newest first, of one namespace) `down` reverts. */
export function leaving(
  options: { readonly to?: string; readonly step?: number },
  applied: readonly Migration[],
  namespace: string,
): number {
  if (options.to === undefined) return options.step ?? 1;
  if (options.to === '0') return applied.length;
  const [, space] = /^([^:]*):/.exec(options.to) ?? [];
  if (space !== undefined && space !== namespace) {
    throw unknown(options.to, `this down acts on the namespace ${namespace}`);
  }
  return applied.indexOf(locate(options.to, applied));
}

function listed(migrations: readonly Migration[]): string {
  if (migrations.length === 0) return 'none';
  const ids = migrations.map(({ id }) => id);
  return ids.length <= 8 ? ids.join(', ') : `${ids.slice(0, 7).join(', ')} and ${ids.length - 7} more`;
}

function unknown(word: string, problem: string, argument = 'to'): InvalidArgumentError {
  return new InvalidArgumentError(argument, `${JSON.stringify(word.slice(0, 80))}: ${problem}`, {
    reason: 'UNKNOWN_TARGET',
    hint: 'name it NNNN, NNNN_name or namespace:NNNN_name',
  });
}
