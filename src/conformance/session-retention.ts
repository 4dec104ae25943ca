import assert from 'node:assert/strict';
import { newId, type Storage, type TrimProgress } from '../index.ts';
import { byCodePoint, idsOf, rejects, rejectsWith } from './expect.ts';
import { fillSession, HOLDS, holds, NOTHING } from './filled.ts';
import { AT, after } from './records.ts';
import { BAD_OPTIONS } from './retention.ts';
import type { Case, Topic } from './suite.ts';

function create(storage: Storage, id: string, updatedAt: Date, status = 'completed'): Promise<void> {
  return storage.createSession({ id, agentId: 'a', status, createdAt: after(-1e6), updatedAt });
}

async function left(storage: Storage): Promise<readonly string[]> {
  return idsOf(await storage.listSessions('', 1000)).toSorted(byCodePoint);
}

function removing(test: Case): void {
  test('trimSessions: removes those last changed strictly before, with all that carries their ids', async (storage) => {
    for (const [id, ms] of [
      ['old', -1],
      ['at', 0],
      ['later', 1],
    ] as const) {
      await create(storage, id, after(ms));
      // Its own age does not matter.
      await fillSession(storage, { sessionId: id, at: id === 'old' ? after(99) : after(-99) });
    }
    await fillSession(storage, { sessionId: 'without a row', at: after(-99) });
    assert.equal(await storage.trimSessions(AT), 1);
    assert.deepEqual(await left(storage), ['at', 'later']);
    assert.deepEqual(await holds(storage, 'old'), NOTHING);
    for (const id of ['at', 'later', 'without a row']) assert.deepEqual(await holds(storage, id), HOLDS);
    assert.equal(await storage.trimSessions(AT), 0);
  });

  test('trimSessions: only those of a status', async (storage) => {
    for (const status of ['completed', 'failed', 'running', 'Completed', 'completed ']) {
      for (const n of [1, 2, 3]) await create(storage, `${status}${n}`, after(-n), status);
    }
    const all = (await left(storage)).length;
    assert.equal(await storage.trimSessions(AT, { status: 'completed', batchSize: 2 }), 3);
    assert.ok((await left(storage)).every((id) => !/^completed[1-3]/.test(id)));
    assert.equal(await storage.trimSessions(AT, { status: 'nobody' }), 0);
    assert.equal((await left(storage)).length, all - 3);
    assert.equal(await storage.trimSessions(AT, { status: '' }), all - 3);
  });

  test('trimSessions: in batches, also where more share a moment than one takes', async (storage) => {
    for (const batchSize of [1, 2, 7, 8, 100]) {
      for (let n = 0; n < 7; n += 1) await create(storage, `s${n}`, after(n < 5 ? -9 : -1));
      await create(storage, 'stays', AT);
      const told: number[] = [];
      const onProgress = ({ removed }: TrimProgress): void => void told.push(removed);
      assert.equal(await storage.trimSessions(AT, { batchSize, onProgress, pause: 1 }), 7);
      assert.deepEqual(told, [1, 2, 3, 4, 5, 6, 7]);
      assert.deepEqual(await left(storage), ['stays']);
      await storage.deleteSession('stays');
    }
  });

  test('trimSessions: dryRun counts and removes nothing', async (storage) => {
    for (let n = 0; n < 5; n += 1) await create(storage, `s${n}`, after(-n), n % 2 ? 'failed' : 'completed');
    assert.equal(await storage.trimSessions(AT, { dryRun: true, batchSize: 2 }), 4);
    assert.equal(await storage.trimSessions(AT, { dryRun: true, status: 'failed' }), 2);
    assert.equal((await left(storage)).length, 5);
  });

  test(
    'trimSessions: dryRun counts those of its own tenant only',
    async (storage) => {
      const [one, other] = [storage.forTenant(newId()), storage.forTenant(newId())];
      for (const n of [1, 2, 3]) await create(one, `s${n}`, after(-n), 'completed');
      await create(other, 's1', after(-1), 'completed');
      assert.equal(await one.trimSessions(AT, { dryRun: true }), 3);
      assert.equal(await other.trimSessions(AT, { dryRun: true, batchSize: 1 }), 1);
    },
    { unbound: true },
  );

  test('trimSessions: one that is touched meanwhile is kept with all that it has', async (storage) => {
    const ids = Array.from({ length: 12 }, (_, n) => `s${String(n).padStart(2, '0')}`);
    for (const id of ids) {
      await create(storage, id, after(-1));
      await fillSession(storage, { sessionId: id, prefix: `${id}/` });
    }
    const touched = new Map<string, Promise<boolean>>();
    const onProgress = (): void => {
      // Whether it comes before the session's own removal is open: it then answers that there is none.
      for (const id of ids.slice(-6)) {
        const changed = storage.updateSessionStatus(id, 'running').then(
          () => true,
          (error: { readonly code?: unknown }) => {
            if (error.code !== 'NOT_FOUND') throw error;
            return false;
          },
        );
        if (!touched.has(id)) touched.set(id, changed);
      }
    };
    const removed = await storage.trimSessions(AT, { onProgress });
    const kept: string[] = [];
    for (const [id, changed] of touched) if (await changed) kept.push(id);
    assert.deepEqual(await left(storage), kept);
    assert.equal(removed, ids.length - kept.length);
    for (const id of ids) assert.deepEqual(await holds(storage, id), kept.includes(id) ? HOLDS : NOTHING, id);
  });
}

