import { statementsOf } from './statements.ts';

/** One statement of a SQL text. */
export interface SqlStatement {
  /** Without the semicolon and what stands before its first word. */
  readonly text: string;
  /** Line of its first word in the whole text, from 1. */
  readonly line: number;
}

/**
 * The statements of a MySQL or MariaDB text, in order. Quotes, backticks and comments are seen; a statement
 * that creates a routine, trigger or event takes the rest of the text.
 */
export function split(sql: string): readonly SqlStatement[] {
  return statementsOf(sql, 'mysql');
}
