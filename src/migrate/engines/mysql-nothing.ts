import type { Connection } from '../../drivers/connection.ts';
import { statement as prepared } from '../../sql/statement.ts';
import { causes } from '../causes.ts';
import { leadingWords, type Statement } from '../text/statements.ts';
import type { Token } from '../text/tokens.ts';

/** Raised for the routine that is called, and for one that its body calls, which may have done some work by then. */
const NO_SUCH_ROUTINE = 1305;
/** Raised for the statement, and for text that a routine prepares. */
const SYNTAX = 1064;

const ROUTINE = prepared(
  'migrate.look_routine',
  `select coalesce(?, database()) as home, (select count(*) from information_schema.routines
where routine_schema = coalesce(?, database()) and routine_name = ?) as found`,
  ['database', 'database', 'name'],
);
const TEXT = prepared('migrate.probe', 'set @chronos_probe = ?', ['text']);

/**
 * Whether the server's error proves that a CALL did nothing at all: the routine that it names is not there, or the
 * server cannot read it. Whatever cannot be found out counts as no proof.
 */
export async function ranNothing(
  session: Connection,
  statement: Statement,
  thrown: unknown,
): Promise<boolean> {
  if (leadingWords(statement, 1)[0] !== 'call') return false;
  const { errno, message } = answerOf(thrown);
  try {
    if (errno === NO_SUCH_ROUTINE) return await isAbsent(session, statement.tokens, message);
    return errno === SYNTAX && (await isUnreadable(session, statement.text));
  } catch {
    return false;
  }
}

/** The innermost error that has a number of the server. */
function answerOf(thrown: unknown): { readonly errno?: number; readonly message: string } {
  let answer: { readonly errno?: number; readonly message: string } = { message: '' };
  for (const error of causes(thrown)) {
    const errno: unknown = Reflect.get(error, 'errno');
    if (typeof errno === 'number') answer = { errno, message: error.message };
  }
  return answer;
}

async function isAbsent(session: Connection, tokens: readonly Token[], message: string): Promise<boolean> {
  const [first, dot, second, dotAgain] = tokens.slice(1);
  const isQualified = dot?.text === '.';
  // MariaDB: database.package.routine.
  if (first === undefined || (isQualified && (second === undefined || dotAgain?.text === '.'))) return false;
  const database = isQualified ? named(first) : null;
  const name = named(isQualified && second !== undefined ? second : first);
  const [row] = await session.rows(ROUTINE, { database, name });
  const said = ` ${row?.home}.${name} does not exist`.toLowerCase();
  return Number(row?.found ?? 1) === 0 && message.toLowerCase().endsWith(said);
}

function named({ kind, text }: Token): string {
  return kind === 'word' ? text : text.slice(1, -1).replaceAll('``', '`');
}

/** Preparing reads a statement and runs nothing of it. */
async function isUnreadable(session: Connection, text: string): Promise<boolean> {
  await session.run(TEXT, { text });
  try {
    await session.script('prepare chronos_probe from @chronos_probe');
  } catch (error) {
    return answerOf(error).errno === SYNTAX;
  }
  await session.script('deallocate prepare chronos_probe');
  return false;
}
