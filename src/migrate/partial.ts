import { MigrationError } from '../errors.ts';
import { OURS } from './files.ts';
import type { Partial } from './state.ts';
import type { Direction, Migration } from './types.ts';

/** How far a half-done migration came, in words: `2 of 5 statements done, statement 3 failed: …`. */
export function progressOf({ done, doubt, steps, failure }: Partial): string {
  const all = steps === null ? '' : ` of ${steps}`;
  const so = done === 0 && doubt !== null && (steps ?? 1) <= 1 ? '' : `${done}${all} statements done, `;
  if (doubt !== null) return `${so}how statement ${doubt} ended is not known`;
  if (failure !== null) return `${so}statement ${done + 1} failed${failure === '' ? '' : `: ${failure}`}`;
  return steps === null ? 'began and never ended' : `${so}statement ${done + 1} was not begun`;
}

/** MIGRATION_PARTIAL of a migration that an earlier run left half done. */
export function partialError(partial: Partial, hint: string): MigrationError {
  return new MigrationError(`${partial.id} (${partial.direction}) is half done: ${progressOf(partial)}`, {
    reason: 'MIGRATION_PARTIAL',
    migration: partial.id,
    hint,
    ...(partial.doubt === null ? {} : { statement: partial.doubt }),
  });
}

/** How a person settles what nobody else can know. */
export function repairHint({ id, namespace, doubt }: Pick<Partial, 'id' | 'namespace' | 'doubt'>): string {
  const folder =
    namespace === OURS ? '' : ` --dir DIR${namespace === 'app' ? '' : ` --namespace ${namespace}`}`;
  const word = `${doubt === null ? '' : ` --step ${doubt}`}${folder}`;
  return `look whether ${doubt === null ? 'it' : 'the statement'} took effect, then: chronos-migrate repair ${id} done${word}, or … again`;
}

/**
 * Throws MIGRATION_PARTIAL where one that is half done stands in the way of `next`. Only what was read under
 * the lock may be asked: without it the other half may be running.
 */
export function forbidPartial(
  partial: Partial,
  { direction, migration }: { readonly direction: Direction; readonly migration: Migration },
  can: { readonly rerun: boolean; readonly resume: boolean },
): void {
  if (partial.id !== migration.id) {
    if (partial.namespace === migration.namespace) throw partialError(partial, 'finish that one first');
    return;
  }
  // What may be run again from its start may also be applied anew over what a half-done `down` left.
  const onTheWay = partial.direction === direction || (can.rerun && direction === 'up');
  if (!onTheWay)
    throw partialError(partial, `run \`${partial.direction}\` first: it finishes what was begun`);
  if (!can.rerun && !can.resume) throw partialError(partial, repairHint(partial));
}
