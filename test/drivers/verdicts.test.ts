import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { type TestDatabase, type Variant, variants } from '../variants.ts';
import { rejection, sql } from './forms.ts';
import { until } from './until.ts';

for (const variant of variants.filter(({ serverUrl }) => serverUrl !== undefined)) {
  describe(`${variant.name}: errors`, () => verdicts(variant));
}

function verdicts(variant: Variant): void {
  const postgres = variant.language === 'postgres';
  const insert = sql(variant, 'insert into t (id, n) values (?, 0)', ['id']);
  const bump = sql(variant, 'update t set n = n + 1 where id = ?', ['id']);
  let database: TestDatabase;
  let db: Connection;

  beforeAll(async () => {
    database = await variant.createDatabase('drivers_verdict');
    db = await openConnection(database.url);
    await db.script('create table t (id varchar(9) primary key, n int not null)');
    await db.runEach(insert, [{ id: 'a' }, { id: 'b' }]);
  });
  afterAll(() => db.close());

  it('a deadlock may be tried again; where the server ended the transaction, nothing more is sent', async () => {
    let arrived = 0;
    const both = () => until(async () => arrived === 2);
    const errors: unknown[] = [];
    const run = (first: string, second: string) =>
      db
        .transaction(async (tx) => {
          await tx.run(bump, { id: first });
          arrived += 1;
          await both();
          const error = await tx.run(bump, { id: second }).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error === undefined) return;
          errors.push(error);
          if (!postgres) expect(await rejection(tx.run(insert, { id: 'late' }))).toBe(error);
        })
        .catch((error: unknown) => errors.push(error));
    await Promise.all([run('a', 'b'), run('b', 'a')]);
    expect(errors[0]).toMatchObject({
      code: 'UNAVAILABLE',
      reason: 'CONTENTION',
      retryable: true,
      transactionLost: !postgres,
    });
    expect(errors).toHaveLength(2);
    if (!postgres) expect(errors[1]).toBe(errors[0]);
    expect(await db.rows(sql(variant, "select id from t where id = 'late'"), {})).toEqual([]);
  });

  it('a role without the right', async () => {
    const role = `chronos_poor_${process.pid}`;
    await db.script(
      postgres
        ? `create role ${role} login password 'poor'`
        : `create user '${role}'@'%' identified by 'poor'`,
    );
    if (!postgres) await db.script(`grant select on ${db.server.database}.* to '${role}'@'%'`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'poor';
    const poor = await openConnection(url.href);
    const create = rejection(poor.script(postgres ? 'create schema mine' : 'create table mine (id int)'));
    expect(await create).toMatchObject({ code: 'UNAVAILABLE', reason: 'PRIVILEGE' });
    await poor.close();
    await db.script(postgres ? `drop role ${role}` : `drop user '${role}'@'%'`);
  });

  if (postgres) {
    it('a role that row-level security binds is told so, and not to ask for a grant that it has', async () => {
      const role = `chronos_bound_${process.pid}`;
      await db.script(`create role ${role} login password 'bound'; create table bound (tenant text);
        alter table bound enable row level security; grant all on bound to ${role};
        create policy one on bound using (tenant = current_setting('chronos.tenant_id', true))`);
      const url = new URL(database.url);
      url.username = role;
      url.password = 'bound';
      const bound = await openConnection(url.href);
      const error = await rejection(bound.script("insert into bound values ('a')"));
      expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'PRIVILEGE' });
      expect(error).toMatchObject({
        message: expect.stringContaining('row-level security'),
        hint: expect.stringContaining('set_config'),
      });
      await bound.close();
      await db.script(`drop table bound; drop role ${role}`);
    });
  }

  it('a session that only reads', async () => {
    await db.session(async (session) => {
      await session.script(
        postgres ? 'set default_transaction_read_only = on' : 'set session transaction read only',
      );
      expect(await rejection(session.run(insert, { id: 'x' }))).toMatchObject({ reason: 'READ_ONLY' });
      await session.script(
        postgres ? 'set default_transaction_read_only = off' : 'set session transaction read write',
      );
    });
  });

  it("an unknown error holds the engine's code and no value", async () => {
    const cast = postgres
      ? sql(variant, 'select ?::text::int', ['word'])
      : sql(variant, "insert into t (id, n) values (?, 'no number')", ['word']);
    const error = await rejection(db.run(cast, { word: 'secret' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'DATABASE_ERROR', cause: expect.any(Error) });
    expect(error.message).toMatch(postgres ? /22P02/ : /\(\d{4}\)/);
    expect(error.message).not.toMatch(/secret|no number/);
  });
}
