import { InvalidArgumentError } from '../errors.ts';
import { FLAGS, type FlagName } from './options.ts';

/** Node's timers hold no more. */
const LONGEST = 2 ** 31 - 1;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `10s`, `500ms`, `2m`, `1h`; a plain number is seconds. */
export function duration(flag: FlagName, text: string): number {
  const [, digits = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = digits === '' ? Number.NaN : Math.round(Number(digits) * (UNITS[unit] ?? Number.NaN));
  const min = FLAGS[flag].min ?? 1;
  if (ms >= min && ms <= LONGEST) return ms;
  throw refused(flag, 'not a time', `write --${flag} 10s, 500ms or 2m; a plain number is seconds`);
}

/** A whole number from 1. */
export function count(flag: FlagName, text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= (FLAGS[flag].min ?? 1)) return number;
  throw refused(flag, 'not a whole number from 1', `write --${flag} 1, or leave it out`);
}

/** A mistake in a flag. The value is not repeated: it may be a secret that went astray. */
export function refused(flag: string, problem: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(`--${flag}`, problem, { reason: 'USAGE', hint });
}
