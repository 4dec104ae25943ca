/** The stable word of each error class. Branch on it, or on the class. */
export type ErrorCode =
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'CONFLICT'
  | 'INVALID_ARGUMENT'
  | 'INVALID_CURSOR'
  | 'UNSUPPORTED'
  | 'UNAVAILABLE'
  | 'SCHEMA_OUT_OF_DATE'
  | 'SCHEMA_TOO_NEW'
  | 'MIGRATION'
  | 'CLOSED';

/**
 * The finer word behind a code: what `chronos-migrate --json` prints as `error.code`, and what decides its
 * exit code.
 */
export type Reason =
  | 'USAGE'
  | 'BAD_URL'
  | 'UNKNOWN_TARGET'
  | 'DRIVER_MISSING'
  | 'CONNECT_REFUSED'
  | 'CONNECT_TIMEOUT'
  | 'AUTH_FAILED'
  | 'TLS_FAILED'
  | 'CONNECTION_LOST'
  | 'POOL_EXHAUSTED'
  | 'CONTENTION'
  | 'TIMEOUT'
  | 'DATABASE_ERROR'
  | 'LOCK_TIMEOUT'
  | 'MIGRATION_FAILED'
  | 'MIGRATION_PARTIAL'
  | 'CHECKSUM_MISMATCH'
  | 'MIGRATION_MISSING'
  | 'OUT_OF_ORDER'
  | 'DRIFT'
  | 'PENDING'
  | 'NOT_CONFIRMED'
  | 'IRREVERSIBLE'
  | 'SCHEMA_TOO_NEW'
  | 'PRIVILEGE'
  | 'EXTENSION_MISSING'
  | 'STORAGE_FULL'
  | 'READ_ONLY'
  | 'INTERRUPTED';

/** What an error carries beside its message. */
export interface ErrorFacts {
  /** The error below, as the driver threw it. */
  readonly cause?: unknown;
  /** The finer word, where there is one. */
  readonly reason?: Reason;
  /** One sentence that says what mends it. */
  readonly hint?: string;
  /** What was done before the error, where that stays: the number of rows removed, or what `applyRetention` resolves to. */
  readonly partial?: unknown;
}

/**
 * What every error of this package extends. Messages never hold passwords, payloads or bound parameters; a
 * driver's own error is kept as `cause` only.
 */
export abstract class ChronosError extends Error {
  /** The stable word of the class. */
  abstract readonly code: ErrorCode;
  /** The finer word, where there is one. */
  readonly reason?: Reason;
  /** One sentence that says what mends it. */
  readonly hint?: string;
  /** What was done before the error, where that stays: the number of rows removed, or what `applyRetention` resolves to. */
  partial?: unknown;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    if (facts.reason !== undefined) this.reason = facts.reason;
    if (facts.hint !== undefined) this.hint = facts.hint;
    if (facts.partial !== undefined) this.partial = facts.partial;
  }
}

/** What a {@link NotFoundError} carries. */
export interface NotFoundFacts extends ErrorFacts {
  /** What the message calls it, where it is known by a name and not by an id. */
  readonly called?: string;
}

/** No such record in this tenant. */
export class NotFoundError extends ChronosError {
  readonly code = 'NOT_FOUND';
  /** The kind of record, for example `session`. */
  readonly record: string;
  /** The id, or name, that was asked for. */
  readonly id: string;

  constructor(record: string, id: string, facts: NotFoundFacts = {}) {
    super(`no ${record} ${facts.called ?? 'with this id in this tenant'}`, facts);
    this.record = record;
    this.id = id;
  }
}

/** The id is taken in this tenant. */
export class AlreadyExistsError extends ChronosError {
  readonly code = 'ALREADY_EXISTS';
  /** The kind of record, for example `session`. */
  readonly record: string;
  /** The id that is taken, when it is known. */
  readonly id?: string;

  constructor(record: string, id?: string, facts?: ErrorFacts) {
    super(`a ${record} with this id exists already in this tenant`, facts);
    this.record = record;
    if (id !== undefined) this.id = id;
  }
}

