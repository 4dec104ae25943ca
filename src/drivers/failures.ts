import {
  AlreadyExistsError,
  type ChronosError,
  InvalidArgumentError,
  SchemaOutOfDateError,
  UnavailableError,
  type UnavailableFacts,
  UnsupportedError,
} from '../errors.ts';

/** What a driver's error means, whatever the engine. Each engine's table maps its codes to these. */
export type Verdict =
  | 'unique'
  | 'schema'
  | 'contention'
  | 'ended'
  | 'aborted'
  | 'lost'
  | 'unsent'
  | 'refused'
  | 'unknownHost'
  | 'cutOff'
  | 'silent'
  | 'auth'
  | 'tls'
  | 'noTls'
  | 'unknownDatabase'
  | 'badTarget'
  | 'busyServer'
  | 'exhausted'
  | 'rowSecurity'
  | 'privilege'
  | 'full'
  | 'readOnly'
  | 'timeout'
  | 'tooLarge'
  | 'extension'
  | 'unsupported'
  | 'other';

/** Where an error arose. */
export interface Where {
  /** What was being done, in words or a statement's name; never values. */
  readonly doing: string;
  /** The database, without secrets. */
  readonly target: string;
  /** Connecting, one of our prepared statements, or text that somebody else wrote. */
  readonly phase: 'connect' | 'statement' | 'script';
  /** Whether the error ended the surrounding transaction, whatever it is. */
  readonly ended?: boolean;
}

/** What one engine's table says of an error. */
export interface Finding {
  readonly verdict: Verdict;
  /** SQLSTATE, errno, SQLITE_… or node's code. */
  readonly code: string | undefined;
  readonly cause: unknown;
}

type Make = (where: Where, facts: { cause: unknown; code: string }) => ChronosError;

const unavailable =
  (problem: string, facts: Omit<UnavailableFacts, 'cause'>): Make =>
  (where, { cause, code }) =>
    new UnavailableError(`${where.doing}: ${problem}${code} (${where.target})`, {
      ...facts,
      ...(where.ended ? { transactionLost: true } : {}),
      cause,
    });

