import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEveryMethod } from '../../src/conformance/every-method.ts';
import { type NewEvent, newId, type Storage, withTenant } from '../../src/index.ts';
import { LedgerStorage } from '../../src/storage.ts';
import { EVERYTHING } from '../conformance/forms.ts';
import { variants } from '../variants.ts';
import { handleKinds } from './handle-kinds.ts';
import { insertRow, Place } from './using-place.ts';

const BACK = new Error('the host rolls back');

function event(sessionId: string, given: Partial<NewEvent> = {}): NewEvent {
  return { id: newId(), sessionId, type: 't', payload: { n: 1 }, ...given };
}

const checkpoint = (id: string, sessionId: string, seqNum = 1) => ({
  id,
  sessionId,
  runId: 'r',
  nodeId: 'n',
  state: {},
  seqNum,
});

for (const variant of variants) {
  describe.each(handleKinds(variant))(`${variant.name}: storage.using, $name`, (kind) => {
    const place = new Place(variant, kind);
    beforeAll(() => place.start());
    afterAll(() => place.stop());

    together(place);
    every(place);
    many(place);
  });
}

function together(place: Place): void {
  it('commits the ledger with the host’s own rows', async () => {
    const tenant = newId();
    const [id] = [newId()];
    await place.lend(async (lent, { query }) => {
      await query(insertRow(id));
      await lent.createSession({ id: 's', agentId: 'a', status: 'running', metadata: { b: 1, a: '\0' } });
      expect(await lent.appendEvent(event('s'))).toEqual({ inserted: true, seqNum: 1 });
      expect(await place.hostRows(query)).toContain(id);
    }, tenant);
    const bound = place.storage.forTenant(tenant);
    expect((await bound.getSession('s')).metadata).toEqual({ b: 1, a: '\0' });
    expect(await bound.countEvents('s')).toBe(1);
    expect(await place.hostRows()).toContain(id);
  });

  it('rolls the ledger back with the host’s own rows', async () => {
    const [tenant, id] = [newId(), newId()];
    const done = place.lend(async (lent, { query }) => {
      await query(insertRow(id));
      await lent.createSession({ id: 's', agentId: 'a', status: 'running' });
      await lent.appendEvents([event('s'), event('s'), event('s')]);
      await lent.insertTraces([{ id: 't', sessionId: 's', name: 'n', kind: 'k' }]);
      expect(await lent.countEvents('s')).toBe(3);
      throw BACK;
    }, tenant);
    await expect(done).rejects.toBe(BACK);
    const bound = place.storage.forTenant(tenant);
    expect(await bound.listSessions()).toEqual([]);
    expect(await bound.listEvents('s')).toEqual([]);
    expect(await bound.listTraces('s')).toEqual([]);
    expect(await place.hostRows()).not.toContain(id);
  });

  it('a transaction on it is a savepoint; closing it ends nothing; it does not migrate', async () => {
    const [tenant, id] = [newId(), newId()];
    await place.lend(async (lent, { query }) => {
      await lent.transaction((tx) => tx.appendEvent(event('s', { id: 'kept' })));
      const lost = lent.transaction(async (tx) => {
        await tx.appendEvent(event('s', { id: 'lost' }));
        throw BACK;
      });
      await expect(lost).rejects.toBe(BACK);
      await lent.close();
      await expect(lent.migrate()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      await query(insertRow(id));
      await lent.appendEvent(event('s', { id: 'after' }));
    }, tenant);
    const events = await place.storage.forTenant(tenant).listEvents('s');
    expect(events.map(({ id, seqNum }) => `${id}${seqNum}`)).toEqual(['kept1', 'after2']);
    expect(await place.hostRows()).toContain(id);
  });

  it('refuses a call inside a savepoint that is not on it, however the handle was lent; after it, serves', async () => {
    const tenant = newId();
    await place.lend(async (lent, { handle }) => {
      const again = place.storage.using(handle).forTenant(tenant);
      const unsupported = { code: 'UNSUPPORTED' };
      await lent.transaction(async (tx) => {
        await expect(again.appendEvent(event('s'))).rejects.toMatchObject(unsupported);
        await expect(again.listEvents('s')).rejects.toMatchObject(unsupported);
        await expect(again.appendEvents([event('s'), event('s')])).rejects.toMatchObject(unsupported);
        await expect(again.transaction(async () => 1)).rejects.toMatchObject(unsupported);
        await tx.transaction(async (inner) => {
          await expect(again.countEvents('s')).rejects.toMatchObject(unsupported);
          await inner.appendEvent(event('s', { id: 'inner' }));
        });
        await tx.appendEvent(event('s', { id: 'outer' }));
      });
      await again.appendEvent(event('s', { id: 'after' }));
    }, tenant);
    const events = await place.storage.forTenant(tenant).listEvents('s');
    expect(events.map(({ id }) => id)).toEqual(['inner', 'outer', 'after']);
  });

  it('takes the tenant of the context', async () => {
    const tenant = newId();
    await place.host.transact(async ({ handle }) => {
      const lent = place.storage.using(handle);
      await withTenant(tenant, () => lent.appendEvent(event('s')));
    });
    expect(await place.storage.forTenant(tenant).countEvents('s')).toBe(1);
  });
}

/** Begun, ended or asked for here otherwise; vectors have a suite of their own. */
const OTHERS = ['constructor', 'transaction', 'using', 'vectors', 'migrate', 'close', 'forTenant'];

function every(place: Place): void {
  it('runs every method', async () => {
    const called = new Set(OTHERS);
    await place.lend(async (lent) => {
      const seen = new Proxy(lent, {
        get: (target, name: keyof Storage) => {
          called.add(name);
          const method = target[name] as (...args: unknown[]) => unknown;
          return method.bind(target);
        },
      });
      await callEveryMethod(seen, EVERYTHING);
    });
    expect([...called].toSorted()).toEqual(Object.getOwnPropertyNames(LedgerStorage.prototype).toSorted());
  });

  it('Conflict, AlreadyExists, NotFound and InvalidArgument leave the host’s transaction usable', async () => {
    const [tenant, id] = [newId(), newId()];
    await place.lend(async (lent, { query }) => {
      await lent.createSession({ id: 's', agentId: 'a', status: 'x' });
      await lent.saveCheckpoint(checkpoint('c', 's'));
      const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['ALREADY_EXISTS', () => lent.createSession({ id: 's', agentId: 'a', status: 'x' })],
        ['CONFLICT', () => lent.saveCheckpoint(checkpoint('d', 's'))],
        ['CONFLICT', () => lent.saveCheckpointAndEvent(checkpoint('d', 's'), event('s'))],
        ['CONFLICT', () => lent.appendEvents([event('s')], { expectedSeq: 9 })],
        ['NOT_FOUND', () => lent.getSession('nobody')],
        ['NOT_FOUND', () => lent.endTrace('nobody')],
        ['INVALID_ARGUMENT', () => lent.appendEvent(event(''))],
      ];
      for (const [n, [code, call]] of calls.entries()) {
        await expect(call()).rejects.toMatchObject({ code });
        await query(insertRow(`${id}-${n}`));
        await lent.appendEvent(event('s'));
      }
    }, tenant);
    expect(await place.storage.forTenant(tenant).countEvents('s')).toBe(7);
    expect((await place.hostRows()).filter((row) => row.startsWith(id))).toHaveLength(7);
  });

  it('a call that changes nothing rolls nothing back, which would take along what the host sent meanwhile', async () => {
    const tenant = newId();
    await place.lend(async (lent) => {
      const first = event('s', { id: 'first' });
      const given = event('t', { id: 'given', seqNum: 5 });
      const repeated = event('t', { id: 'given' });
      await lent.appendEvent(first);
      await lent.appendEvent(given);
      await lent.saveCheckpoint(checkpoint('c', 's'));
      const before = place.sent.length;
      expect(await lent.appendEvent(first)).toEqual({ inserted: false, seqNum: 1 });
      expect(await lent.appendEvent(repeated)).toEqual({ inserted: false, seqNum: 5 });
      expect(await lent.appendEvents([first, repeated])).toEqual({ inserted: 0, seqNums: [1, 5] });
      const replayed = { inserted: 0, seqNums: [1] };
      expect(await lent.appendEvents([first], { expectedSeq: 0 })).toEqual(replayed);
      expect(await lent.appendEvents([first], { expectedSeq: 1 })).toEqual(replayed);
      const unexpected = lent.appendEvents([event('s')], { expectedSeq: 9 });
      await expect(unexpected).rejects.toMatchObject({ code: 'CONFLICT', actualSeq: 1 });
      await expect(lent.saveCheckpoint(checkpoint('d', 's'))).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(place.sent.slice(before).filter((name) => name.startsWith('rollback'))).toEqual([]);
      // Nor has any of them moved a head.
      expect(await lent.appendEvent(event('s'))).toEqual({ inserted: true, seqNum: 2 });
      expect(await lent.appendEvent(event('t'))).toEqual({ inserted: true, seqNum: 6 });
    }, tenant);
    expect(await place.storage.forTenant(tenant).countEvents('s')).toBe(2);
  });

  it('calls at once take turns, and one that fails takes nothing else along', async () => {
    const tenant = newId();
    await place.lend(async (lent, { handle }) => {
      const again = place.storage.using(handle).forTenant(tenant);
      await lent.saveCheckpoint(checkpoint('c', 's'));
      const settled = await Promise.allSettled([
        lent.saveCheckpoint(checkpoint('d', 's')),
        ...Array.from({ length: 6 }, () => lent.appendEvent(event('s'))),
        again.transaction(async (tx) => {
          await tx.appendEvent(event('s'));
          await tx.appendEvent(event('t'));
          throw BACK;
        }),
        ...Array.from({ length: 6 }, () => again.appendEvent(event('s'))),
      ]);
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    }, tenant);
    const bound = place.storage.forTenant(tenant);
    const places = (await bound.listEvents('s')).map(({ seqNum }) => seqNum);
    expect(places).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    expect(await bound.listEvents('t')).toEqual([]);
  });
}

