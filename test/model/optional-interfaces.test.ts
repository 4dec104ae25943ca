import { describe, expect, it } from 'vitest';
import { isBatchIngester, isPaginator, isRetention, openStorage } from '../../src/index.ts';

const GUARDS = [
  { guard: isBatchIngester, methods: ['appendEvents', 'insertTraces'] },
  { guard: isPaginator, methods: ['listEventsPaged', 'listTracesPaged', 'listCheckpointsPaged'] },
  { guard: isRetention, methods: ['trimEvents', 'trimTraces', 'trimAuditLogs', 'trimCheckpoints'] },
] as const;

function withMethods(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, async () => {}]));
}

describe.each(GUARDS)('$guard.name', ({ guard, methods }) => {
  it('is true of our storage, bound and in a transaction too', async () => {
    const storage = await openStorage('sqlite::memory:');
    expect(guard(storage)).toBe(true);
    expect(guard(storage.forTenant('acme'))).toBe(true);
    await storage.transaction(async (tx) => expect(guard(tx)).toBe(true));
    await storage.close();
  });

  it('asks for its methods and no more', () => {
    expect(guard(withMethods(methods))).toBe(true);
    class Inherited {}
    Object.assign(Inherited.prototype, withMethods(methods));
    expect(guard(new Inherited())).toBe(true);
  });

  it.each(methods.map((name) => [name]))('is false without %s', (name) => {
    expect(guard(withMethods(methods.filter((other) => other !== name)))).toBe(false);
    expect(guard({ ...withMethods(methods), [name]: true })).toBe(false);
  });

  it.each([undefined, null, 1, 'storage', {}, []])('is false of %j', (value) => {
    expect(guard(value)).toBe(false);
  });
});
