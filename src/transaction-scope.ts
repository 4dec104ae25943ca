import { AsyncLocalStorage } from 'node:async_hooks';
import { ClosedError, UnsupportedError } from './errors.ts';

/** A storage, or a transaction on one, as far as it may be used. */
export interface Scope {
  /** What a transaction is called in errors; absent: the storage itself. */
  readonly name?: string;
  ended: boolean;
}

/** A transaction, and the scope that it was begun on. */
interface Begun {
  readonly on: Scope;
  readonly inner: Scope;
}

/** The transactions that this context is inside of; what was begun in one may outlive it. */
const around: AsyncLocalStorage<readonly Begun[]> = new AsyncLocalStorage();

/**
 * Refuses a call inside a transaction that this scope has open: on SQLite it would wait for itself for ever,
 * elsewhere it would not be part of the transaction.
 */
export function checkOutside(scope: Scope): void {
  if (!around.getStore()?.some(({ on, inner }) => on === scope && !inner.ended)) return;
  throw new UnsupportedError('the storage was used inside its own transaction', {
    hint: 'call the methods of the storage that the transaction was given',
  });
}

/** Refuses a call in a scope that ended, or inside a transaction that it has open. */
export function checkScope(scope: Scope): void {
  if (scope.ended) throw new ClosedError(scope.name);
  checkOutside(scope);
}

/** Runs `fn` as a transaction inside `scope`, with a scope of its own, which `fn` ends. */
export function inScope<T>(scope: Scope, fn: (inner: Scope) => Promise<T>): Promise<T> {
  const inner: Scope = { name: 'the transaction', ended: false };
  return around.run([...(around.getStore() ?? []), { on: scope, inner }], () => fn(inner));
}
