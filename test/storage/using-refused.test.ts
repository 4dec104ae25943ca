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
          if (kind.tells) kept.push(lent);
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
        }
        const bound = place.storage.forTenant(tenant);
        expect(await bound.countEvents('s')).toBe(end ? 0 : 1);
        expect(await bound.listTraces('s')).toEqual([]);
      }
    });

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
