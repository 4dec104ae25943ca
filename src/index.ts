export type { AppendOptions, DeleteSessionOptions, Storage, UpdateOptions } from './contract.ts';
export type { HostHandle } from './drivers/handles.ts';
export type { Config, StatementSeen } from './drivers/options.ts';
export type { TransactionHandle } from './drivers/transaction-handles.ts';
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
  SchemaTooNewError,
  UnavailableError,
  UnsupportedError,
} from './errors.ts';
export type { Report } from './migrate/types.ts';
export { clampLimit } from './model/check.ts';
export { newId } from './model/ids.ts';
export type {
  AuditLog,
  Checkpoint,
  Event,
  MemoryRecord,
  NewAuditLog,
  NewCheckpoint,
  NewEvent,
  NewMemoryRecord,
  NewSession,
  NewTrace,
  Session,
  SessionUpdate,
  Trace,
  TraceEnd,
} from './model/records.ts';
export type {
  Appended,
  AppendedAll,
  AuditLogPage,
  CheckpointPage,
  Direction,
  EventPage,
  MemoryFilter,
  MemoryPage,
  PageOptions,
  Removed,
  SavedWithEvent,
  SessionFilter,
  SessionPage,
  TracePage,
} from './model/results.ts';
export { DEFAULT_TENANT, tenantFromContext, withTenant } from './model/tenant.ts';
export {
  decodeSeqCursor,
  decodeStrCursor,
  encodeSeqCursor,
  encodeStrCursor,
} from './model/upstream-cursors.ts';
export { fromWire, toWire, type Wire, type WireKind, type WireRecords } from './model/wire.ts';
export { MemoryKind, SessionStatus, TraceKind } from './model/words.ts';
export { openStorage, type StorageOptions, type StorageTarget } from './open-storage.ts';
export { openVectorStore } from './open-vector-store.ts';
export {
  type BatchIngester,
  isBatchIngester,
  isPaginator,
  isRetention,
  type Paginator,
} from './optional-interfaces.ts';
export type {
  TrimByAgeOptions,
  TrimOptions,
  TrimProgress,
  TrimSessionsOptions,
} from './retention/options.ts';
export {
  applyRetention,
  type Retention,
  type RetentionPolicy,
  type RetentionResult,
} from './retention/policy.ts';
export type {
  Collection,
  CollectionOptions,
  Embedding,
  Explained,
  Filter,
  IndexOptions,
  OperatorOptions,
  SearchOptions,
  SearchResult,
  StoredEmbedding,
  VectorStore,
  Way,
} from './vector/types.ts';