function many(place: Place): void {
  const inTurn = ['pglite', 'better-sqlite3'].includes(place.variant.driver);
  it(`20 transactions ${inTurn ? 'in turn' : 'at once'}: each is whole`, async () => {
    const tenant = newId();
    const bound = place.storage.forTenant(tenant);
    await bound.appendEvent(event('shared'));
    const work = async (n: number): Promise<void> => {
      const done = place.lend(async (lent, { query }) => {
        await query(insertRow(`${tenant}-${n}`));
        await lent.appendEvent(event('shared', { id: `e${n}` }));
        await lent.createSession({ id: `s${n}`, agentId: 'a', status: 'running' });
        await lent.appendEvents([event(`s${n}`), event(`s${n}`)], { expectedSeq: 0 });
        await lent.saveCheckpointAndEvent(checkpoint(`c${n}`, `s${n}`), event(`s${n}`));
        if (n % 4 === 3) throw BACK;
      }, tenant);
      if (n % 4 === 3) await expect(done).rejects.toBe(BACK);
      else await done;
    };
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    if (inTurn) for (const n of numbers) await work(n);
    else await Promise.all(numbers.map(work));
    const kept = numbers.filter((n) => n % 4 !== 3);
    const shared = (await bound.listEvents('shared')).map(({ seqNum }) => seqNum);
    expect(shared).toEqual(Array.from({ length: kept.length + 1 }, (_, n) => n + 1));
    const rows = (await place.hostRows()).filter((id) => id.startsWith(tenant));
    expect(rows).toEqual(kept.map((n) => `${tenant}-${n}`).toSorted());
    for (const n of numbers) {
      expect(await bound.countEvents(`s${n}`)).toBe(kept.includes(n) ? 3 : 0);
      expect(await bound.listCheckpoints(`s${n}`)).toHaveLength(kept.includes(n) ? 1 : 0);
    }
  });
}
