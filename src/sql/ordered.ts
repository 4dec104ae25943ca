import type { Knex } from 'knex';
import { compile } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { type Statement, statement } from './statement.ts';

/** Knex ends a query with these. */
const LIMIT_END = / limit (\$\d+)( offset \$\d+)?$/;

/** A read of many rows in the order of an index as a {@link Statement}: what `compile` makes, held to that order. */
export function compileOrdered(
  dialect: Pick<Dialect, 'hidesLimit'>,
  name: string,
  query: Knex.QueryBuilder,
  parameters: readonly string[],
): Statement {
  const compiled = compile(name, query, parameters);
  if (!dialect.hidesLimit) return compiled;
  return statement(name, hideLimit(compiled.text), compiled.order);
}

/** A planner does not look into a sub-select for the number of rows. */
function hideLimit(text: string): string {
  if (!LIMIT_END.test(text)) return `${text} limit (select null::bigint)`;
  return text.replace(LIMIT_END, ' limit (select $1::bigint)$2');
}
