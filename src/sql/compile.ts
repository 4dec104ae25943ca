import type { Knex } from 'knex';
import { type Statement, statement } from './statement.ts';

class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for the value of that name, which comes when the statement runs. */
export function parameter(name: string): Knex.RawBinding {
  // knex hands on what it is given to bind, whatever it is; its types list only what drivers take.
  return new Parameter(name) as unknown as Knex.RawBinding;
}

/**
 * knex drops a marker given to `limit` and `offset` with a console warning and compiles an unbounded statement,
 * so these two integers stand for the parameters `limit` and `offset`.
 */
export const LIMIT = 1_999_999_993;
export const OFFSET = 1_999_999_973;

function nameOf(statementName: string, binding: unknown): string {
  if (binding instanceof Parameter) return binding.name;
  if (binding === LIMIT) return 'limit';
  if (binding === OFFSET) return 'offset';
  throw new TypeError(
    `${statementName}: a literal of type ${typeof binding} is bound; values are parameters`,
  );
}

/**
 * A query of knex as a {@link Statement}. `parameters` names each parameter that must be in it, once or more
 * often: a query that lost one would read or change too much.
 */
export function compile(
  name: string,
  query: Pick<Knex.QueryBuilder, 'toSQL'>,
  parameters: readonly string[],
  facts: { readonly once?: boolean } = {},
): Statement {
  const { sql, bindings } = query.toSQL().toNative();
  const order = bindings.map((binding) => nameOf(name, binding));
  const bound = new Set(order);
  const declared = new Set(parameters);
  for (const parameter of declared) {
    if (!bound.has(parameter)) throw new TypeError(`${name}: the query lost its parameter ${parameter}`);
  }
  for (const parameter of bound) {
    if (!declared.has(parameter)) throw new TypeError(`${name}: undeclared parameter ${parameter}`);
  }
  const compiled = statement(name, sql, order);
  return facts.once ? Object.freeze({ ...compiled, once: true }) : compiled;
}
