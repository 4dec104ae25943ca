import { ChronosError, MigrationError, type Reason } from '../errors.ts';
import { blockerOf } from './blocker.ts';
import type { Step } from './plan.ts';
import { engineWords } from './text/engine-words.ts';

/** A step's error, and what the log says of it. */
export interface StepFailure {
  readonly error: MigrationError;
  readonly code: string;
  readonly message: string;
  /** Whether the server's answer was lost: nobody knows how the statement ended. */
  readonly unknown: boolean;
}

/** Reasons that say more than MIGRATION_FAILED does. */
const OWN_REASONS: ReadonlySet<Reason | undefined> = new Set<Reason>([
  'PRIVILEGE',
  'EXTENSION_MISSING',
  'STORAGE_FULL',
  'READ_ONLY',
  'CONNECTION_LOST',
  'INTERRUPTED',
]);

const HINTS: Readonly<Partial<Record<Reason, string>>> = {
  MIGRATION_FAILED: 'nothing of it stayed; mend the file or the data and run `up` again',
  MIGRATION_PARTIAL:
    'the statements before it stay; mend the cause, or the file from that statement on, and run `up` again',
  CONTENTION: 'another session holds a lock on the table; nothing of it stayed, run it again',
  TIMEOUT: 'nothing of it stayed; raise the statement timeout and run it again',
  CONNECTION_LOST: 'run it again: it first looks at what was committed',
  INTERRUPTED: 'run it again',
};

/** Which statement failed, where the engine runs them one by one or tells where it was. */
export interface Place {
  /** From 1. */
  readonly statement: number;
  readonly statements: number;
  readonly line: number;
  /** Whether the statements before it went with it. */
  readonly undone?: boolean;
}

/** What an error means for the step in which it arose. */
export function stepFailure(step: Step, thrown: unknown, place?: Place): StepFailure {
  const known = thrown instanceof ChronosError ? thrown : undefined;
  const failed: Reason =
    place !== undefined && place.statement > 1 && place.undone !== true
      ? 'MIGRATION_PARTIAL'
      : 'MIGRATION_FAILED';
  const own = known?.reason !== undefined && OWN_REASONS.has(known.reason) ? known.reason : undefined;
  const reason = own ?? failed;
  const { up, down = '' } = step.migration;
  const { code, text } = engineWords(thrown, step.direction === 'up' ? up : down);
  const where =
    place === undefined ? '' : ` at statement ${place.statement} of ${place.statements}, line ${place.line}`;
  const blocker = blockerOf(thrown);
  const waited = blocker === undefined ? '' : `, behind ${blocker}`;
  const { id } = step.migration;
  const hint = (known?.reason && HINTS[known.reason]) ?? known?.hint ?? HINTS[failed] ?? '';
  const verb = reason === 'INTERRUPTED' ? 'was interrupted' : 'failed';
  const error = new MigrationError(`${id} (${step.direction}) ${verb}${where}: ${text}${waited}`, {
    reason,
    migration: id,
    hint,
    cause: thrown,
    ...(place === undefined ? {} : { statement: place.statement }),
  });
  return { error, code: code ?? reason, message: text, unknown: reason === 'CONNECTION_LOST' };
}
