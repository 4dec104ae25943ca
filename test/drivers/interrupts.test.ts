import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { type TestDatabase, type Variant, variants } from '../variants.ts';
import { type Form, formsOf, type Opened, rejection, sql } from './forms.ts';
import { ServerSessions } from './server-sessions.ts';
import { until } from './until.ts';

for (const variant of variants.filter(({ serverUrl }) => serverUrl !== undefined)) {
  describe(variant.name, () => {
    let database: TestDatabase;
    let admin: Connection;
    beforeAll(async () => {
      database = await variant.createDatabase('drivers_interrupt');
      admin = await openConnection(database.url, { pool: { max: 1 } });
      await admin.script('create table t (id varchar(40) primary key)');
    });
    afterAll(() => admin.close());
    for (const form of formsOf(variant)) {
      describe(form.name, () => interrupts(variant, form, () => ({ database, admin })));
    }
  });
}

function interrupts(
  variant: Variant,
  form: Form,
  place: () => { database: TestDatabase; admin: Connection },
): void {
  const insert = sql(variant, 'insert into t (id) values (?)', ['id']);
  const all = sql(variant, 'select id from t order by id');
  let blocker: Connection;
  let sessions: ServerSessions;

  beforeAll(async () => {
    sessions = new ServerSessions(variant, place().admin);
    blocker = await openConnection(place().database.url);
  });
  beforeEach(() => place().admin.script('delete from t'));
  afterAll(() => blocker.close());

  /** Runs `fn` while another transaction holds the row `x`. */
  async function whileHeld<T>(fn: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    const undo = new Error('undo');
    const held = blocker.transaction(async (tx) => {
      await tx.run(insert, { id: 'x' });
      result = await fn();
      throw undo;
    });
    expect(await rejection(held)).toBe(undo);
    return result as T;
  }

  async function withForm<T>(
    options: Parameters<Form['open']>[1],
    fn: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const opened = await form.open(place().database, options);
    try {
      return await fn(opened);
    } finally {
      await opened.close();
    }
  }

  const waits = () => until(async () => (await sessions.ids(true)).length > 0);
  const waitsNoMore = () => until(async () => (await sessions.ids(true)).length === 0);

  it('stops the statement of a transaction when its signal comes', () =>
    withForm({}, async ({ connection }) => {
      await whileHeld(async () => {
        const controller = new AbortController();
        const options = { signal: controller.signal };
        const work = rejection(
          connection.transaction(async (tx) => {
            await tx.run(insert, { id: 'a' });
            await tx.run(insert, { id: 'x' });
          }, options),
        );
        await waits();
        controller.abort();
        expect(await work).toMatchObject({ code: 'UNAVAILABLE', reason: 'INTERRUPTED' });
        await waitsNoMore();
      });
      expect(await connection.rows(all, {})).toEqual([]);
    }));

  it('stops a transaction at whatever moment its signal comes, and leaves nothing of it', async () => {
    for (let moment = 0; moment < 8; moment += 1) {
      await withForm({}, async ({ connection }) => {
        const signal = AbortSignal.timeout(moment);
        const work = connection.transaction(
          async (tx) => {
            for (let n = 0; ; n += 1) await tx.run(insert, { id: `${n}` });
          },
          { signal },
        );
        expect(await rejection(work)).toMatchObject({ code: 'UNAVAILABLE', reason: 'INTERRUPTED' });
        expect(await connection.rows(all, {})).toEqual([]);
      });
    }
  });

  it('stops a script, and lets its session go on', () =>
    withForm({}, async ({ connection }) => {
      if (form.name.includes('PgBouncer')) return;
      await whileHeld(() =>
        connection.session(async (session) => {
          const controller = new AbortController();
          const text = "insert into t (id) values ('x')";
          const work = rejection(session.script(text, { signal: controller.signal }));
          await waits();
          controller.abort();
          expect(await work).toMatchObject({ reason: 'INTERRUPTED' });
          await session.run(insert, { id: 'after' });
          expect(await session.rows(all, {})).toEqual([{ id: 'after' }]);
        }),
      );
    }));

  it('stops a statement after statementTimeout, alone and in a transaction that goes on or not', () =>
    withForm({ statementTimeout: 300 }, async ({ connection }) => {
      await whileHeld(async () => {
        expect(await rejection(connection.run(insert, { id: 'x' }))).toMatchObject({ reason: 'TIMEOUT' });
        const work = connection.transaction(async (tx) => {
          await tx.run(insert, { id: 'a' });
          const error = await rejection(tx.transaction((inner) => inner.run(insert, { id: 'x' })));
          expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'TIMEOUT', transactionLost: false });
          await tx.run(insert, { id: 'b' });
        });
        await work;
      });
      expect(await connection.rows(all, {})).toEqual([{ id: 'a' }, { id: 'b' }]);
    }));
}
