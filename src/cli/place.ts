import type { Report } from '../migrate/types.ts';

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
