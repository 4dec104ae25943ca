import { createMigrator, type MigratorTarget } from '../../src/migrate/index.ts';

/** Brings the built-in migrations of a database up: all, or up to and with `to`. */
export async function migrateUp(target: MigratorTarget, to?: string): Promise<void> {
  const migrator = createMigrator(target);
  try {
    await migrator.up(to === undefined ? {} : { to });
  } finally {
    await migrator.close();
  }
}

/** Takes the built-in migrations of a database down, so that `to` stays applied; `'0'` = none. */
export async function migrateDown(target: MigratorTarget, to: string): Promise<void> {
  const migrator = createMigrator(target);
  try {
    await migrator.down({ to, yes: true });
  } finally {
    await migrator.close();
  }
}
