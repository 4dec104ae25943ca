import type { Row, Values } from '../drivers/connection.ts';
import { InvalidArgumentError, InvalidCursorError } from '../errors.ts';
import { checkDate, checkLimit, checkOptions, checkText } from '../model/check.ts';
import { decodeCursor, encodeCursor, type Position } from '../model/cursor.ts';
import type { Direction } from '../model/records.ts';
import type { Column, Table } from '../model/tables.ts';
import { LIMIT } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileOrdered } from '../sql/ordered.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import type { Backing } from './backing.ts';

/** What a list reads, and in which order. */
export interface Order {
  readonly table: Table;
  /** Name of the index that has this order. */
  readonly index: string;
  /** Columns that must equal a parameter of their name. */
  readonly where: readonly string[];
  /** A column that must exceed the parameter `floor`: the first of `keys`. */
  readonly floor?: string;
  /** The order: a column, then `id`. */
  readonly keys: readonly [string, 'id'];
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
}

/** The rows of an order, from its first (`cursor`: beyond a position), at most `limit` where `bounded`. */
function read(dialect: Dialect, name: string, order: Order, edges: Edges): Statement {
  const keys = columnsOf(order.table, ...order.keys) as readonly [Column, Column];
  const query = dialect.from(order.table, order.index).select(dialect.columns(order.table.columns));
  const parameters = ['tenant_id', ...order.where];
  for (const column of columnsOf(order.table, ...parameters)) {
    query.where(`t.${column.name}`, dialect.parameter(column));
  }
  if (edges.floor) {
    query.where(`t.${keys[0].name}`, '>', dialect.parameter(keys[0], 'floor'));
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

/** What a caller asks of a page. */
export interface PageRequest {
  /** The public method's name, which its cursors hold. */
  readonly method: string;
  /** Parameters of the statements but for cursor and limit. */
  readonly values: Values;
  /** The value of the parameter `floor`, where the order has one. */
  readonly floor?: number;
  readonly limit: unknown;
  readonly cursor: unknown;
  readonly options: unknown;
}

/** A checked {@link PageRequest}: what to run, and how to go on. */
export interface PagePlan {
  readonly statement: Statement;
  readonly values: Values;
  readonly limit: number;
  readonly cursorOf: (row: Row) => string;
}

function directionOf(options: unknown): Direction {
  const { direction = 'forward' } = checkOptions(options);
  if (direction === 'forward' || direction === 'backward') return direction;
  throw new InvalidArgumentError('direction', "must be 'forward' or 'backward'");
}

/** A position that this order could not have made was forged. */
function checkPosition({ table, keys }: Order, position: Position): void {
  const [first, id] = columnsOf(table, ...keys) as readonly [Column, Column];
  try {
    checkText('cursor', position.id, id);
    if (first.type === 'time') checkDate('cursor', new Date(position.at));
  } catch (cause) {
    throw new InvalidCursorError('the cursor is damaged, or was not made by this library', { cause });
  }
}

/** Checks what a caller asks and picks the statement; nothing is sent. */
export function planPage(dialect: Dialect, pages: Pages, request: PageRequest): PagePlan {
  const { order } = pages;
  const limit = checkLimit(request.limit);
  const direction = directionOf(request.options);
  const position = decodeCursor(request.method, direction, request.cursor);
  if (position) checkPosition(order, position);
  const [first, id] = columnsOf(order.table, ...order.keys) as readonly [Column, Column];
  const descending = order.descending !== (direction === 'backward');
  // The caller raised the floor above the position meanwhile: the floor is where to go on.
  const beyond = position && (descending || request.floor === undefined || position.at > request.floor);
  const atValue = (at: number): string | number => (first.type === 'time' ? dialect.time(at) : at);
  return {
    statement: beyond ? pages[direction].next : pages[direction].first,
    values: {
      ...request.values,
      ...(request.floor === undefined ? {} : { floor: request.floor }),
      ...(position ? { [`cursor.${first.name}`]: atValue(position.at), 'cursor.id': position.id } : {}),
      // One more than asked tells whether there is a next page.
      limit: limit + 1,
    },
    limit,
    cursorOf: (row) => {
      const at = Number(row[first.name]);
      return encodeCursor(request.method, direction, { at, id: dialect.text(row[id.name] ?? '') });
    },
  };
}

/** Runs a plan: the rows of the page, and the cursor of the next or `''`. */
export async function readPage(
  { connection }: Pick<Backing, 'connection'>,
  plan: PagePlan,
): Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string }> {
  const found = await connection.rows(plan.statement, plan.values);
  const rows = found.slice(0, plan.limit);
  const last = rows.at(-1);
  return { rows, nextCursor: last && found.length > plan.limit ? plan.cursorOf(last) : '' };
}
