import type { Direction } from '../model/results.ts';
import type { Table } from '../model/tables.ts';
import { LIMIT, OFFSET } from '../sql/compile.ts';
import type { Dialect, Keys } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import { whereEqual } from '../sql/where.ts';

/** What a list reads, and in which order. */
export interface Order {
  readonly table: Table;
  /** Name of the index that has this order. */
  readonly index: string;
  /** Columns that must equal a parameter of their name. */
  readonly where: readonly string[];
  /** A column that must exceed the parameter `floor`: the first of `keys`. */
  readonly floor?: string;
  /** The order: a column, then `id` where rows may share it. */
  readonly keys: readonly [string] | readonly [string, 'id'];
  /** Whether the list method's own order is from the greatest to the least. */
  readonly descending: boolean;
}

/** The statements of one direction: the first page, and one after a position (`cursor.<column>`). */
interface Walk {
  readonly first: Statement;
  readonly next: Statement;
}

/** An {@link Order} with its statements for both directions. */
export interface Pages {
  readonly order: Order;
  readonly forward: Walk;
  readonly backward: Walk;
}

interface Edges {
  /** Whether the least comes last. */
  readonly descending: boolean;
  readonly floor: boolean;
  readonly cursor: boolean;
  readonly bounded: boolean;
  readonly offset?: boolean;
}

/** The rows of an order, from its first (`cursor`: beyond a position), at most `limit` where `bounded`. */
function read(dialect: Dialect, name: string, order: Order, edges: Edges): Statement {
  const keys = columnsOf(order.table, ...order.keys) as unknown as Keys;
  const query = dialect.from(order.table, order.index).select(dialect.columns(order.table.columns));
  const parameters = ['tenant_id', ...order.where];
  whereEqual(dialect, query, order.table, parameters);
  if (edges.floor) {
    query.where(`t.${keys[0].name}`, '>', dialect.edge(keys[0], 'floor'));
    parameters.push('floor');
  }
  if (edges.cursor) {
    query.where(dialect.beyond(keys, edges.descending));
    parameters.push(...keys.map((key) => `cursor.${key.name}`));
  }
  // Qualified: a bare name would be the select list's, which is an expression and has no index.
  query.orderBy(keys.map((key) => ({ column: `t.${key.name}`, order: edges.descending ? 'desc' : 'asc' })));
  if (edges.bounded) {
    query.limit(LIMIT);
    parameters.push('limit');
  }
  if (edges.offset) {
    query.offset(OFFSET);
    parameters.push('offset');
  }
  return compileOrdered(dialect, name, query, parameters);
}

/** Reads a whole list in its order. */
export function listStatement(dialect: Dialect, name: string, order: Order): Statement {
  const { descending } = order;
  return read(dialect, name, order, {
    descending,
    floor: order.floor !== undefined,
    cursor: false,
    bounded: false,
  });
}

/** Reads the first `limit` rows of a list in its order. */
export function firstStatement(dialect: Dialect, name: string, order: Order): Statement {
  const { descending } = order;
  return read(dialect, name, order, { descending, floor: false, cursor: false, bounded: true });
}

/** Reads at most `limit` rows of a list in its order, from `offset` on. */
export function offsetStatement(dialect: Dialect, name: string, order: Order): Statement {
  const { descending } = order;
  return read(dialect, name, order, { descending, floor: false, cursor: false, bounded: true, offset: true });
}

/** Reads a list page by page, either way. */
export function pageStatements(dialect: Dialect, name: string, order: Order): Pages {
  const floor = order.floor !== undefined;
  const walk = (direction: Direction): Walk => {
    const descending = order.descending !== (direction === 'backward');
    const make = (which: string, edges: Pick<Edges, 'floor' | 'cursor'>): Statement =>
      read(dialect, `${name}.${direction}.${which}`, order, { ...edges, descending, bounded: true });
    return {
      first: make('first', { floor, cursor: false }),
      // Upwards, a position above the floor is the only lower bound: with two, Postgres may start at the wrong one.
      next: make('next', { floor: floor && descending, cursor: true }),
    };
  };
  return { order, forward: walk('forward'), backward: walk('backward') };
}

/** All statements of some pages. */
export function statementsOf(pages: Pages): readonly Statement[] {
  return [pages.forward.first, pages.forward.next, pages.backward.first, pages.backward.next];
}
