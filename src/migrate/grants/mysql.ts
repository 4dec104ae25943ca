import type { Connection } from '../../drivers/connection.ts';
import { ChronosError, InvalidArgumentError } from '../../errors.ts';
import { statement } from '../../sql/statement.ts';
import { backquoted } from '../engines/placeholders.ts';
import { unknownRole } from './unknown-role.ts';

const LOG = 'chronos_migration_log';
const ACCOUNT = statement('grants.account', 'select host from mysql.user where user = ?', ['user']);
/** `'o''brien'@'%'`, `app@localhost`, `app`. */
const PART = /'(?:[^']|'')*'|`(?:[^`]|``)*`|"(?:[^"]|"")*"/.source;
const QUOTED = new RegExp(`^(${PART})(?:@(${PART}|[^'"\`]*))?$`, 's');

/** An account of MySQL or MariaDB by its two parts; a role of MariaDB has no host. */
export interface Account {
  readonly user: string;
  readonly host: string | undefined;
}

/** Reads `user`, `user@host` or the same with quotes; an empty host is none. */
export function parseAccount(text: string): Account {
  const [, quotedUser, quotedHost = ''] = QUOTED.exec(text) ?? [];
  if (quotedUser !== undefined) return { user: plain(quotedUser), host: plain(quotedHost) || undefined };
  const at = text.lastIndexOf('@');
  return at < 0
    ? { user: text, host: undefined }
    : { user: text.slice(0, at), host: plain(text.slice(at + 1)) || undefined };
}

/** As SQL takes it, whatever is in it. */
export function accountText({ user, host }: Account): string {
  return host === undefined ? backquoted(user) : `${backquoted(user)}@${backquoted(host)}`;
}

/**
 * The account that a word means here, with its host. Throws InvalidArgumentError USAGE where the server has none;
 * who may not read the list of accounts is told by the server at the first grant.
 */
export async function findAccount(connection: Connection, text: string): Promise<Account> {
  const { user, host } = parseAccount(text);
  if (user === '') throw new InvalidArgumentError('grantTo', 'names no user', { reason: 'USAGE' });
  let hosts: readonly string[];
  try {
    hosts = (await connection.rows(ACCOUNT, { user })).map((row) => String(row.host ?? row.Host ?? row.HOST));
  } catch (error) {
    if (error instanceof ChronosError && error.reason === 'PRIVILEGE') return { user, host: host ?? '%' };
    throw error;
  }
  if (host === undefined && hosts.length > 1 && !hosts.includes('%')) {
    const accounts = hosts.map((each) => `${user}@${each}`).join(', ');
    throw new InvalidArgumentError('grantTo', `there are ${accounts}`, {
      reason: 'USAGE',
      hint: 'name one of them',
    });
  }
  const wanted = host ?? (hosts.includes('%') || hosts.length === 0 ? '%' : (hosts[0] ?? '%'));
  if (!hosts.includes(wanted)) {
    throw unknownRole(
      'grantTo',
      `make it: create user ${accountText({ user, host: wanted })} identified by …`,
    );
  }
  return { user, host: wanted === '' ? undefined : wanted };
}

/** The statements that give an account what a service needs on these tables, and on the log no more than reading. */
export function mysqlGrants(
  database: string,
  account: Account,
  tables: readonly string[],
): readonly string[] {
  return tables.map((table) => {
    const verbs = table === LOG ? 'select' : 'select, insert, update, delete';
    return `grant ${verbs} on ${backquoted(database)}.${backquoted(table)} to ${accountText(account)}`;
  });
}

function plain(text: string): string {
  const quote = text[0] ?? '';
  return /^['"`]$/.test(quote) ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
}
