/** What a query builder sent when the driver threw an error. */
export interface Sent {
  readonly sql: string;
  /** Bound values that are texts: an engine may quote them. */
  readonly values: readonly string[];
  /** The engine's own message, without what the query builder put before it. */
  readonly message: string;
}

const sent = new WeakMap<object, Sent>();

/** Keeps for an error of a driver what had been sent. */
export function keepSent(error: object, what: Sent): void {
  sent.set(error, what);
}

/** What had been sent when a driver threw this; undefined = not through a query builder of ours. */
export function sentOf(error: unknown): Sent | undefined {
  return typeof error === 'object' && error !== null ? sent.get(error) : undefined;
}

/** Words of a text, as a quoted part of a message may repeat them. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
