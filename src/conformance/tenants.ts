import assert from 'node:assert/strict';
import { DEFAULT_TENANT, newId, tenantFromContext, withTenant } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { foundAlone, foundNowhere, RECORD_KINDS } from './record-kinds.ts';
import type { Case, Topic } from './suite.ts';
import { tenantMethods } from './tenant-methods.ts';

function records(test: Case): void {
  test('tenants are exact: case, accents, trailing spaces and normal forms', async (storage) => {
    const base = newId();
    const names = ['acme', 'ACME', 'acme ', 'acmé', 'acme\u0301', '\ufeffacme'].map(
      (name) => `${base}${name}`,
    );
    for (const name of names)
      await storage.forTenant(name).createSession({ id: 's', agentId: 'a', status: name.slice(-8) });
    for (const name of names) {
      const found = await storage.forTenant(name).getSession('s');
      assert.deepEqual([found.tenantId, found.status], [name, name.slice(-8)]);
    }
  });

  test("a record's own tenantId is ignored on writes, and filled on reads", async (storage) => {
    const [mine, theirs] = [`mine-${newId()}`, `theirs-${newId()}`];
    const [bound, other] = [storage.forTenant(mine), storage.forTenant(theirs)];
    for (const kind of RECORD_KINDS) {
      const record = kind.make({ tenantId: theirs });
      await kind.store(bound, record);
      await foundAlone(kind, bound, record);
      await foundNowhere(kind, other, record);
      for (const find of kind.finds) {
        for (const { tenantId } of await find(bound, record)) assert.equal(tenantId, mine, kind.name);
      }
    }
    const [session] = await bound.listSessions();
    const updated = await bound.updateSession({ ...session!, tenantId: theirs });
    assert.equal(updated.tenantId, mine);
    assert.deepEqual(await other.listSessions(), []);
  });

  test("a record's own tenantId is ignored in batches", async (storage) => {
    const [mine, theirs] = [`mine-${newId()}`, `theirs-${newId()}`];
    const [bound, other] = [storage.forTenant(mine), storage.forTenant(theirs)];
    for (const kind of RECORD_KINDS) {
      const records = [kind.make({ tenantId: theirs }), kind.make({ tenantId: 7 })];
      await kind.storeMany?.call(bound, records);
      for (const record of kind.storeMany ? records : []) {
        await foundAlone(kind, bound, record);
        await foundNowhere(kind, other, record);
      }
    }
  });
}

function context(test: Case): void {
  test(
    'withTenant: every call inside it, however deep; forTenant wins over it',
    async (storage) => {
      const [a, b] = [`a-${newId()}`, `b-${newId()}`];
      await withTenant(a, async () => {
        await storage.createSession({ id: 's', agentId: 'x', status: 'in a' });
        await withTenant(b, () => storage.createSession({ id: 's', agentId: 'x', status: 'in b' }));
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(tenantFromContext(), a);
        assert.equal((await storage.getSession('s')).status, 'in a');
        assert.equal((await storage.forTenant(b).getSession('s')).status, 'in b');
        await storage.forTenant(b).createSession({ id: 'bound', agentId: 'x', status: 'in b' });
      });
      assert.deepEqual(idsOf(await storage.forTenant(a).listSessions()), ['s']);
      assert.equal((await storage.forTenant(b).listSessions()).length, 2);
    },
    { unbound: true },
  );

  test(
    'the tenant is read when a method is called',
    async (storage) => {
      const a = `a-${newId()}`;
      let call: Promise<unknown> = Promise.resolve();
      await withTenant(a, () => {
        call = storage.appendEvents(Array.from({ length: 30 }, () => event({ sessionId: 's' })));
      });
      await call;
      assert.equal((await storage.forTenant(a).listEvents('s')).length, 30);
      assert.deepEqual(await storage.listEvents('s'), []);
    },
    { unbound: true },
  );

  test(
    'no tenant, or an empty one, is the default tenant',
    async (storage) => {
      const id = newId();
      await withTenant('', async () => {
        assert.equal(tenantFromContext(), DEFAULT_TENANT);
        await storage.createSession({ id, agentId: 'a', status: 'x' });
      });
      assert.equal((await storage.forTenant(DEFAULT_TENANT).getSession(id)).tenantId, DEFAULT_TENANT);
      assert.equal((await storage.forTenant('').getSession(id)).tenantId, 'default');
      await rejects(() => storage.getSession(id), 'NOT_FOUND');
    },
    { unbound: true },
  );

  test(
    'withTenant: a lazy thenable starts inside the context',
    async (storage) => {
      const a = `a-${newId()}`;
      // As the promises of Prisma and knex: nothing happens before `then`.
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case is about
      const lazy = { then: (...on: Parameters<Promise<void>['then']>) => create().then(...on) };
      const create = (): Promise<void> => storage.createSession({ id: 's', agentId: 'a', status: 'x' });
      assert.equal(await withTenant(a, () => lazy as PromiseLike<void>), undefined);
      assert.equal((await storage.forTenant(a).getSession('s')).tenantId, a);
      await assert.rejects(
        withTenant(a, () => lazy as PromiseLike<void>),
        { code: 'ALREADY_EXISTS' },
      );
    },
    { unbound: true },
  );
}

function asking(test: Case): void {
  test(
    'withTenant: always a promise, of what its function gives or throws',
    async () => {
      assert.equal(await withTenant('a', () => 7), 7);
      assert.equal(await withTenant('a', async () => 8), 8);
      assert.equal(await withTenant('a', () => tenantFromContext()), 'a');
      const boom = new Error('boom');
      await assert.rejects(
        withTenant('a', () => {
          throw boom;
        }),
        boom,
      );
    },
    { unbound: true },
  );

  test('a tenant of 128 code points is taken, a longer one, NUL and lone surrogates are refused', async (storage) => {
    const longest = `${'😀'.repeat(91)}${newId()}€`;
    assert.equal([...longest].length, 128);
    await storage.forTenant(longest).createSession({ id: 's', agentId: 'a', status: 'x' });
    assert.equal((await storage.forTenant(longest).getSession('s')).tenantId, longest);
    for (const bad of [`${longest}x`, 'a\0', 'a\ud800', 7 as unknown as string]) {
      await rejects(() => withTenant(bad, () => 1), 'INVALID_ARGUMENT', 'tenant');
      assert.throws(() => storage.forTenant(bad), { code: 'INVALID_ARGUMENT', argument: 'tenant' });
    }
  });
}

export const tenants: Topic = {
  cases: (test, supports) => {
    tenantMethods(test, supports);
    records(test);
    context(test);
    asking(test);
  },
};
