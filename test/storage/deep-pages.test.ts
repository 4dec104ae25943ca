import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/index.ts';
import { variants } from '../variants.ts';

const EVENTS = 5000;

describe.each(variants.filter(({ driver }) => driver === 'pg'))('on $name', ({ createDatabase }) => {
  it('pages at any depth are planned a few times, not at every call', async () => {
    const { url } = await createDatabase('deep');
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const storage = await openStorage(pool, { prepare: true });
    await storage.migrate();
    const event = (n: number) => ({ id: `e${n}`, sessionId: 's', seqNum: n, type: 't', payload: n });
    await storage.appendEvents(Array.from({ length: EVENTS }, (_, n) => event(n)));
    await pool.query('analyze chronos.chronos_events');
    const deep = EVENTS - 200;
    const { nextCursor } = await storage.listEventsPaged('s', deep, 10);
    for (let call = 0; call < 20; call += 1) {
      await storage.listEventsPaged('s', undefined, 10, nextCursor);
      await storage.listEventsPaged('s', deep, 10);
    }
    const { rows } = await pool.query(
      "select generic_plans > custom_plans as kept from pg_prepared_statements where name like '%events.page.forward%'",
    );
    expect(rows).toEqual([{ kept: true }, { kept: true }]);
    await storage.close();
    await pool.end();
  });
});
