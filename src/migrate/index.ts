export type { Config } from '../drivers/options.ts';
export { createMigrator } from './migrator.ts';
export type { MigratorTarget } from './source.ts';
export type {
  Applied,
  Check,
  Direction,
  DoctorReport,
  DownOptions,
  LogEntry,
  Migrator,
  MigratorOptions,
  PlannedStep,
  Progress,
  Report,
  UpOptions,
  UpReport,
  VerifyOptions,
  VerifyReport,
} from './types.ts';
