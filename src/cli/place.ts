import type { Report } from '../migrate/types.ts';

/** Where a database is and what it is, on one line. */
export function place(report: Pick<Report, 'engine' | 'version' | 'target'>): string {
  return `database: ${report.target} (${report.engine} ${report.version})`;
}

/** `1 migration`, `3 migrations`. */
export function migrations(n: number): string {
  return `${n} migration${n === 1 ? '' : 's'}`;
}
