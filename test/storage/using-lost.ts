import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openStorage, type StatementSeen, type Storage, UnavailableError } from '../../src/index.ts';
import type { HostQuery } from '../conformance/host-transactions.ts';
import { mysqlUrl } from '../drivers/forms.ts';
import { until } from '../drivers/until.ts';
import { type Variant, variants } from '../variants.ts';
import { handleKinds } from './handle-kinds.ts';
import type { HandleKind, OpenHost } from './open-host.ts';

const event = (id: string) => ({ id, sessionId: 's', type: 't', payload: 1 });

const tenant = newId();

/** One row, by its key: without the tenant the server would lock all that it reads. */
const keyed = (id: string): string => `where tenant_id = '${tenant}' and id = '${id}'`;

/** Has many changes to lose: the server ends the other transaction of a deadlock. */
async function makeHeavy(query: HostQuery): Promise<void> {
  for (let n = 0; n < 50; n += 1) await query(`insert into host_rows (id) values ('${newId()}')`);
}

/** What loses a transaction: the call that does, and what is to be awaited after it. */
interface Losing {
  readonly lost: Promise<unknown>;
  readonly after: () => Promise<unknown>;
}

class Place {
  readonly #variant: Variant;
  readonly #kind: HandleKind;
  readonly #seen: StatementSeen[] = [];
  #url = '';
  #host!: OpenHost;
  #storage!: Storage;
  bound!: Storage;

  constructor(variant: Variant, kind: HandleKind) {
    this.#variant = variant;
    this.#kind = kind;
  }

  async start(): Promise<void> {
    this.#url = (await this.#variant.createDatabase('lost')).url;
    this.#storage = await openStorage(this.#url, { onStatement: (one) => this.#seen.push(one) });
    await this.#storage.migrate();
    this.bound = this.#storage.forTenant(tenant);
    this.#host = await this.#kind.open(this.#url);
    await this.#host.transact(({ query }) => query('create table host_rows (id varchar(99) primary key)'));
  }

  async stop(): Promise<void> {
    await this.#storage.close();
    await this.#host.close();
  }

  async session(): Promise<string> {
    const id = newId();
    await this.bound.createSession({ id, agentId: 'a', status: 'running' });
    return id;
  }

  /** Another transaction on the same database. */
  async rival(): Promise<{ readonly query: HostQuery; readonly end: () => Promise<void> }> {
    const connection = await mysql.createConnection({ uri: mysqlUrl(this.#url) });
    const query: HostQuery = async (text) => (await connection.query(text))[0] as Record<string, unknown>[];
    await query('begin');
    return { query, end: () => connection.end() };
  }

  /** Whether the rival's update runs, which waits for a lock. */
  async isWaiting(): Promise<boolean> {
    const rows = await this.#host.transact(({ query }) =>
      query(
        'select count(*) as n from information_schema.processlist ' +
          "where db = database() and id <> connection_id() and info like 'update %'",
      ),
    );
    return Number(rows[0]?.n) > 0;
  }

  /** Runs `work` in a lent transaction, which loses it; nothing of it, and nothing after it, may be stored. */
  async losing(errno: number, work: (lent: Storage) => Promise<Losing>): Promise<void> {
    const row = newId();
    const done = this.#host.transact(async ({ handle, query }) => {
      const lent = this.#storage.using(handle).forTenant(tenant);
      await query(`insert into host_rows (id) values ('${row}')`);
      await lent.appendEvent(event('before'));
      const { lost, after } = await work(lent);
      const error = await lost.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).toMatchObject({ reason: 'CONTENTION', retryable: true, transactionLost: true });
      expect(String((error as Error).message)).toContain(String(errno));
      await after();
      await this.#stays(lent, this.#storage.using(handle).forTenant(tenant), error);
      throw error;
    });
    await expect(done).rejects.toMatchObject({ transactionLost: true });
    expect(await this.bound.listEvents('s')).toEqual([]);
    expect(await this.bound.listTraces('s')).toEqual([]);
    const rows = await this.#host.transact(({ query }) =>
      query(`select id from host_rows where id = '${row}'`),
    );
    expect(rows).toEqual([]);
  }

  /** Every later call throws the same and sends nothing; one that is lent the same handle again finds it lost too. */
  async #stays(lent: Storage, again: Storage, error: unknown): Promise<void> {
    const sent = this.#seen.length;
    const calls: readonly ((on: Storage) => Promise<unknown>)[] = [
      (on) => on.appendEvent(event('after')),
      (on) => on.appendEvents([event('after'), event('after too')]),
      (on) => on.insertTrace({ id: 'after', sessionId: 's', name: 'n', kind: 'k' }),
      (on) => on.transaction((tx) => tx.appendEvent(event('after'))),
      (on) => on.listEvents('s'),
      (on) => on.ping(),
    ];
    for (const call of calls) await expect(call(lent)).rejects.toBe(error);
    expect(this.#seen.slice(sent).filter((one) => one.error !== error)).toEqual([]);
    for (const call of calls) await expect(call(again)).rejects.toThrow();
  }
}

const servers = variants.filter(({ language }) => language === 'mysql');

for (const variant of servers) {
  describe.each(handleKinds(variant))(`${variant.name}: a lent transaction that is lost, $name`, (kind) => {
    const place = new Place(variant, kind);
    beforeAll(() => place.start());
    afterAll(() => place.stop());

    it('deadlock', async () => {
      const [mine, theirs] = [await place.session(), await place.session()];
      const rival = await place.rival();
      await rival.query(`select id from chronos_sessions ${keyed(theirs)} for update`);
      await makeHeavy(rival.query);
      await place.losing(1213, async (lent) => {
        await lent.updateSessionStatus(mine, 'locked');
        const blocked = rival.query(`update chronos_sessions set status = 'rival' ${keyed(mine)}`);
        await until(() => place.isWaiting());
        const lost = lent.updateSessionStatus(theirs, 'never');
        return { lost, after: () => blocked };
      });
      await rival.query('commit');
      await rival.end();
      expect((await place.bound.getSession(mine)).status).toBe('rival');
      expect((await place.bound.getSession(theirs)).status).toBe('running');
    });

    if (variant.name !== 'mariadb118') return;
    it('a row changed since the snapshot', async () => {
      const id = await place.session();
      await place.losing(1020, async (lent) => {
        expect((await lent.getSession(id)).status).toBe('running');
        await place.bound.updateSessionStatus(id, 'changed');
        return { lost: lent.updateSessionStatus(id, 'never'), after: async () => {} };
      });
      expect((await place.bound.getSession(id)).status).toBe('changed');
    });
  });
}
