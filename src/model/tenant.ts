import { AsyncLocalStorage } from 'node:async_hooks';
import { InvalidArgumentError } from '../errors.ts';
import { checkText } from './check.ts';

/** The tenant of calls that name none. */
export const DEFAULT_TENANT = 'default';

const TENANT = Object.freeze({ max: 128 });
const context: AsyncLocalStorage<string> = new AsyncLocalStorage<string>();

/** A tenant argument; `''` stands for {@link DEFAULT_TENANT}. */
export function checkTenant(tenant: unknown): string {
  return checkText('tenant', tenant, TENANT);
}

/**
 * Runs `fn` with `tenant` as the tenant of every call made inside it, however deep, and resolves to its result.
 * A lazy thenable (a query of Prisma or knex) starts inside the context too. `''` means {@link DEFAULT_TENANT}.
 *
 * @throws {@link InvalidArgumentError} (as a rejection) when the tenant has more than 128 code points, NUL or a
 * lone surrogate.
 */
export function withTenant<T>(tenant: string, fn: () => T | PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    context.run(checkTenant(tenant), () => {
      const result = fn();
      // Called here and now: `await` would start a lazy thenable later, outside the context.
      if (isThenable(result)) result.then(resolve, reject);
      else resolve(result);
    });
  });
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/** The tenant of the context, or {@link DEFAULT_TENANT}; never `''`. */
export function tenantFromContext(): string {
  return context.getStore() || DEFAULT_TENANT;
}

/** The tenant of a call: the bound one wins over the context's; neither is `DEFAULT_TENANT`, or refused when one is required. */
export function resolveTenant(bound: string | undefined, required: boolean): string {
  const tenant = bound ?? context.getStore();
  if (tenant) return tenant;
  if (!required) return DEFAULT_TENANT;
  throw new InvalidArgumentError(
    'tenant',
    'is required: call inside withTenant(id, fn) or on storage.forTenant(id)',
  );
}

/** The tenant that the bound one or the context names; undefined when nobody named one. */
export function namedTenant(bound: string | undefined): string | undefined {
  return (bound === '' ? DEFAULT_TENANT : bound) ?? (context.getStore() || undefined);
}
