import type { Row, Values } from '../drivers/connection.ts';
import { InvalidArgumentError, InvalidCursorError } from '../errors.ts';
import { checkDate, checkLimit, checkOptions, checkText } from '../model/check.ts';
import { decodeCursor, encodeCursor, type Position } from '../model/cursor.ts';
import type { Direction } from '../model/results.ts';
import type { Column } from '../model/tables.ts';
import type { Dialect } from '../sql/dialect.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import type { Order, Pages } from './orders.ts';
import { rows, type Work } from './work.ts';

/** The last arguments of a paged method, as the caller gave them. */
export interface PageArguments {
  readonly limit: unknown;
  readonly cursor: unknown;
  readonly options: unknown;
}

/** What a caller asks of a page. */
export interface PageRequest {
  /** The public method's name, which its cursors hold. */
  readonly method: string;
  /** Parameters of the statements but for cursor and limit. */
  readonly values: Values;
  /** The value of the parameter `floor`, where the order has one. */
  readonly floor?: number;
  readonly page: PageArguments;
}

/** A checked {@link PageRequest}: what to run, and how to go on. */
export interface PagePlan {
  readonly statement: Statement;
  readonly values: Values;
  readonly limit: number;
  readonly cursorOf: (row: Row) => string;
}

function directionOf(options: unknown): Direction {
  const { direction = 'forward' } = checkOptions(options, { direction: true });
  if (direction === 'forward' || direction === 'backward') return direction;
  throw new InvalidArgumentError('direction', "must be 'forward' or 'backward'");
}

/** A position that this order could not have made was forged. */
function checkPosition({ table, keys: [first] }: Order, position: Position): void {
  const [column, id] = columnsOf(table, first, 'id') as readonly [Column, Column];
  try {
    checkText('cursor', position.id, id);
    if (column.type === 'time') checkDate('cursor', new Date(position.at));
  } catch (cause) {
    throw new InvalidCursorError('the cursor is damaged, or was not made by this library', { cause });
  }
}

/** Checks what a caller asks and picks the statement; nothing is sent. */
function planPage(dialect: Dialect, pages: Pages, request: PageRequest): PagePlan {
  const { order } = pages;
  const { limit: asked, cursor, options } = request.page;
  const limit = checkLimit(asked);
  const direction = directionOf(options);
  const position = decodeCursor(request.method, direction, cursor);
  if (position) checkPosition(order, position);
  const [first, id] = columnsOf(order.table, order.keys[0], 'id') as readonly [Column, Column];
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

/** Reads a page: its rows, and the cursor of the next or `''`. */
export function* readPage(
  dialect: Dialect,
  pages: Pages,
  request: PageRequest,
): Work<{ readonly rows: readonly Row[]; readonly nextCursor: string }> {
  const plan = planPage(dialect, pages, request);
  const found = yield* rows(plan.statement, plan.values);
  const kept = found.length > plan.limit ? found.slice(0, plan.limit) : found;
  const last = kept.at(-1);
  return { rows: kept, nextCursor: last && found.length > plan.limit ? plan.cursorOf(last) : '' };
}
