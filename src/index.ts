export type { HostHandle } from './drivers/handles.ts';
export type { Config, StatementSeen } from './drivers/options.ts';
export {
  AlreadyExistsError,
  ChronosError,
  ClosedError,
  ConflictError,
  type ErrorCode,
  InvalidArgumentError,
  InvalidCursorError,
  MigrationError,
  NotFoundError,
  type Reason,
  SchemaOutOfDateError,
  UnavailableError,
  UnsupportedError,
} from './errors.ts';
export type { Report } from './migrate/types.ts';
export { clampLimit } from './model/check.ts';
export { newId } from './model/ids.ts';
export {
  type Appended,
  type AppendedAll,
  type Direction,
  type Event,
  type EventPage,
  type NewEvent,
  type NewSession,
  type PageOptions,
  type Session,
  type SessionFilter,
  type SessionPage,
  SessionStatus,
  type SessionUpdate,
} from './model/records.ts';
export { DEFAULT_TENANT, tenantFromContext, withTenant } from './model/tenant.ts';
export { openStorage, type StorageOptions, type StorageTarget } from './open-storage.ts';
export type { Storage, UpdateOptions } from './storage.ts';
