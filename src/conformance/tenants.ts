import assert from 'node:assert/strict';
import { DEFAULT_TENANT, newId, type Storage, tenantFromContext, withTenant } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

const AT = new Date('2024-01-01T00:00:00.000Z');

function fill(storage: Storage, whose: string): Promise<unknown> {
  return Promise.all([
    storage.createSession({
      id: 's',
      agentId: whose,
      status: whose,
      metadata: whose,
      createdAt: AT,
      updatedAt: AT,
    }),
    storage.appendEvent(event({ id: 'e', sessionId: 's', seqNum: 1, type: whose })),
  ]);
}

function separate(test: Case): void {
  test('the same ids in two tenants are two records, for every method', async (storage) => {
    const [a, b] = [storage.forTenant(`a-${newId()}`), storage.forTenant(`b-${newId()}`)];
    await fill(a, 'a');
    await fill(b, 'b');
    for (const [mine, whose] of [
      [a, 'a'],
      [b, 'b'],
    ] as const) {
      assert.equal((await mine.getSession('s')).agentId, whose);
      assert.deepEqual(
        (await mine.listSessions()).map((one) => one.agentId),
        [whose],
      );
      assert.deepEqual(
        (await mine.listSessionsPaged({})).sessions.map((one) => one.agentId),
        [whose],
      );
      assert.deepEqual(
        (await mine.listEvents('s')).map((one) => one.type),
        [whose],
      );
      assert.deepEqual(
        (await mine.listEventsPaged('s')).events.map((one) => one.type),
        [whose],
      );
    }
  });

  test('a repeat answers the place in its own tenant', async (storage) => {
    const tenants = Array.from({ length: 6 }, () => storage.forTenant(newId()));
    for (const [n, mine] of tenants.entries()) {
      await mine.appendEvent(event({ id: 'e', sessionId: 's', seqNum: n }));
      await mine.appendEvent(event({ id: 'f', sessionId: 's', seqNum: 10 + n }));
    }
    for (const [n, mine] of tenants.entries()) {
      const again = event({ id: 'e', sessionId: 's', seqNum: 99 });
      assert.deepEqual(await mine.appendEvent(again), { inserted: false, seqNum: n });
      const answer = await mine.appendEvents([again, { ...again, id: 'f' }, { ...again, id: 'g' }]);
      assert.deepEqual(answer, { inserted: 1, seqNums: [n, 10 + n, 99] });
    }
  });

  test('a change in one tenant leaves the other alone, for every method', async (storage) => {
    const [a, b] = [storage.forTenant(`a-${newId()}`), storage.forTenant(`b-${newId()}`)];
    await fill(a, 'a');
    await fill(b, 'b');
    const untouched = [await b.getSession('s'), await b.listEvents('s')];
    await a.updateSession({ id: 's', status: 'x' }, { ifUpdatedAt: AT });
    await a.updateSessionStatus('s', 'y');
    await a.appendEvent(event({ id: 'e2', sessionId: 's', seqNum: 2 }));
    await a.appendEvents([
      event({ id: 'e', sessionId: 's' }),
      event({ id: 'e3', sessionId: 's', seqNum: 3 }),
    ]);
    assert.deepEqual([await b.getSession('s'), await b.listEvents('s')], untouched);
    assert.deepEqual(idsOf(await a.listEvents('s')), ['e', 'e2', 'e3']);
  });

  test("another tenant's ids read as not found and are free to take", async (storage) => {
    const [a, b] = [storage.forTenant(`a-${newId()}`), storage.forTenant(`b-${newId()}`)];
    await fill(a, 'a');
    await rejects(() => b.getSession('s'), 'NOT_FOUND');
    await rejects(() => b.updateSession({ id: 's', status: 'x' }), 'NOT_FOUND');
    await rejects(() => b.updateSession({ id: 's', status: 'x' }, { ifUpdatedAt: AT }), 'NOT_FOUND');
    await rejects(() => b.updateSessionStatus('s', 'x'), 'NOT_FOUND');
    assert.deepEqual(await b.listEvents('s'), []);
    assert.deepEqual(await b.listSessions('a'), []);
    assert.deepEqual(await b.appendEvent(event({ id: 'e', sessionId: 's', seqNum: 9 })), {
      inserted: true,
      seqNum: 9,
    });
    await b.createSession({ id: 's', agentId: 'b', status: 'b' });
    assert.equal((await a.getSession('s')).status, 'a');
  });

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

  test("a record's own tenantId is ignored on writes", async (storage) => {
    const [mine, theirs] = [`mine-${newId()}`, `theirs-${newId()}`];
    const bound = storage.forTenant(mine);
    await bound.createSession({ id: 's', tenantId: theirs, agentId: 'a', status: 'x' });
    await bound.appendEvent({ ...event({ sessionId: 's' }), tenantId: theirs });
    await bound.appendEvents([{ ...event({ sessionId: 's' }), tenantId: theirs }]);
    const found = await bound.getSession('s');
    assert.equal(found.tenantId, mine);
    await bound.updateSession({ ...found, tenantId: theirs });
    assert.ok((await bound.listEvents('s')).every(({ tenantId }) => tenantId === mine));
    assert.deepEqual(await storage.forTenant(theirs).listSessions(), []);
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

  test(
    'requireTenant: a call without one is refused, for every method',
    async (storage) => {
      const calls: readonly (() => Promise<unknown>)[] = [
        () => storage.createSession({ id: 's', agentId: 'a', status: 'x' }),
        () => storage.getSession('s'),
        () => storage.updateSession({ id: 's', status: 'x' }),
        () => storage.updateSessionStatus('s', 'x'),
        () => storage.listSessions(),
        () => storage.listSessionsPaged(),
        () => storage.appendEvent(event({ sessionId: 's' })),
        () => storage.appendEvents([]),
        () => storage.listEvents('s'),
        () => storage.listEventsPaged('s'),
        () => storage.forTenant('').getSession('s'),
      ];
      for (const call of calls) {
        await rejects(() => withTenant('', call), 'INVALID_ARGUMENT', 'tenant');
      }
      const a = `a-${newId()}`;
      await withTenant(a, () => storage.createSession({ id: 's', agentId: 'a', status: 'x' }));
      assert.equal((await storage.forTenant(a).getSession('s')).tenantId, a);
      await storage.ping();
    },
    { unbound: true, requireTenant: true },
  );
}

export const tenants: Topic = {
  cases: (test) => {
    separate(test);
    context(test);
    asking(test);
  },
};
