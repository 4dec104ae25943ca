import { errorText, type Finding, type Verdict, type Where } from '../failures.ts';
import { nodeVerdict } from './node.ts';

/** errno of MySQL and MariaDB → what it means. */
const ERRNOS: Readonly<Record<number, Verdict>> = {
  1062: 'unique',
  1586: 'unique',
  1146: 'schema',
  1054: 'schema',
  1205: 'contention',
  3572: 'contention',
  // Both end the whole transaction, savepoints too: the next INSERT would commit by itself.
  1213: 'ended',
  1020: 'ended',
  1049: 'unknownDatabase',
  1045: 'auth',
  1130: 'auth',
  1251: 'auth',
  1524: 'auth',
  1698: 'auth',
  3159: 'tls',
  1040: 'busyServer',
  1203: 'busyServer',
  1226: 'busyServer',
  1044: 'privilege',
  1142: 'privilege',
  1143: 'privilege',
  1227: 'privilege',
  1370: 'privilege',
  1419: 'privilege',
  1021: 'full',
  1114: 'full',
  1290: 'readOnly',
  1792: 'readOnly',
  1836: 'readOnly',
  1317: 'timeout',
  1969: 'timeout',
  3024: 'timeout',
  1153: 'tooLarge',
  1406: 'tooLarge',
  1053: 'lost',
  1158: 'lost',
  1159: 'lost',
  1160: 'lost',
  1161: 'lost',
  1927: 'lost',
  // The server ended an idle session; what we sent after that it never read.
  4031: 'unsent',
  // Of the package mariadb, which stands under a Prisma: a connection found closed, one that broke, a pool in use.
  45001: 'unsent',
  45004: 'unsent',
  45013: 'unsent',
  45009: 'lost',
  45019: 'lost',
  45026: 'lost',
  45028: 'exhausted',
};

/** Codes of mysql2 itself. */
const CODES: Readonly<Record<string, Verdict>> = {
  PROTOCOL_CONNECTION_LOST: 'lost',
  PROTOCOL_ERROR: 'lost',
  PROTOCOL_UNEXPECTED_PACKET: 'lost',
  ER_CLIENT_INTERACTION_TIMEOUT: 'unsent',
  HANDSHAKE_NO_SSL_SUPPORT: 'noTls',
  HANDSHAKE_SSL_ERROR: 'tls',
  AUTH_SWITCH_PLUGIN_ERROR: 'auth',
  POOL_CLOSED: 'lost',
};

/** A pool of mysql2 that does not wait, or no longer; it has no code for it. */
const EXHAUSTED = /^(No connections available|Queue limit reached)/;

/** What an error of mysql2 means. */
export function mysqlFinding(cause: unknown, where: Where): Finding {
  const errno = errnoOf(cause);
  const name = errorText(cause, 'code');
  const code = errno === undefined ? name : `${name ?? 'errno'} (${errno})`;
  const verdict = verdictOf(errno, name, cause);
  const connecting = where.phase === 'connect' && (verdict === 'lost' || verdict === 'unsent');
  return { cause, code, verdict: connecting ? 'cutOff' : verdict };
}

function verdictOf(errno: number | undefined, name: string | undefined, cause: unknown): Verdict {
  const known = errno === undefined ? undefined : ERRNOS[errno];
  if (known !== undefined) return known;
  if (name !== undefined && Object.hasOwn(CODES, name)) return CODES[name] ?? 'other';
  const node = nodeVerdict(name);
  if (node !== undefined) return node;
  if (EXHAUSTED.test(errorText(cause, 'message') ?? '')) return 'exhausted';
  // mysql2 refuses a command on a connection that is closed: fatal, without a code.
  return isFatal(cause) && name === undefined ? 'unsent' : 'other';
}

/** Numbers of the server only: node's own are negative. */
function errnoOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const errno: unknown = Reflect.get(error, 'errno');
  return typeof errno === 'number' && errno > 0 ? errno : undefined;
}

/** Whether mysql2 gave the connection up. */
export function isFatal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'fatal') === true;
}
