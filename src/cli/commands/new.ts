import type { CommandLine } from '../command-line.ts';
import type { Outcome } from '../outcome.ts';

/** Where files go that no `--dir` places. */
const DEFAULT_DIR = './migrations';

/** `chronos-migrate new NAME`: needs no database. */
export async function newFiles(line: CommandLine): Promise<Outcome> {
  const { newMigration } = await import('../../migrate/operations/new-migration.ts');
  const [name = ''] = line.words;
  const created = await newMigration({ dir: line.text('dir') ?? DEFAULT_DIR, name });
  return { report: {}, text: created.map((file) => `written: ${file}`).join('\n'), more: { created } };
}
