import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, Row } from '../../src/drivers/connection.ts';
import type { StatementSeen } from '../../src/drivers/options.ts';
import { AlreadyExistsError, ClosedError, SchemaOutOfDateError } from '../../src/errors.ts';
import { type TestDatabase, type Variant, variants } from '../variants.ts';
import { type Form, formsOf, type Opened, rejection, sql } from './forms.ts';

for (const variant of variants) {
  describe(variant.name, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await variant.createDatabase('drivers');
    });
    for (const form of formsOf(variant)) describe(form.name, () => contract(variant, form, () => database));
  });
}

function contract(variant: Variant, form: Form, database: () => TestDatabase): void {
  const insert = sql(variant, 'insert into t (id, n, word) values (?, ?, ?)', ['id', 'n', 'word']);
  const update = sql(variant, 'update t set word = ? where n >= ?', ['word', 'from']);
  const remove = sql(variant, 'delete from t where id = ?', ['id']);
  const all = sql(variant, 'select id, n, word from t order by id');
  const page = sql(variant, 'select id from t where n > ? order by n limit ?', ['after', 'limit']);
  const seen: StatementSeen[] = [];
  let opened: Opened;
  let db: Connection;

  beforeAll(async () => {
    opened = await form.open(database(), { onStatement: (statement) => seen.push(statement) });
    db = opened.connection;
    await db.script('drop table if exists t');
    await db.script('create table t (id varchar(40) primary key, n bigint not null, word varchar(40))');
  });
  beforeEach(() => db.script('delete from t'));
  afterAll(() => opened.close());

  const ids = async (on: Connection = db) => (await on.rows(all, {})).map(({ id }) => id);
  const add = (on: Connection, id: string, n = 1) => on.run(insert, { id, n, word: null });

  it('tells what the server is', () => {
    expect(db.server.version).toMatch(/^\d+\.\d+/);
    expect(db.server.target).not.toBe('');
    expect(JSON.stringify(db.server)).not.toContain('chronos-test');
  });

  it('counts rows inserted, found by an update and deleted', async () => {
    expect(await add(db, 'a', 1)).toBe(1);
    expect(await add(db, 'b', 2)).toBe(1);
    expect(await db.run(update, { word: 'x', from: 1 })).toBe(2);
    // Found, though nothing changes.
    expect(await db.run(update, { word: 'x', from: 2 })).toBe(1);
    expect(await db.run(remove, { id: 'a' })).toBe(1);
    expect(await db.run(remove, { id: 'a' })).toBe(0);
  });

  it('gives whole numbers exactly, text and NULL as stored', async () => {
    const word = 'é𝄞 \\ \' " %';
    await db.run(insert, { id: 'big', n: 9_007_199_254_740_991, word });
    await db.run(insert, { id: 'low', n: -9_007_199_254_740_991n, word: null });
    const rows = (await db.rows(all, {})).map((row): Row => ({ ...row, n: String(row.n) }));
    expect(rows).toEqual([
      { id: 'big', n: '9007199254740991', word },
      { id: 'low', n: '-9007199254740991', word: null },
    ]);
  });

  it('takes a limit as a parameter', async () => {
    await db.runEach(insert, [
      { id: 'a', n: 1, word: null },
      { id: 'b', n: 2, word: null },
      { id: 'c', n: 3, word: null },
    ]);
    expect(await db.rows(page, { after: 1, limit: 1 })).toEqual([{ id: 'b' }]);
  });

  it('runs a statement once per item, in order, and stops at the first error', async () => {
    const list = ['a', 'b', 'a', 'c'].map((id) => ({ id, n: 1, word: null }));
    expect(await db.runEach(insert, list.slice(0, 2))).toEqual([1, 1]);
    await db.script('delete from t');
    expect(await rejection(db.runEach(insert, list))).toBeInstanceOf(AlreadyExistsError);
    expect(await ids()).toEqual(['a', 'b']);
  });

  it('says which value of a statement is missing, and sends nothing', async () => {
    const error = await rejection(db.run(insert, { id: 'a', n: 1 }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'word' });
  });

  it('tells a taken key and a missing table by class, without values', async () => {
    await add(db, 'secret-value');
    const taken = await rejection(add(db, 'secret-value'));
    expect(taken).toBeInstanceOf(AlreadyExistsError);
    expect(taken.message).not.toContain('secret-value');
    const missing = await rejection(db.rows(sql(variant, 'select * from no_such_table'), {}));
    expect(missing).toBeInstanceOf(SchemaOutOfDateError);
    expect(missing).toMatchObject({ message: expect.stringContaining('npx chronos-migrate up') });
    // A script is somebody else's text: its mistakes say nothing of our schema.
    const script = await rejection(db.script('insert into no_such_table values (1)'));
    expect(script).toMatchObject({ code: 'UNAVAILABLE', reason: 'DATABASE_ERROR' });
  });

  it('tells onStatement names, times and counts', async () => {
    seen.length = 0;
    await add(db, 'a');
    await rejection(add(db, 'a'));
    const own = seen.filter(({ name }) => name === 'test');
    expect(own).toMatchObject([
      { name: 'test', rows: 1 },
      { name: 'test', rows: 0, error: { code: 'ALREADY_EXISTS' } },
    ]);
    expect(own.every(({ ms }) => ms >= 0)).toBe(true);
  });

  describe('a transaction', () => {
    it('commits what resolves and gives its result', async () => {
      const result = await db.transaction(async (tx) => {
        await add(tx, 'a');
        return 'done';
      });
      expect(result).toBe('done');
      expect(await ids()).toEqual(['a']);
    });

    it('rolls back what rejects, and rejects with the same error', async () => {
      const mine = new Error('mine');
      const error = await rejection(
        db.transaction(async (tx) => {
          await add(tx, 'a');
          throw mine;
        }),
      );
      expect(error).toBe(mine);
      expect(await ids()).toEqual([]);
    });

    it('gives back a savepoint and keeps the rest', async () => {
      await db.transaction(async (tx) => {
        await add(tx, 'a');
        await rejection(
          tx.transaction(async (inner) => {
            await add(inner, 'b');
            await add(inner, 'a');
          }),
        );
        await tx.transaction(async (inner) => {
          await add(inner, 'c');
          await inner.transaction((deepest) => add(deepest, 'd'));
        });
      });
      expect(await ids()).toEqual(['a', 'c', 'd']);
    });

    it('keeps siblings apart', async () => {
      await db.transaction(async (tx) => {
        await Promise.all(
          ['a', 'b', 'a', 'c'].map((id) => tx.transaction((inner) => add(inner, id)).catch(() => undefined)),
        );
      });
      expect(await ids()).toEqual(['a', 'b', 'c']);
    });

    it('serves statements that were started together', async () => {
      await db.transaction((tx) => Promise.all(['a', 'b', 'c'].map((id) => add(tx, id))));
      expect(await ids()).toEqual(['a', 'b', 'c']);
    });

    it('never lets two callers into one transaction', async () => {
      await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((id) =>
          db
            .transaction(async (tx) => {
              await add(tx, id);
              await new Promise((resolve) => setImmediate(resolve));
              await add(tx, `${id}2`);
              if (id === 'c') throw new Error('undo');
            })
            .catch(() => undefined),
        ),
      );
      expect(await ids()).toEqual(['a', 'a2', 'b', 'b2', 'd', 'd2', 'e', 'e2']);
    });

    it('refuses what comes after its end', async () => {
      let kept: Connection | undefined;
      await db.transaction(async (tx) => {
        kept = tx;
      });
      expect(await rejection(add(kept as Connection, 'late'))).toBeInstanceOf(ClosedError);
      expect(await ids()).toEqual([]);
    });

    it('never calls a rollback by the server committed', async () => {
      const work = db.transaction(async (tx) => {
        await add(tx, 'a');
        await add(tx, 'a').catch(() => undefined);
      });
      if (variant.language === 'postgres') {
        expect(await rejection(work)).toMatchObject({ reason: 'DATABASE_ERROR', transactionLost: true });
        expect(await ids()).toEqual([]);
      } else {
        await work;
        expect(await ids()).toEqual(['a']);
      }
    });

    it('leaves nothing open on its client', async () => {
      for (let i = 0; i < 12; i += 1) {
        await rejection(
          db.transaction(async (tx) => {
            await add(tx, `x${i}`);
            await tx.script('this is no sql');
          }),
        );
      }
      await add(db, 'a');
      expect(await ids()).toEqual(['a']);
    });
  });

  it('gives a session one client, and transactions on it', async () => {
    const found = await db.session(async (session) => {
      await add(session, 'a');
      await rejection(
        session.transaction(async (tx) => {
          await add(tx, 'b');
          throw new Error('undo');
        }),
      );
      await session.transaction((tx) => add(tx, 'c'));
      return ids(session);
    });
    expect(found).toEqual(['a', 'c']);
  });

  it('runs nothing when the signal came before', async () => {
    const signal = AbortSignal.abort();
    const text = variant.language === 'postgres' ? "insert into t values ('a', 1)" : 'delete from t';
    expect(await rejection(db.script(text, { signal }))).toMatchObject({ reason: 'INTERRUPTED' });
    const work = db.transaction((tx) => add(tx, 'b'), { signal });
    expect(await rejection(work)).toMatchObject({ reason: 'INTERRUPTED' });
    expect(await ids()).toEqual([]);
  });

  it('rolls back when the signal comes between two statements', async () => {
    const controller = new AbortController();
    const work = db.transaction(
      async (tx) => {
        await add(tx, 'a');
        controller.abort();
        await add(tx, 'b');
      },
      { signal: controller.signal },
    );
    expect(await rejection(work)).toMatchObject({ reason: 'INTERRUPTED' });
    expect(await ids()).toEqual([]);
    await add(db, 'c');
    expect(await ids()).toEqual(['c']);
  });

  it('waits at close for what is in flight, closes twice, and then refuses', async () => {
    // A database of its own: PGlite's folder takes one process, and one instance.
    const other = await form.open(await variant.createDatabase('drivers_close'));
    await other.connection.script('create table t (id varchar(40) primary key, n bigint, word varchar(40))');
    const order: string[] = [];
    let closing: Promise<unknown> | undefined;
    await other.connection.transaction(async (tx) => {
      await add(tx, 'a');
      closing = other.connection.close().then(() => order.push('closed'));
      await new Promise((resolve) => setImmediate(resolve));
      await add(tx, 'b');
      expect(await ids(tx)).toEqual(['a', 'b']);
      order.push('transaction');
    });
    await closing;
    expect(order).toEqual(['transaction', 'closed']);
    await other.connection.close();
    for (const late of [
      add(other.connection, 'c'),
      other.connection.transaction(async () => undefined),
      other.connection.session(async () => undefined),
      other.connection.script('select 1'),
    ]) {
      expect(await rejection(late)).toBeInstanceOf(ClosedError);
    }
    await other.close();
  });
}