const ERRORS: Readonly<Record<Verdict, Make>> = {
  unique: (_, { cause }) => new AlreadyExistsError('record', undefined, { cause }),
  schema: ({ doing, target }, { cause, code }) =>
    new SchemaOutOfDateError(
      `${doing}: the ledger's tables are not there, or older than this library${code} (${target}): run npx chronos-migrate up`,
      { cause, hint: 'npx chronos-migrate up, or storage.migrate()' },
    ),
  contention: unavailable('another transaction was in the way', {
    reason: 'CONTENTION',
    retryable: true,
  }),
  ended: unavailable('another transaction was in the way and the server ended this one', {
    reason: 'CONTENTION',
    retryable: true,
    transactionLost: true,
  }),
  aborted: unavailable('a statement before this one failed, and its transaction takes no more', {
    reason: 'DATABASE_ERROR',
    hint: 'roll back, to a savepoint at least, and begin again',
  }),
  lost: unavailable('the connection was lost', {
    reason: 'CONNECTION_LOST',
    retryable: true,
    maybeApplied: true,
    transactionLost: true,
  }),
  unsent: unavailable('the connection was lost before anything was sent', {
    reason: 'CONNECTION_LOST',
    retryable: true,
    transactionLost: true,
  }),
  refused: unavailable('nothing answers there', {
    reason: 'CONNECT_REFUSED',
    retryable: true,
    hint: 'check that the server runs, and its host and port',
  }),
  unknownHost: unavailable('the name of the host is not known', {
    reason: 'CONNECT_REFUSED',
    retryable: true,
    hint: 'check the host in the target, and the resolver',
  }),
  cutOff: unavailable('the connection was closed while it was being made', {
    reason: 'CONNECT_REFUSED',
    retryable: true,
    hint: 'check that what listens on that host and port is such a server, and its log',
  }),
  silent: unavailable('no answer in time', {
    reason: 'CONNECT_TIMEOUT',
    retryable: true,
    hint: 'check host, port and firewall, or raise the connect timeout',
  }),
  auth: unavailable('the server refused this user or password', {
    reason: 'AUTH_FAILED',
    hint: 'check user and password (percent-encoding always works) and the rules of the server',
  }),
  tls: unavailable('TLS could not be agreed on', {
    reason: 'TLS_FAILED',
    hint: 'check sslmode (disable, prefer, require, verify-ca, verify-full) and the certificates',
  }),
  noTls: unavailable('the server offers no TLS', {
    reason: 'TLS_FAILED',
    hint: 'turn TLS on in the server, or allow sslmode=prefer',
  }),
  unknownDatabase: ({ target }, { cause, code }) =>
    new InvalidArgumentError('target', `there is no such database${code} (${target})`, {
      cause,
      reason: 'BAD_URL',
      hint: 'create the database, or correct its name',
    }),
  badTarget: ({ target }, { cause, code }) =>
    new InvalidArgumentError('target', `no database can be opened there${code} (${target})`, {
      cause,
      reason: 'BAD_URL',
    }),
  busyServer: unavailable('the server takes no more connections now', {
    reason: 'CONNECT_REFUSED',
    retryable: true,
    hint: 'lower pool.max, or raise the limit of the server',
  }),
  privilege: unavailable('this role lacks a privilege', {
    reason: 'PRIVILEGE',
    hint: 'grant it, or connect as the owner',
  }),
  exhausted: unavailable('no connection of the pool became free in time', {
    reason: 'POOL_EXHAUSTED',
    retryable: true,
    hint: 'let the pool have more connections, or look for transactions that stay open',
  }),
  rowSecurity: unavailable(
    'row-level security keeps this role from rows of a tenant that its transaction has not set',
    {
      reason: 'PRIVILEGE',
      hint: "connect as the owner, or lend a transaction after select set_config('chronos.tenant_id', TENANT, true)",
    },
  ),
  full: unavailable('the storage is full', {
    reason: 'STORAGE_FULL',
    hint: 'make room on the disk',
  }),
  readOnly: unavailable('the database is read-only', {
    reason: 'READ_ONLY',
    hint: 'connect to a primary, or make the file and its folder writable',
  }),
  timeout: unavailable('the statement took too long and was stopped', {
    reason: 'TIMEOUT',
    retryable: true,
  }),
  tooLarge: ({ doing }, { cause, code }) =>
    new InvalidArgumentError(doing, `a value is larger than the engine takes${code}`, { cause }),
  extension: unavailable('an extension is missing on the server', {
    reason: 'EXTENSION_MISSING',
    hint: 'install it on the server',
  }),
  unsupported: ({ doing, target }, { cause, code }) =>
    new UnsupportedError(`${doing}: this server cannot do that${code} (${target})`, { cause }),
  other: unavailable('the database reported an error', {
    reason: 'DATABASE_ERROR',
  }),
};

/** The one place where an error of a driver becomes ours. Messages hold the engine's code, never its text. */
export function failure(finding: Finding, where: Where): ChronosError {
  const facts = {
    cause: finding.cause,
    code: finding.code === undefined ? '' : `, ${finding.code}`,
  };
  return ERRORS[judged(finding.verdict, where)](where, facts);
}

/** In text that somebody else wrote a missing table or a taken key is that text's mistake, not our schema's. */
function judged(verdict: Verdict, where: Where): Verdict {
  if (where.phase === 'script' && (verdict === 'schema' || verdict === 'unique')) return 'other';
  return verdict;
}

/** The error of work that its signal ended. */
export function interrupted(doing: string, cause?: unknown): UnavailableError {
  return new UnavailableError(`${doing}: stopped by its signal`, {
    reason: 'INTERRUPTED',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A text field of an error of unknown kind. */
export function errorText(
  error: unknown,
  field: 'code' | 'message' | 'sqlState' | 'routine',
): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}
