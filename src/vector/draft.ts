import type { Value } from '../drivers/connection.ts';
import { type Statement, statement } from '../sql/statement.ts';
import type { Way } from './types.ts';

/** A statement that is being written: its text takes a place for each value, in the order in which they are put. */
export class Draft {
  readonly values: Record<string, Value> = {};
  readonly #order: string[] = [];
  readonly #mark: (place: number) => string;

  /** `mark`: how the engine writes the n-th place. */
  constructor(mark: (place: number) => string) {
    this.#mark = mark;
  }

  /** The place of a value. */
  put(value: Value): string {
    const name = `p${this.#order.length + 1}`;
    this.#order.push(name);
    this.values[name] = value;
    return this.#mark(this.#order.length);
  }

  /** The statement; its text depends on what the caller asked, so servers do not keep it. */
  end(name: string, text: string, way?: Way): Statement {
    const made = statement(name, text, this.#order);
    return Object.freeze({ ...made, passing: true, ...(way && { way }) });
  }
}
