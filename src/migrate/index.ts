export type { Config } from '../drivers/options.ts';
export { createMigrator } from './migrator.ts';
export type { MigratorTarget } from './source.ts';
export type {
  Applied,
  Direction,
  DownOptions,
  LogEntry,
  Migrator,
  MigratorOptions,
  PlannedStep,
  Progress,
  Report,
  UpOptions,
  UpReport,
} from './types.ts';
