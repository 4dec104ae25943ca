import { describe, expect, it } from 'vitest';
import { DEFAULT_TENANT, tenantFromContext, withTenant } from '../../src/model/tenant.ts';

describe('withTenant', () => {
  it('calls the then of a thenable at once, inside the context, with the thenable as this', async () => {
    const seen: unknown[] = [];
    const lazy = {
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this test is about
      then(resolve: (value: string) => void) {
        seen.push(tenantFromContext(), this === lazy);
        resolve('done');
      },
    };
    const result = withTenant('acme', () => lazy as PromiseLike<string>);
    expect(seen).toEqual(['acme', true]);
    expect(await result).toBe('done');
  });

  it('rejects with what a thenable throws', async () => {
    const lazy = {
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this test is about
      then() {
        throw new Error('boom');
      },
    };
    await expect(withTenant('acme', () => lazy as unknown as PromiseLike<string>)).rejects.toThrow('boom');
  });

  it('keeps two at once apart, and leaves the caller as it was', async () => {
    const read = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return tenantFromContext();
    };
    const both = Promise.all([withTenant('a', read), withTenant('b', () => withTenant('c', read)), read()]);
    expect(tenantFromContext()).toBe(DEFAULT_TENANT);
    expect(await both).toEqual(['a', 'c', DEFAULT_TENANT]);
  });
});
