import { type FileSet, OURS } from './files.ts';
import { checkStep, leaving, locate } from './goal.ts';
import { edited, fileMissing, noStatement, noWayBack, outOfOrder, tooNew } from './refusals.ts';
import { halfDoneOf, type InForce, type Partial, type State, standing } from './state.ts';
import type { Direction, DownOptions, Migration, UpOptions } from './types.ts';

/** One migration to apply or revert. */
export interface Step {
  readonly migration: Migration;
  readonly direction: Direction;
  /** Where an earlier run left it half done; null = it did not. */
  readonly partial: Partial | null;
}

/** Files held against the log. */
export interface Survey {
  readonly current: readonly string[];
  readonly pending: readonly Migration[];
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Applied, and after the last of ours: a newer version of the library did it. */
  readonly newer: readonly InForce[];
  /** Files that sort before one that is applied. */
  readonly late: readonly string[];
  /** Namespaces in force whose files were not given: nothing of them was looked at. */
  readonly unseen: readonly string[];
}

/** Compares files with what is in force; rows of other namespaces are left alone. */
export function survey({ all: files, namespaces }: FileSet, state: State): Survey {
  const byId = new Map(files.map((file) => [file.id, file]));
  const rows = [...state.inForce.values()];
  const inForce = rows.filter((row) => namespaces.includes(row.namespace));
  const halfReverted = new Set(
    state.open.filter(({ direction }) => direction === 'down').map(({ id }) => id),
  );
  const pending = files.filter((file) => !state.inForce.has(file.id) || halfReverted.has(file.id));
  const lastOurs = files.findLast((file) => file.namespace === OURS)?.name ?? '';
  const unknown = inForce.filter((row) => !byId.has(row.id));
  const newer = unknown.filter((row) => row.namespace === OURS && row.name > lastOurs);
  return {
    current: [...state.inForce.keys()],
    pending,
    changed: inForce.filter((row) => differs(row, byId.get(row.id))).map((row) => row.id),
    missing: [
      ...unknown.filter((row) => !newer.includes(row)).map((row) => row.id),
      ...halfDoneWithoutFile(files, namespaces, state),
    ],
    newer,
    unseen: [...new Set(rows.filter((row) => !inForce.includes(row)).map((row) => row.namespace))],
    late: pending
      .filter((file) => !halfReverted.has(file.id) && isLate(file, inForce))
      .map((file) => file.id),
  };
}

/** What began here and has no file any more is as missing as what was applied; of ours a newer version may have begun it. */
function halfDoneWithoutFile(
  files: readonly Migration[],
  namespaces: readonly string[],
  { inForce, open }: State,
): readonly string[] {
  return open
    .filter(({ id, namespace }) => namespace !== OURS && namespaces.includes(namespace) && !inForce.has(id))
    .map(({ id }) => id)
    .filter((id) => !files.some((file) => file.id === id));
}

function differs(row: InForce, file: Migration | undefined): boolean {
  return (
    file !== undefined && row.checksum !== null && file.checksum !== null && row.checksum !== file.checksum
  );
}

function isLate(file: Migration, inForce: readonly InForce[]): boolean {
  return inForce.some((row) => row.namespace === file.namespace && row.name > file.name);
}

/** The state that a migration leaves which is reverted now. */
export function without(state: State, id: string): State {
  const inForce = new Map([...state.inForce].filter(([each]) => each !== id));
  return { ...state, inForce, ...standing(state.open.filter((partial) => partial.id !== id)) };
}

/**
 * The steps of `up`, in order. Throws what forbids them: {@link MigrationError} SCHEMA_TOO_NEW,
 * MIGRATION_MISSING, CHECKSUM_MISMATCH or OUT_OF_ORDER, or InvalidArgumentError UNKNOWN_TARGET, or USAGE of a file without
 * a statement.
 */
export function planUp(
  files: FileSet,
  state: State,
  options: Pick<UpOptions, 'to' | 'step'> = {},
): readonly Step[] {
  checkStep(options);
  const found = survey(files, state);
  forbidBroken(found, state);
  const [changed] = found.changed;
  if (changed !== undefined) throw edited(changed, files.all);
  const [late] = found.late;
  if (late !== undefined) throw outOfOrder(late);
  const { all } = files;
  const end = options.to === undefined ? all.length : all.indexOf(locate(options.to, all)) + 1;
  const wanted = new Set(all.slice(0, end));
  const steps = found.pending.filter((file) => wanted.has(file)).slice(0, options.step);
  return steps.map((migration) => step(migration, 'up', state));
}

/** What a `down` reverts. */
export interface Reverting extends Pick<DownOptions, 'to' | 'step'> {
  /** Whether what is reverted is applied again: then the last one, of a host, may have been edited since. */
  readonly redo?: boolean;
}

/**
 * The steps of `down` in one namespace, newest first. Throws as {@link planUp} does, and IRREVERSIBLE before
 * anything is touched.
 */
export function planDown(
  files: FileSet,
  state: State,
  namespace: string,
  options: Reverting = {},
): readonly Step[] {
  checkStep(options);
  const own = files.all.filter((file) => file.namespace === namespace);
  const found = survey({ all: own, namespaces: [namespace] }, state);
  forbidBroken(found, state);
  const last = namespace === OURS ? undefined : own.findLast((file) => state.inForce.has(file.id))?.id;
  const changed = found.changed.find((id) => options.redo !== true || id !== last);
  if (changed !== undefined) throw edited(changed, own, { isLast: changed === last });
  const [newer] = found.newer;
  if (newer !== undefined) throw tooNew(newer.id);
  const applied = own.filter((file) => state.inForce.has(file.id)).reverse();
  const steps = applied.slice(0, leaving(options, applied, namespace));
  const irreversible = steps.find((file) => file.down === undefined);
  if (irreversible !== undefined) throw noWayBack(irreversible.id);
  return steps.map((migration) => step(migration, 'down', state));
}

function step(migration: Migration, direction: Direction, state: State): Step {
  const file = migration.empty?.[direction];
  if (file !== undefined) throw noStatement(file, direction);
  return { migration, direction, partial: halfDoneOf(state, migration.id) };
}

/** How a migration stands whose file is gone. */
export function missingFile(id: string, state: State): string {
  return halfDoneOf(state, id)
    ? 'is half done, but its file is missing'
    : 'is applied, but its file is missing';
}

function forbidBroken(found: Survey, state: State): void {
  const breaking = found.newer.find((row) => row.directives.includes('breaking'));
  if (breaking !== undefined) throw tooNew(breaking.id);
  const [missing] = found.missing;
  if (missing !== undefined) throw fileMissing(missing, missingFile(missing, state));
}
