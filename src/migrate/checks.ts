import type { Reason } from '../errors.ts';
import type { Check } from './types.ts';

/** Reasons of a `fail`, worst first. */
const WORST: readonly Reason[] = [
  'MIGRATION_PARTIAL',
  'SCHEMA_TOO_NEW',
  'MIGRATION_MISSING',
  'CHECKSUM_MISMATCH',
  'DRIFT',
  'PRIVILEGE',
  'EXTENSION_MISSING',
];

/** A line that is as it should be. */
export function ok(subject: string, message: string): Check {
  return { level: 'ok', subject, message, mend: null };
}

/** A line that may be meant. */
export function warn(subject: string, message: string, mend: string | null): Check {
  return { level: 'warn', subject, message, mend };
}

/** A line that must be mended. */
export function fail(reason: Reason, subject: string, message: string, mend: string): Check {
  return { level: 'fail', subject, message, mend, reason };
}

/** What decides the exit code; null = nothing failed. */
export function worstReason(checks: readonly Check[]): Reason | null {
  const reasons = checks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return WORST.find((reason) => reasons.includes(reason)) ?? reasons[0] ?? null;
}

/** Each line that is not as it should be, as `findings` has it. */
export function findingsOf(checks: readonly Check[]): readonly string[] {
  return checks
    .filter(({ level }) => level !== 'ok')
    .map(
      ({ subject, message, mend }) => `${subject}: ${message}${mend === null ? '' : `; to mend it: ${mend}`}`,
    );
}
