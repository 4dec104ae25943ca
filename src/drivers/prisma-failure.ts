import type { ChronosError } from '../errors.ts';
import type { DialectName } from '../sql/dialect-name.ts';
import { mysqlFinding } from './failures/mysql.ts';
import { postgresFinding } from './failures/postgres.ts';
import { sqliteFinding } from './failures/sqlite.ts';
import { type Finding, failure, type Where } from './failures.ts';
import { notOpen } from './not-open.ts';

/** Prisma's word for an interactive transaction that has ended, or for which no connection became free. */
const TRANSACTION_OVER = 'P2028';
const NOT_STARTED = /unable to start a transaction in the given time/i;

/** What adapters tell without a code of the engine's, by the code that drivers have for it. */
const CODES: ReadonlyMap<unknown, string> = new Map([['DatabaseNotReachable', 'ECONNREFUSED']]);

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The engine's own code and message inside an error of a driver adapter. */
function original(error: unknown): { readonly code: unknown; readonly message: unknown } {
  const cause =
    member(member(member(error, 'meta'), 'driverAdapterError'), 'cause') ?? member(error, 'cause');
  return {
    code: member(cause, 'originalCode') ?? member(cause, 'code') ?? CODES.get(member(cause, 'kind')),
    message: member(cause, 'originalMessage') ?? member(error, 'message'),
  };
}

/** An error of Prisma as ours, by the engine's own code. */
export function prismaFailure(error: unknown, dialect: DialectName, where: Where): ChronosError {
  if (member(error, 'code') === TRANSACTION_OVER) {
    if (!NOT_STARTED.test(String(member(error, 'message')))) return notOpen(error);
    return failure({ cause: error, code: TRANSACTION_OVER, verdict: 'exhausted' }, where);
  }
  const { code, message } = original(error);
  const text = { code: code === undefined ? undefined : String(code), message: String(message) };
  return failure({ ...findingOf(text, dialect, where), cause: error }, where);
}

function findingOf(
  text: { readonly code: string | undefined; readonly message: string },
  dialect: DialectName,
  where: Where,
): Finding {
  switch (dialect) {
    case 'postgres':
    case 'pglite':
      return postgresFinding(text, where);
    case 'mysql':
    case 'mariadb':
      return mysqlFinding({ ...text, errno: Number(text.code) }, where);
    case 'sqlite':
      return sqliteFinding(text, where);
  }
}
