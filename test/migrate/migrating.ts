import { createMigrator, type Migrator, type MigratorOptions } from '../../src/migrate/index.ts';
import type { Language } from '../variants.ts';
import { targetOf } from './kept-open.ts';
import { connected } from './raw.ts';

/** Gives `work` a migrator of its own and closes it. */
export async function migrating<T>(
  url: string,
  options: MigratorOptions,
  work: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  const migrator = createMigrator(await targetOf(url), options);
  try {
    return await work(migrator);
  } finally {
    await migrator.close();
  }
}

/** One statement at a time: MySQL takes no more. */
export async function runAll(url: string, statements: readonly string[]): Promise<void> {
  await connected(url, async (connection) => {
    for (const text of statements) await connection.script(text);
  });
}

/** Runs what a check says that mends it. */
export function runMend(url: string, language: Language, mend: string | null | undefined): Promise<void> {
  const text = mend ?? 'nothing mends it';
  return runAll(url, language === 'mysql' ? text.split('; ') : [text]);
}

/** The same database for another login. */
export function asUser(url: string, user: string, password: string): string {
  const other = new URL(url);
  other.username = encodeURIComponent(user);
  other.password = encodeURIComponent(password);
  return other.href;
}
