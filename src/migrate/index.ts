export type { Config } from '../drivers/options.ts';
export type { CodeContext, CodeMigration } from './knex-host.ts';
export { createMigrator } from './migrator.ts';
export { type NewMigrationOptions, newMigration } from './operations/new-migration.ts';
export type { MigratorTarget } from './source.ts';
export type {
  Applied,
  BaselineOptions,
  BaselineReport,
  Check,
  Direction,
  DoctorReport,
  DownOptions,
  LogEntry,
  Migrator,
  MigratorOptions,
  PlannedStep,
  Progress,
  RedoOptions,
  RepairOptions,
  Report,
  UnlockOptions,
  UnlockReport,
  UpOptions,
  UpReport,
  VerifyOptions,
  VerifyReport,
  WaitOptions,
} from './types.ts';
