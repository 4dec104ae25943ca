import type { MigrationEngine } from './engines/engine.ts';
import type { FileSet } from './files.ts';
import { progressOf } from './partial.ts';
import { survey } from './plan.ts';
import type { State } from './state.ts';
import type { Applied, Report } from './types.ts';

/** Where a database stands, as `status` and every run tell it. */
export function reportOf(
  engine: MigrationEngine,
  files: FileSet,
  state: State,
  applied: readonly Applied[],
  findings: readonly string[] = [],
): Report {
  const found = survey(files, state);
  const newer = found.newer.map((row) => `${row.id} was applied by a newer chronos-storage`);
  const { partial } = state;
  const half = state.open.map((each) => `${each.id} (${each.direction}): ${progressOf(each)}`);
  // Of a file that is gone, or was renamed, it would be told for ever.
  const failed = found.pending.flatMap(({ id }) => {
    const why = state.failed.get(id);
    if (why === undefined) return [];
    return `${id} (up) failed when it was last run, and nothing of it stayed${why === '' ? '' : `: ${why}`}`;
  });
  const late = found.late.map((id) => `${id} sorts before a migration that is applied already`);
  return {
    engine: engine.dialectName,
    version: engine.version,
    target: engine.target,
    applied,
    current: found.current,
    pending: found.pending.map((file) => file.id),
    changed: found.changed,
    missing: found.missing,
    unseen: found.unseen,
    partial: partial?.id ?? null,
    findings: [...findings, ...half, ...failed, ...newer, ...late],
  };
}
