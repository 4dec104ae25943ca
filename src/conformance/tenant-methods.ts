import assert from 'node:assert/strict';
import { newId, type Storage, withTenant } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { fill, type Method, methodsOf } from './methods.ts';
import { checkpoint } from './records.ts';
import type { Case, Conformance } from './suite.ts';

type Supports = Conformance['supports'];

function pair(storage: Storage): readonly [a: Storage, b: Storage] {
  return [storage.forTenant(`a-${newId()}`), storage.forTenant(`b-${newId()}`)];
}

/** What every read gives. */
async function snapshot(storage: Storage, supports: Supports): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const { name, call } of methodsOf(supports, 'reads')) found[name] = await call(storage);
  return found;
}

/** A method must say what it says where there is nothing. */
async function saysNone({ name, call, none }: Method & { readonly name: string }, storage: Storage) {
  if (none && 'code' in none) await rejects(() => call(storage), none.code);
  else assert.deepEqual(await call(storage), none?.value, name);
}

/** Storing or removing; that ids are taken is no matter here. */
async function doAll(storage: Storage, methods: readonly Method[]): Promise<void> {
  for (const { call } of methods) {
    await call(storage).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code !== 'ALREADY_EXISTS') throw error;
    });
  }
}

function separate(test: Case, supports: Supports): void {
  test('the same ids in two tenants are two records, for every method that reads', async (storage) => {
    const [a, b] = pair(storage);
    await fill(a, 'a');
    const before = await snapshot(a, supports);
    await fill(b, 'b', 2);
    assert.deepEqual(await snapshot(a, supports), before);
    const others = await snapshot(b, supports);
    for (const [name, found] of Object.entries(before)) assert.notDeepEqual(others[name], found, name);
  });

  test('a change in one tenant leaves the other alone, for every method that writes', async (storage) => {
    const [a, b] = pair(storage);
    await fill(a, 'a');
    await fill(b, 'b', 2);
    const untouched = await snapshot(b, supports);
    for (const does of ['stores', 'changes', 'removes'] as const) {
      await doAll(a, methodsOf(supports, does));
      assert.deepEqual(await snapshot(b, supports), untouched, does);
    }
    assert.deepEqual(await a.listSessions(), []);
  });

  test("another tenant's ids read as not found and are never changed, for every method", async (storage) => {
    const [a, b] = pair(storage);
    await fill(a, 'a', 1);
    const untouched = await snapshot(a, supports);
    for (const method of methodsOf(supports, 'reads', 'changes', 'removes')) await saysNone(method, b);
    assert.deepEqual(await snapshot(a, supports), untouched);
  });

  test("another tenant's ids and places are free to take", async (storage) => {
    const [a, b] = pair(storage);
    await fill(a, 'a');
    const untouched = await snapshot(a, supports);
    for (const { call } of methodsOf(supports, 'stores')) await call(b);
    await b.saveCheckpoint(checkpoint({ id: 'another', seqNum: 9 }));
    await b.saveCheckpoint(checkpoint({ id: 'c', seqNum: 10 }));
    assert.deepEqual(await snapshot(a, supports), untouched);
    const [mine, theirs] = [await b.listEvents('s'), await a.listEvents('s')];
    assert.ok(mine.every(({ tenantId }) => tenantId !== theirs[0]!.tenantId));
  });
}

function events(test: Case, supports: Supports): void {
  test('a repeat answers the place in its own tenant', async (storage) => {
    const tenants = Array.from({ length: 6 }, () => storage.forTenant(newId()));
    for (const [n, mine] of tenants.entries()) {
      await mine.appendEvent(event({ id: 'e', sessionId: 's', seqNum: n }));
      await mine.appendEvent(event({ id: 'f', sessionId: 's', seqNum: 10 + n }));
    }
    for (const [n, mine] of tenants.entries()) {
      const again = event({ id: 'e', sessionId: 's', seqNum: 99 });
      assert.deepEqual(await mine.appendEvent(again), { inserted: false, seqNum: n });
      if (supports.batches !== true) continue;
      const answer = await mine.appendEvents([again, { ...again, id: 'f' }, { ...again, id: 'g' }]);
      assert.deepEqual(answer, { inserted: 1, seqNums: [n, 10 + n, 99] });
    }
  });

  if (supports.order !== true) return;
  test('the places of a session count in its own tenant', async (storage) => {
    const [a, b] = pair(storage);
    const { seqNum, ...unplaced } = event({ sessionId: 's' });
    for (const place of [1, 2]) {
      for (const mine of [a, b]) {
        const { seqNum: found } = await mine.appendEvent({ ...unplaced, id: `e${place}` });
        assert.equal(found, place);
      }
      await a.appendEvent({ ...unplaced, id: `e${place}` });
    }
    assert.deepEqual(idsOf(await b.listEvents('s')), ['e1', 'e2']);
  });
}

function called(test: Case, supports: Supports): void {
  test(
    'the tenant is read when a method is called, for every method; forTenant wins',
    async (storage) => {
      const [a, b] = [`a-${newId()}`, `b-${newId()}`];
      const [mine, theirs] = [storage.forTenant(a), storage.forTenant(b)];
      await fill(mine, 'a');
      await fill(theirs, 'b', 2);
      for (const { name, call } of methodsOf(supports, 'reads')) {
        let made: Promise<unknown> | undefined;
        await withTenant(a, () => {
          made = call(storage);
        });
        const wanted = await call(mine);
        assert.deepEqual(await withTenant(b, async () => made), wanted, name);
        assert.deepEqual(await withTenant(b, () => call(mine)), wanted, name);
      }
      const untouched = await snapshot(theirs, supports);
      const calls: Promise<unknown>[] = [];
      await withTenant(a, () => {
        calls.push(doAll(storage, methodsOf(supports, 'stores', 'changes')));
      });
      await Promise.all(calls);
      assert.equal((await mine.getSession('s')).status, 'y');
      await withTenant(b, () => doAll(mine, methodsOf(supports, 'stores', 'changes', 'removes')));
      assert.deepEqual(await mine.listSessions(), []);
      assert.deepEqual(await snapshot(theirs, supports), untouched);
      for (const method of methodsOf(supports, 'reads')) await saysNone(method, storage);
    },
    { unbound: true },
  );

  test(
    'requireTenant: a call without one is refused, for every method',
    async (storage) => {
      for (const { call } of methodsOf(supports)) {
        await rejects(() => withTenant('', () => call(storage)), 'INVALID_ARGUMENT', 'tenant');
        await rejects(() => call(storage.forTenant('')), 'INVALID_ARGUMENT', 'tenant');
      }
      const a = `a-${newId()}`;
      await withTenant(a, () => fill(storage, 'a'));
      assert.equal((await storage.forTenant(a).getSession('s')).tenantId, a);
      assert.deepEqual(
        await snapshot(storage.forTenant(a), supports),
        await withTenant(a, () => snapshot(storage, supports)),
      );
      await storage.ping();
    },
    { unbound: true, requireTenant: true },
  );
}

/** The cases that go over every method of the storage. */
export function tenantMethods(test: Case, supports: Supports): void {
  separate(test, supports);
  events(test, supports);
  called(test, supports);
}
