import type { Knex } from 'knex';
import { compile } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { type Statement, statement } from './statement.ts';

/** Knex ends a query with these. */
const LIMIT_END = / limit (\$\d+|\?)( offset (?:\$\d+|\?))?$/;

/** A read of many rows in the order of an index as a {@link Statement}: what `compile` makes, held to that order. */
export function compileOrdered(
  { limit }: Pick<Dialect, 'limit'>,
  name: string,
  query: Knex.QueryBuilder,
  parameters: readonly string[],
): Statement {
  const compiled = compile(name, query, parameters);
  if (limit === undefined) return compiled;
  return statement(name, written(compiled.text, limit), compiled.order);
}

function written(text: string, { bound, none }: NonNullable<Dialect['limit']>): string {
  if (LIMIT_END.test(text)) return text.replace(LIMIT_END, ` limit ${bound}$2`);
  return none === undefined ? text : `${text} limit ${none}`;
}
