import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { newId, openStorage, type Storage, type StorageTarget } from '../../src/index.ts';
import { ServerSessions } from '../drivers/server-sessions.ts';
import { oneOfEachDriver, type Variant, variants } from '../variants.ts';
import { handleKinds } from './handle-kinds.ts';

interface Whole {
  readonly name: string;
  open(url: string): Promise<{ readonly target: StorageTarget; close(): Promise<void> }>;
}

/** All that a host may have of a server: the URL, a pool, a knex instance, a PrismaClient. */
function wholes(variant: Variant): readonly Whole[] {
  const kinds = handleKinds(variant).filter(({ name }) => !name.includes('PgBouncer'));
  const lent = kinds.map(({ name, open }): Whole => {
    return {
      name: `what lends a ${name}`,
      open: async (url) => {
        const { whole, close } = await open(url);
        return { target: whole as StorageTarget, close };
      },
    };
  });
  return [{ name: 'the URL', open: async (url) => ({ target: url, close: async () => {} }) }, ...lent];
}

const servers = variants.filter(({ serverUrl }) => serverUrl !== undefined);
// MariaDB has its own errors under the same driver.
const some = servers.filter(
  (variant) => oneOfEachDriver.includes(variant) || variant.name.startsWith('mariadb118'),
);

describe.each(some)('$name', (variant: Variant) => {
  const tenant = newId();
  const table = variant.language === 'postgres' ? 'chronos.chronos_sessions' : 'chronos_sessions';
  const update = (id: string) =>
    `update ${table} set status = 'rival' where tenant_id = '${tenant}' and id = '${id}'`;
  let url = '';
  let rival: Connection;

  beforeAll(async () => {
    ({ url } = await variant.createDatabase('whole_hosts'));
    const storage = await openStorage(url);
    await storage.migrate();
    await storage.close();
    rival = await openConnection(url, { pool: { max: 1 } });
    await rival.script('create table heavy (n int)');
  });
  afterAll(() => rival.close());

  /** Holds the lock of one session, then, told to, asks for that of another. */
  async function crossing(first: string, second: string): Promise<() => Promise<void>> {
    let go: () => void = () => {};
    const told = new Promise<void>((resolve) => {
      go = resolve;
    });
    let done: Promise<void> = Promise.resolve();
    await new Promise<void>((holds, failed) => {
      done = rival.transaction(async (tx) => {
        // It has much to lose: MySQL ends the other one.
        for (let n = 0; n < 50; n += 1) await tx.script(`insert into heavy (n) values (${n})`);
        await tx.script(update(first));
        holds();
        await told;
        await tx.script(update(second));
      });
      done.catch(failed);
    });
    return () => {
      go();
      return done;
    };
  }

  describe.each(wholes(variant))('a storage on $name', ({ open }) => {
    let host: Awaited<ReturnType<Whole['open']>>;
    let whole: Storage;
    let bound: Storage;
    beforeAll(async () => {
      host = await open(url);
      whole = await openStorage(host.target);
      bound = whole.forTenant(tenant);
    });
    afterAll(async () => {
      await whole.close();
      await host.close();
    });

    async function session(): Promise<string> {
      const id = newId();
      await bound.createSession({ id, agentId: 'a', status: 'running' });
      return id;
    }

    it.each([
      ['swallowed', false],
      ['swallowed in a savepoint', true],
    ])('a deadlock that is %s: the transaction is not taken for committed', async (_, nested) => {
      const [mine, theirs, sessionId] = [await session(), await session(), newId()];
      const cross = await crossing(theirs, mine);
      let crossed: Promise<void> = Promise.resolve();
      const done = bound.transaction(async (tx) => {
        await tx.appendEvent({ id: newId(), sessionId, type: 't', payload: 1 });
        await tx.updateSessionStatus(mine, 'locked');
        const lose = async (on: Storage): Promise<void> => {
          const lost = on.updateSessionStatus(theirs, 'never');
          // Postgres ends whoever has waited longest.
          await Promise.race([lost.catch(() => {}), sleep(300)]);
          crossed = cross();
          await lost;
        };
        await (nested ? tx.transaction(lose) : lose(tx)).catch(() => {});
        return 'as if nothing had been';
      });
      // Back at a savepoint Postgres has undone the failed part, and its locks: the rest stands.
      if (nested && variant.language === 'postgres') {
        expect(await done).toBe('as if nothing had been');
        expect(await bound.countEvents(sessionId)).toBe(1);
        await crossed;
        return;
      }
      await expect(done).rejects.toMatchObject({ code: 'UNAVAILABLE', transactionLost: true });
      await crossed;
      expect(await bound.listEvents(sessionId)).toEqual([]);
      expect((await bound.getSession(mine)).status).toBe('rival');
    });

    it('a connection that is killed inside a transaction: lost, nothing stored, the next call works', async () => {
      const admin = await openConnection(url, { pool: { max: 1 } });
      const sessionId = newId();
      const event = () => ({ id: newId(), sessionId, type: 't', payload: 1 });
      const lost = { code: 'UNAVAILABLE', reason: 'CONNECTION_LOST', retryable: true, transactionLost: true };
      const done = bound.transaction(async (tx) => {
        await tx.appendEvent(event());
        await new ServerSessions(variant, admin).kill();
        await sleep(50);
        await expect(tx.appendEvent(event())).rejects.toMatchObject(lost);
        await expect(tx.appendEvent(event())).rejects.toMatchObject(lost);
      });
      await expect(done).rejects.toMatchObject(lost);
      expect(await bound.countEvents(sessionId)).toBe(0);
      await admin.close();
    });
  });
});
