import type { Report } from '../migrate/types.ts';
import type { CommandLine } from './command-line.ts';
import type { Outcome } from './outcome.ts';

/** Where a database is and what it is, on one line. */
export function place(report: Pick<Report, 'target' | 'engine' | 'version'>): string {
  return `database: ${report.target} (${report.engine} ${report.version})`;
}

/** `1 migration`, `3 migrations`. */
export function migrations(n: number): string {
  return `${n} migration${n === 1 ? '' : 's'}`;
}

/** What is left to do, in words. */
export function left({ pending, partial }: Pick<Report, 'pending' | 'partial'>): string {
  if (pending.length > 0) return `${pending.length} still pending`;
  return partial === null ? 'nothing is pending' : `${partial} stands half done`;
}

/** What to say of the migrations of a host whose files were not given. Whoever gives a folder knows of the others. */
export function unseenNote(
  { unseen = [] }: Partial<Pick<Report, 'unseen'>>,
  line: CommandLine,
): Pick<Outcome, 'note'> {
  if (unseen.length === 0 || line.has('dir')) return {};
  const whose = `${unseen.length === 1 ? 'the namespace' : 'the namespaces'} ${unseen.join(', ')}`;
  return { note: `migrations of ${whose} were not looked at: give their folder with --dir` };
}
