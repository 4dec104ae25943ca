import { MigrationError } from '../errors.ts';
import type { Check, DoctorReport } from '../migrate/types.ts';
import type { Line } from './outcome.ts';

const INKS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
/** A longer subject, a role's name perhaps, does not push all other lines to the right. */
const WIDEST = 28;

/** A line for each check, aligned, and below it what mends it. */
export function checkLines(checks: readonly Check[]): readonly Line[] {
  const width = Math.min(WIDEST, Math.max(...checks.map(({ subject }) => subject.length), 0));
  return checks.flatMap(({ level, subject, message, mend }) => [
    { text: `${level.padEnd(4)}  ${subject.padEnd(width)}  ${message}`, ink: INKS[level] },
    ...(mend === null ? [] : [{ text: `${''.padEnd(4 + 2 + width + 2)}to mend it: ${mend}` }]),
  ]);
}

/** `1 failed, 2 warnings`; '' = neither. */
export function tally(checks: readonly Check[]): string {
  const count = (level: Check['level']) => checks.filter((check) => check.level === level).length;
  const [failed, warned] = [count('fail'), count('warn')];
  return [
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(warned === 0 ? [] : [`${warned} warning${warned === 1 ? '' : 's'}`]),
  ].join(', ');
}

/** The worst that was found, which decides the exit code; undefined = nothing failed. */
export function failureOf({
  reason,
  checks,
}: Pick<DoctorReport, 'reason' | 'checks'>): MigrationError | undefined {
  if (reason === null) return undefined;
  const failed = checks.filter(({ level }) => level === 'fail').length;
  const worst = checks.find((check) => check.reason === reason);
  const count = failed === 1 ? '1 check failed' : `${failed} checks failed, the worst`;
  return new MigrationError(`${count}: ${worst?.subject}: ${worst?.message}`, {
    reason,
    hint: failed === 1 ? 'its line says what mends it' : 'their lines say what mends them',
  });
}
