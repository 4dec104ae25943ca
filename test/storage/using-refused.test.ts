import './using-lost.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type Storage } from '../../src/index.ts';
import type { HostTransaction } from '../conformance/host-transactions.ts';
import { type Variant, variants } from '../variants.ts';
import { handleKinds } from './handle-kinds.ts';
import { Place } from './using-place.ts';

const BACK = new Error('the host rolls back');
const refusal = { code: 'INVALID_ARGUMENT', argument: 'handle' };

const event = () => ({ id: newId(), sessionId: 's', type: 't', payload: 1 });

/** Each way in which something would be stored: by one statement, by several, in a savepoint. */
async function refusesToStore(lent: Storage): Promise<void> {
  const calls = [
    () => lent.appendEvent(event()),
    () => lent.appendEvent({ ...event(), seqNum: 50 }),
    () => lent.appendEvents([event(), event()]),
    () => lent.appendEvents([event(), event()], { expectedSeq: 1 }),
    () => lent.transaction((tx) => tx.appendEvent(event())),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(refusal);
}

/** Made once: it takes seconds. */
let aPglite: Promise<Storage> | undefined;
/** A storage on another engine. */
function otherOf({ language }: Variant): Promise<Storage> {
  if (language !== 'sqlite') return openStorage('sqlite::memory:');
  aPglite ??= openStorage('pglite:memory');
  return aPglite;
}
afterAll(async () => (await aPglite)?.close());

for (const variant of variants) {
  describe.each(handleKinds(variant))(`${variant.name}: storage.using refuses, $name`, (kind) => {
    const place = new Place(variant, kind);
    beforeAll(() => place.start());
    afterAll(() => place.stop());

    if (kind.idles) {
      it('a handle without an open transaction, and stores nothing; begun, it serves', async () => {
        const tenant = newId();
        const { handle, query, done } = await place.host.idle!();
        const lent = place.storage.using(handle).forTenant(tenant);
        for (let again = 0; again < 2; again += 1) {
          await expect(lent.appendEvent(event())).rejects.toMatchObject(refusal);
          await expect(lent.listSessions()).rejects.toMatchObject(refusal);
          await expect(lent.ping()).rejects.toMatchObject(refusal);
          await expect(lent.transaction(async () => 1)).rejects.toMatchObject(refusal);
        }
        await query('begin');
        expect(await lent.appendEvent(event())).toEqual({ inserted: true, seqNum: 1 });
        await query('rollback');
        await done();
        expect(await place.storage.forTenant(tenant).listEvents('s')).toEqual([]);
      });
    }

    it('a handle whose transaction has ended', async () => {
      for (const end of [undefined, BACK]) {
        const tenant = newId();
        const kept: Storage[] = [];
        const handles: HostTransaction['handle'][] = [];
        const done = place.host.transact(async ({ handle }) => {
          const lent = place.storage.using(handle).forTenant(tenant);
          await lent.appendEvent(event());
          kept.push(lent);
          handles.push(handle);
          if (end) throw end;
        });
        if (end) await expect(done).rejects.toBe(end);
        else await done;
        for (const handle of handles) kept.push(place.storage.using(handle).forTenant(tenant));
        for (const lent of kept) {
          await expect(lent.countEvents('s')).rejects.toMatchObject(refusal);
          await expect(
            lent.insertTrace({ id: 't', sessionId: 's', name: 'n', kind: 'k' }),
          ).rejects.toMatchObject(refusal);
          // Of a transaction inside one that has ended Prisma says something else.
          if (kind.name !== 'Prisma transaction') await refusesToStore(lent);
        }
        const bound = place.storage.forTenant(tenant);
        expect(await bound.countEvents('s')).toBe(end ? 0 : 1);
        expect(await bound.listTraces('s')).toEqual([]);
      }
    });

    if (variant.language === 'mysql' && kind.name !== 'Prisma transaction') {
      it('what a statement of the host ended by itself, as MySQL lets `create table` do', async () => {
        const tenant = newId();
        await place.host.transact(async ({ handle, query }) => {
          const lent = place.storage.using(handle).forTenant(tenant);
          await lent.appendEvent(event());
          await query(`create table t${tenant.replaceAll('-', '')} (id int)`);
          await refusesToStore(lent);
          await refusesToStore(place.storage.using(handle).forTenant(tenant));
        });
        expect(await place.storage.forTenant(tenant).countEvents('s')).toBe(1);
      });
    }

    it('pools, other engines and rubbish at once', async () => {
      const { whole } = place.host;
      for (const bad of [whole, {}, [], new Map(), null, undefined, 7, 'x', () => 1, place.storage]) {
        expect(() => place.storage.using(bad as never)).toThrow(expect.objectContaining(refusal));
      }
      const other = await otherOf(place.variant);
      await place.host.transact(async ({ handle }) => {
        // What a query builder has is known when it is asked.
        await expect((async () => other.using(handle).ping())()).rejects.toMatchObject(refusal);
      });
      if (place.variant.language === 'sqlite') return;
      await other.close();
      expect(() => other.using(whole as never)).toThrow(expect.objectContaining({ code: 'CLOSED' }));
    });
  });
}
