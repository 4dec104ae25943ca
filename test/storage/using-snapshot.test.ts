import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/index.ts';
import { variants } from '../variants.ts';
import { handleKinds } from './handle-kinds.ts';
import { Place } from './using-place.ts';

const event = (id: string, given: object = {}) => ({ id, sessionId: 's', type: 't', payload: 1, ...given });
const checkpoint = (id: string) => ({ id, sessionId: 's', runId: 'r', nodeId: 'n', state: 1, seqNum: 1 });

// MariaDB 11.8 ends a transaction itself that meets what is newer than its snapshot (1020): see using-lost.ts.
const servers = variants.filter(({ language, name }) => language === 'mysql' && name !== 'mariadb118');

for (const variant of servers) {
  const kinds = handleKinds(variant).slice(0, 1);
  describe.each(kinds)(`${variant.name}: storage.using in an older snapshot, $name`, (kind) => {
    const place = new Place(variant, kind);
    beforeAll(() => place.start());
    afterAll(() => place.stop());

    it('repeats and conflicts are told of what others have stored since', async () => {
      const tenant = newId();
      const bound = place.storage.forTenant(tenant);
      await place.lend(async (lent, { query }) => {
        await query('select count(*) as n from chronos_events');
        await bound.appendEvent(event('given', { seqNum: 5 }));
        await bound.appendEvent(event('placed', { sessionId: 'placed' }));
        await bound.saveCheckpoint(checkpoint('c'));
        const conflict = { code: 'CONFLICT' };

        const given = { inserted: false, seqNum: 5 };
        expect(await lent.appendEvent(event('given', { seqNum: 5 }))).toEqual(given);
        expect(await lent.appendEvent(event('given'))).toEqual(given);
        expect(await lent.appendEvents([event('given')])).toEqual({ inserted: 0, seqNums: [5] });
        await expect(lent.saveCheckpoint(checkpoint('d'))).rejects.toMatchObject(conflict);
        const late = [event('late', { sessionId: 'placed' })];
        const unexpected = lent.appendEvents(late, { expectedSeq: 0 });
        await expect(unexpected).rejects.toMatchObject({ ...conflict, actualSeq: 1 });
        expect(await lent.appendEvents(late)).toEqual({ inserted: 1, seqNums: [2] });
      }, tenant);
      expect((await bound.listEvents('placed')).map(({ id }) => id)).toEqual(['placed', 'late']);
      expect((await bound.listCheckpoints('s')).map(({ id }) => id)).toEqual(['c']);
    });
  });
}