function stopping(test: Case): void {
  test('trimSessions: a signal stops it after what it removed, and a second run finishes', async (storage) => {
    for (let n = 0; n < 6; n += 1) await create(storage, `s${n}`, after(-1));
    const facts = { code: 'UNAVAILABLE', reason: 'INTERRUPTED' } as const;
    const aborted = { signal: AbortSignal.abort() };
    await rejectsWith(() => storage.trimSessions(AT, aborted), { ...facts, partial: 0 });
    for (const batchSize of [1, 2, 100]) {
      const stop = new AbortController();
      const onProgress = (): void => stop.abort();
      const options = { signal: stop.signal, batchSize, onProgress };
      await rejectsWith(() => storage.trimSessions(AT, options), { ...facts, partial: 1 });
    }
    assert.equal((await left(storage)).length, 3);
    assert.equal(await storage.trimSessions(AT), 3);
  });

  test('trimSessions: bad arguments are refused and remove nothing', async (storage) => {
    await create(storage, 's', after(-1));
    for (const bad of [undefined, 0, new Date(Number.NaN)]) {
      await rejects(() => storage.trimSessions(bad as Date), 'INVALID_ARGUMENT', 'olderThan');
    }
    const more = [
      ['status', { status: 7 }],
      ['status', { status: 'x'.repeat(65) }],
      ['allTenants', { allTenants: null }],
    ] as const;
    for (const [argument, options] of [...BAD_OPTIONS, ...more]) {
      await rejects(() => storage.trimSessions(AT, options as never), 'INVALID_ARGUMENT', argument);
    }
    assert.deepEqual(await left(storage), ['s']);
  });
}

function ofTenants(test: Case): void {
  test('trimSessions: only in the tenant of the call', async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    for (const one of [storage, other]) {
      await create(one, 's', after(-1));
      await fillSession(one, { sessionId: 's' });
    }
    assert.equal(await storage.trimSessions(AT), 1);
    assert.deepEqual(await holds(other, 's'), HOLDS);
    assert.deepEqual(await left(other), ['s']);
  });

  test(
    'trimSessions: allTenants walks all of them; it is not for a storage that is bound to one',
    async (storage) => {
      const first = new Date('1000-01-01T00:00:00.000Z');
      const next = new Date('1000-01-01T00:00:00.001Z');
      const tenants = ['a', 'b'].map((word) => storage.forTenant(`${word}-${newId()}`));
      for (const one of tenants) {
        for (const id of ['1', '2']) {
          await create(one, id, first);
          await fillSession(one, { sessionId: id });
        }
        await create(one, 'stays', next);
        await rejects(() => one.trimSessions(next, { allTenants: true }), 'INVALID_ARGUMENT', 'allTenants');
      }
      assert.ok((await storage.trimSessions(next, { allTenants: true, batchSize: 1 })) >= 4);
      for (const one of tenants) {
        assert.deepEqual(await left(one), ['stays']);
        for (const id of ['1', '2']) assert.deepEqual(await holds(one, id), NOTHING);
      }
    },
    { unbound: true },
  );
}

export const sessionRetention: Topic = {
  needs: 'retention',
  cases: (test) => {
    removing(test);
    stopping(test);
    ofTenants(test);
  },
};
