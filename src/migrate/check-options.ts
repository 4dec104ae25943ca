import { InvalidArgumentError } from '../errors.ts';
import { checkSchema } from '../model/check.ts';
import { OURS } from './files.ts';
import type { MigratorOptions } from './types.ts';

/** Node's timers hold no more milliseconds. */
const LONGEST = 2 ** 31 - 1;
const TIMES = ['lockTimeout', 'idleLimit', 'statementTimeout', 'connectTimeout'] as const;

/** Throws InvalidArgumentError USAGE that names the option. */
export function checkOptions(options: MigratorOptions): void {
  for (const name of TIMES) {
    const ms = options[name];
    const least = name === 'lockTimeout' ? 0 : 1;
    if (ms !== undefined && !(Number.isInteger(ms) && ms >= least && ms <= LONGEST)) {
      throw wrong(name, `not a whole number of milliseconds from ${least} to ${LONGEST}`);
    }
  }
  if (options.schema !== undefined) checkSchema(options.schema);
  checkNamespace(options.namespace);
}

function checkNamespace(namespace: string | undefined): void {
  if (namespace === undefined) return;
  if (namespace === OURS) throw wrong('namespace', `${OURS} is the namespace of the built-in migrations`);
  if (!/^[A-Za-z][\w-]{0,62}$/.test(namespace)) {
    throw wrong('namespace', 'not a letter followed by at most 62 letters, digits, _ or -');
  }
}

function wrong(option: string, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(option, problem, { reason: 'USAGE' });
}