/** What a {@link ConflictError} carries. */
export interface ConflictFacts extends ErrorFacts {
  /** The head that `appendEvents` was told to expect. */
  readonly expectedSeq?: number;
  /** The head that the session has; 0 = none. */
  readonly actualSeq?: number;
}

/** The record is not in the state that the caller named. */
export class ConflictError extends ChronosError {
  readonly code = 'CONFLICT';
  /** The head that `appendEvents` was told to expect. */
  readonly expectedSeq?: number;
  /** The head that the session has; 0 = none. */
  readonly actualSeq?: number;

  constructor(message: string, facts: ConflictFacts = {}) {
    super(message, facts);
    if (facts.expectedSeq !== undefined) this.expectedSeq = facts.expectedSeq;
    if (facts.actualSeq !== undefined) this.actualSeq = facts.actualSeq;
  }
}

/** An argument that can never work; nothing was sent. */
export class InvalidArgumentError extends ChronosError {
  readonly code = 'INVALID_ARGUMENT';
  /** The argument or field path at fault, for example `payload.items[3]`. */
  readonly argument: string;

  constructor(argument: string, problem: string, facts?: ErrorFacts) {
    super(`${argument}: ${problem}`, facts);
    this.argument = argument;
  }
}

/** A page cursor that is damaged, or belongs to another method or direction. */
export class InvalidCursorError extends ChronosError {
  readonly code = 'INVALID_CURSOR';
}

/** This engine, driver or handle cannot do it. */
export class UnsupportedError extends ChronosError {
  readonly code = 'UNSUPPORTED';
}

/** What an {@link UnavailableError} carries. */
export interface UnavailableFacts extends ErrorFacts {
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** Whether the statement may have been applied all the same (a connection lost after sending). Default false. */
  readonly maybeApplied?: boolean;
  /** Whether the server ended the surrounding transaction. Default false. */
  readonly transactionLost?: boolean;
}

/** The database could not be reached or could not do it now; `reason` tells which. */
export class UnavailableError extends ChronosError {
  readonly code = 'UNAVAILABLE';
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether the statement may have been applied all the same. */
  readonly maybeApplied: boolean;
  /** Whether the server ended the surrounding transaction. */
  readonly transactionLost: boolean;

  constructor(message: string, facts: UnavailableFacts = {}) {
    super(message, facts);
    this.retryable = facts.retryable ?? false;
    this.maybeApplied = facts.maybeApplied ?? false;
    this.transactionLost = facts.transactionLost ?? false;
  }
}

/** The database lacks migrations that this library needs. */
export class SchemaOutOfDateError extends ChronosError {
  readonly code = 'SCHEMA_OUT_OF_DATE';
}

/** A newer version of the library changed the database in a way that this one would damage: nothing was written. */
export class SchemaTooNewError extends ChronosError {
  readonly code = 'SCHEMA_TOO_NEW';
  /** The migration that this version does not know, `chronos:NNNN_name`. */
  readonly migration: string;

  constructor(migration: string, facts?: ErrorFacts) {
    super(`${migration} was applied by a newer chronos-storage, and this one would damage what it made`, {
      hint: 'use the version of chronos-storage that applied it',
      ...facts,
    });
    this.migration = migration;
  }
}

/** What a {@link MigrationError} carries. */
export interface MigrationFacts extends ErrorFacts {
  readonly reason: Reason;
  /** `namespace:NNNN_name` of the migration at fault. */
  readonly migration?: string;
  /** Number of the statement at fault inside its file, from 1. */
  readonly statement?: number;
}

/** Migrating failed or was refused; `reason` tells which. */
export class MigrationError extends ChronosError {
  readonly code = 'MIGRATION';
  /** `namespace:NNNN_name` of the migration at fault. */
  readonly migration?: string;
  /** Number of the statement at fault inside its file, from 1. */
  readonly statement?: number;

  constructor(message: string, facts: MigrationFacts) {
    super(message, facts);
    if (facts.migration !== undefined) this.migration = facts.migration;
    if (facts.statement !== undefined) this.statement = facts.statement;
  }
}

/** The storage was closed before this call. */
export class ClosedError extends ChronosError {
  readonly code = 'CLOSED';

  constructor(what = 'the storage') {
    super(`${what} is closed`);
  }
}
