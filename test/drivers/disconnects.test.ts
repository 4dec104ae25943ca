import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { type TestDatabase, type Variant, variants } from '../variants.ts';
import { formsOf, rejection, sql } from './forms.ts';
import { ServerSessions } from './server-sessions.ts';
import { until } from './until.ts';

for (const variant of variants.filter(({ serverUrl }) => serverUrl !== undefined)) {
  describe(`${variant.name}: lost connections`, () => lost(variant));
}

function lost(variant: Variant): void {
  const one = sql(variant, 'select 1 as one');
  const insert = sql(variant, 'insert into t (id) values (?)', ['id']);
  const all = sql(variant, 'select id from t order by id');
  let database: TestDatabase;
  let admin: Connection;
  let sessions: ServerSessions;

  beforeAll(async () => {
    database = await variant.createDatabase('drivers_lost');
    admin = await openConnection(database.url, { pool: { max: 1 } });
    sessions = new ServerSessions(variant, admin);
    await admin.script('create table t (id varchar(40) primary key)');
  });
  afterAll(() => admin.close());

  async function killAll(): Promise<void> {
    await sessions.kill();
    await until(async () => (await sessions.ids()).length === 0);
    // The server's last words come on other sockets than the answer: they may still lie there unread.
    await sleep(50);
  }

  it('survives the end of every idle connection', async () => {
    const db = await openConnection(database.url, { pool: { max: 3 } });
    await Promise.all([1, 2, 3].map(() => db.rows(one, {})));
    await killAll();
    for (let i = 0; i < 4; i += 1) expect(await db.rows(one, {})).toHaveLength(1);
    await killAll();
    await db.transaction((tx) => tx.run(insert, { id: 'a' }));
    expect(await db.rows(all, {})).toEqual([{ id: 'a' }]);
    await db.close();
  });

  it('ends a transaction whose connection is lost, and sends nothing more on it', async () => {
    const db = await openConnection(database.url);
    let first: Error | undefined;
    const work = db.transaction(async (tx) => {
      await tx.run(insert, { id: 'gone' });
      await killAll();
      first = await rejection(tx.run(insert, { id: 'gone2' }));
      expect(first).toMatchObject({ code: 'UNAVAILABLE', reason: 'CONNECTION_LOST', transactionLost: true });
      expect(await rejection(tx.run(insert, { id: 'gone3' }))).toBe(first);
      expect(await rejection(tx.transaction(async () => undefined))).toBe(first);
    });
    expect(await rejection(work)).toBe(first);
    expect((await db.rows(all, {})).map(({ id }) => id)).not.toContain('gone');
    await db.close();
  });

  it('keeps to its bound, waits for a free connection, and says so when none comes', async () => {
    const db = await openConnection(database.url, { pool: { max: 2 } });
    const counts = await Promise.all(
      Array.from({ length: 12 }, () => db.transaction(async () => (await sessions.ids()).length)),
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    await db.close();
  });

  const pools = formsOf(variant).filter(({ name }) => !name.includes('PgBouncer'));
  it.each(pools)('$name: a call for which no connection becomes free is told so in time', async (form) => {
    const { connection: db, close } = await form.open(database, { pool: { max: 4, acquireTimeout: 500 } });
    const all4 = <T>(task: () => Promise<T>): Promise<T> => {
      const nested = (n: number): Promise<T> => (n === 0 ? task() : db.session(() => nested(n - 1)));
      return nested(4);
    };
    // Again, since what came too late must have gone back.
    for (let time = 0; time < 2; time += 1) {
      await all4(async () => {
        const errors = await Promise.all([db.rows(one, {}), db.rows(one, {})].map(rejection));
        for (const error of errors) {
          expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'POOL_EXHAUSTED', retryable: true });
          expect(error).toHaveProperty('hint');
        }
      });
      expect(await db.rows(one, {})).toHaveLength(1);
    }
    await close();
  });

  it('closes what lies idle', async () => {
    const db = await openConnection(database.url, { pool: { idleTimeout: 30 } });
    await Promise.all([db.rows(one, {}), db.rows(one, {})]);
    await until(async () => (await sessions.ids()).length === 0);
    expect(await db.rows(one, {})).toHaveLength(1);
    await db.close();
    await until(async () => (await sessions.ids()).length === 0);
  });
}
