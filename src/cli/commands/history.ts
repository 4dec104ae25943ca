import type { LogEntry } from '../../migrate/types.ts';
import type { Command } from '../outcome.ts';
import { place } from '../place.ts';
import { span } from '../span.ts';

/** `chronos-migrate history`: the log as it is, newest last. */
export const history: Command = async (migrator) => {
  const entries = await migrator.history();
  const report = await migrator.status();
  const lines = entries.length === 0 ? ['no migration was ever applied'] : table(entries.map(cells));
  return { report, text: [...lines, place(report)].join('\n'), more: { history: entries } };
};

function cells(entry: LogEntry): string[] {
  const step = entry.step === null ? '' : ` ${entry.step}${entry.steps === null ? '' : ` of ${entry.steps}`}`;
  const failed = [entry.errorCode, entry.errorMessage].filter((part) => part !== null).join(' ');
  return [
    entry.at.toISOString(),
    `${entry.direction} ${entry.namespace}:${entry.migration}`,
    `${entry.event}${step}`,
    entry.durationMs === null ? '' : span(entry.durationMs),
    `${entry.appliedBy}@${entry.host}`,
    entry.toolVersion,
    failed,
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
