import type { Language } from '../../sql/dialect-name.ts';
import { leadingWords, statementsOf } from './statements.ts';

/** Words that begin or end a transaction, and the line of their statement. */
export interface TransactionWord {
  readonly word: string;
  readonly line: number;
}

/** Alone at the start of a statement they do it, whatever follows. */
const ALWAYS: ReadonlySet<string> = new Set(['begin', 'commit', 'end', 'abort']);

/** The first statement that would begin or end a transaction, in a text that runs inside ours. */
export function transactionWord(sql: string, language: Language): TransactionWord | undefined {
  for (const statement of statementsOf(sql, language)) {
    const word = told(leadingWords(statement, 3));
    if (word !== undefined) return { word, line: statement.line };
  }
  return undefined;
}

function told([first = '', second = '', third = '']: readonly string[]): string | undefined {
  if (ALWAYS.has(first)) return first;
  if ((first === 'start' || first === 'prepare') && second === 'transaction') return `${first} ${second}`;
  if (first !== 'rollback') return undefined;
  // To a savepoint, which leaves the transaction open.
  const target = second === 'work' || second === 'transaction' ? third : second;
  return target === 'to' ? undefined : first;
}
