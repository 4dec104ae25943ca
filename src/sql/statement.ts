import { createHash } from 'node:crypto';

/** Under it stand parameters in the order of their statement: thousands of names would cost more than the statement. */
export const IN_ORDER: unique symbol = Symbol('in order');

/** One SQL text with named parameters in the order in which the text takes them. */
export interface Statement {
  /** What it is, for people: `events.append`. */
  readonly name: string;
  /** Unique per text: name and a hash; the server-side name of the prepared statement. */
  readonly key: string;
  /** The text in the engine's own form: `$1` on Postgres, `?` elsewhere. */
  readonly text: string;
  /** Names of the parameters, one entry for each placeholder. */
  readonly order: readonly string[];
  /** Whether sending it twice answers otherwise than once: it is not sent again when it may have been applied. */
  readonly once?: boolean;
  /** Whether its text depends on what a caller asked: a server is not made to keep it under a name. */
  readonly passing?: boolean;
  /** What the connection has to have loaded before, where that is ours to do. */
  readonly needs?: 'vectors';
  /** How it goes through the rows, for `onStatement`. */
  readonly way?: string;
}

/** A frozen {@link Statement} of hand-written text, `order` naming its placeholders. */
export function statement(name: string, text: string, order: readonly string[] = []): Statement {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return Object.freeze({
    name,
    key: `chronos.${name}.${hash}`.slice(-63),
    text,
    order: Object.freeze([...order]),
  });
}
