import { errorText, type Finding, type Verdict, type Where } from '../failures.ts';
import { nodeVerdict } from './node.ts';

/** SQLSTATE → what it means; a class of two characters stands for the codes not listed. */
const STATES: Readonly<Record<string, Verdict>> = {
  '23505': 'unique',
  '42P01': 'schema',
  '42703': 'schema',
  '42883': 'schema',
  '3F000': 'schema',
  '40001': 'contention',
  '40P01': 'contention',
  '55P03': 'contention',
  '25P02': 'aborted',
  // The server lost what a transaction held: nothing of it was committed.
  '25P03': 'lost',
  '26000': 'ended',
  '42P05': 'ended',
  '57014': 'timeout',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'refused',
  '57P05': 'lost',
  '28000': 'auth',
  '28P01': 'auth',
  '3D000': 'unknownDatabase',
  '53100': 'full',
  '53300': 'busyServer',
  '42501': 'privilege',
  '25006': 'readOnly',
  '58P01': 'extension',
  '54000': 'tooLarge',
  '0A000': 'unsupported',
  '08': 'lost',
};

/** node-postgres gives these no code. */
const LOST = /^Connection terminated|^Connection ended|not queryable|^Client was closed/;
const EXHAUSTED = /^timeout exceeded when trying to connect/;
const NO_TLS = /does not support SSL/i;
const TLS = /establishing an SSL connection|SSL connection is required/i;
/** The server's function that refuses a row that no policy lets through. */
const CHECKS_POLICIES = 'ExecWithCheckOptions';
/** PgBouncer's own refusals say 08P01, the code of everything that is odd; SASL's mistakes carry none. */
const LOGIN = /SASL|SCRAM|password/i;

/** What an error of node-postgres or PGlite means. */
export function postgresFinding(cause: unknown, where: Where): Finding {
  const code = errorText(cause, 'code');
  // The server says the same code for a grant that is missing.
  if (errorText(cause, 'routine') === CHECKS_POLICIES) return { cause, code, verdict: 'rowSecurity' };
  return { cause, code, verdict: verdictOf(code, errorText(cause, 'message') ?? '', where) };
}

function verdictOf(code: string | undefined, message: string, where: Where): Verdict {
  const connecting = where.phase === 'connect';
  if (connecting && (code === undefined || code === '08P01') && LOGIN.test(message)) return 'auth';
  const known = stateVerdict(code) ?? nodeVerdict(code);
  if (known !== undefined) return connecting && known === 'lost' ? 'cutOff' : known;
  if (EXHAUSTED.test(message)) return 'exhausted';
  if (NO_TLS.test(message)) return 'noTls';
  if (TLS.test(message)) return 'tls';
  if (LOST.test(message)) return connecting ? 'cutOff' : 'lost';
  return 'other';
}

function stateVerdict(code: string | undefined): Verdict | undefined {
  if (code === undefined || code.length !== 5) return undefined;
  if (Object.hasOwn(STATES, code)) return STATES[code];
  const family = code.slice(0, 2);
  return Object.hasOwn(STATES, family) ? STATES[family] : undefined;
}

/** A pooler without prepared statements refused a named one (26000), or another client made the same (42P05). */
export function refusesNames(error: unknown): boolean {
  const code = errorText(error, 'code');
  return code === '26000' || code === '42P05';
}
