import type { Language } from '../../sql/dialect-name.ts';
import { leadingWords, statementsOf } from './statements.ts';
import { lineAt, type Token, tokens } from './tokens.ts';
import { transactionWord } from './transaction-word.ts';

/** Why a host's file cannot be run as a migration, and what mends it. */
export interface HostFileProblem {
  readonly problem: string;
  readonly hint: string;
}

/** What keeps a text from being run as one migration; nothing where it can be. */
export function hostFileProblem(text: string, language: Language): HostFileProblem | undefined {
  return (
    nul(text) ??
    unclosed(text, language) ??
    (language === 'mysql' ? mysqlWord(text) : transaction(text, language))
  );
}

/** SQLite's driver ends the script there without a word; the servers refuse it. */
function nul(text: string): HostFileProblem | undefined {
  const at = text.indexOf('\0');
  if (at < 0) return undefined;
  return {
    problem: `a NUL character in line ${lineAt(text, at)}`,
    hint: 'save it as UTF-8 text without NUL',
  };
}

/** SQLite takes an open comment for one that ends with the file: whatever stands there would be skipped. */
function unclosed(text: string, language: Language): HostFileProblem | undefined {
  const last = tokens(text, language).at(-1);
  if (last?.open !== true) return undefined;
  const problem = `${named(last)} that opens in line ${lineAt(text, last.at)} is not closed`;
  return { problem, hint: 'close it' };
}

function named({ kind, text }: Token): string {
  if (kind === 'comment' || kind === 'code') return 'a comment';
  const [tag] = /^\$[^$]*\$/.exec(text) ?? [];
  return `the quote ${tag ?? text.replace(/^e/i, '').charAt(0)}`;
}

function transaction(text: string, language: Language): HostFileProblem | undefined {
  const found = transactionWord(text, language);
  if (found === undefined) return undefined;
  const problem = `${found.word} in line ${found.line}: the file runs inside a transaction of ours`;
  return { problem, hint: 'take the word out' };
}

/** Words by which rows of the log that stand between a file's statements would be held back or lost. */
const HOLDING =
  /^(begin(?! not\b)|commit|rollback(?! to\b)|start transaction|xa|(un)?lock tables?|set (session )?autocommit)\b/;

function mysqlWord(text: string): HostFileProblem | undefined {
  const statements = statementsOf(text, 'mysql');
  for (const statement of statements) {
    const words = leadingWords(statement, 3).join(' ');
    const line = statement.line;
    if (words.startsWith('delimiter')) {
      const hint = 'take it out: statements are told apart without it';
      return { problem: `delimiter in line ${line} is a word of the mysql client`, hint };
    }
    if (statements.length > 1 && HOLDING.test(words)) {
      const problem = `${words} in line ${line}: each statement is logged when it is done`;
      return { problem, hint: 'take it out; statements that change data commit with their row of the log' };
    }
  }
  return undefined;
}
