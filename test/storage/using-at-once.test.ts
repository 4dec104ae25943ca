import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEveryMethod } from '../../src/conformance/every-method.ts';
import { type NewEvent, newId, openStorage, type Storage } from '../../src/index.ts';
import { EVERYTHING } from '../conformance/forms.ts';
import { variants } from '../variants.ts';

const BACK = new Error('rolls back');

function event(given: Partial<NewEvent> = {}): NewEvent {
  return { id: newId(), sessionId: 's', type: 't', payload: 1, ...given };
}

const checkpoint = (id: string) => ({ id, sessionId: 's', runId: 'r', nodeId: 'n', state: {}, seqNum: 1 });

describe.runIf(variants.some(({ name }) => name === 'sqlite'))(
  'a better-sqlite3 Database that is lent',
  () => {
    let db: Database.Database;
    let storage: Storage;
    let lent: Storage;
    let statements = 0;

    beforeEach(async () => {
      const sqlite = variants.find(({ name }) => name === 'sqlite');
      const { url } = (await sqlite?.createDatabase('using')) ?? { url: '' };
      storage = await openStorage(url, {
        onStatement: () => {
          statements += 1;
        },
      });
      await storage.migrate();
      db = new Database(url.slice('sqlite:'.length));
      db.exec('create table host_rows (id text primary key)');
      lent = storage.using(db);
    });
    afterEach(async () => {
      db.close();
      await storage.close();
    });

    const count = (table: string): number =>
      (db.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n;

    it('a method has run all of its statements when it returns its promise', async () => {
      db.exec('begin');
      const late: string[] = [];
      const calls = { promises: 0, statements: 0 };
      const seen = new Proxy(lent, {
        get: (target, name: keyof Storage) => {
          const method = (target[name] as (...args: unknown[]) => unknown).bind(target);
          return (...args: unknown[]) => {
            const before = statements;
            const answer = method(...args);
            if (!(answer instanceof Promise)) return answer;
            const sent = statements;
            calls.promises += 1;
            calls.statements += sent - before;
            return answer.finally(() => {
              if (statements !== sent || sent === before) late.push(name);
            });
          };
        },
      });
      await callEveryMethod(seen, EVERYTHING);
      db.exec('rollback');
      expect(late).toEqual([]);
      expect(calls.promises).toBeGreaterThan(50);
      expect(calls.statements).toBeGreaterThan(calls.promises);
    });

    it('works inside the host’s own synchronous transaction, which takes no promises', async () => {
      const answers: Promise<unknown>[] = [];
      const work = db.transaction((id: string, end?: Error) => {
        db.prepare('insert into host_rows values (?)').run(id);
        answers.push(lent.createSession({ id, agentId: 'a', status: 'running' }));
        answers.push(lent.appendEvent(event({ sessionId: id })));
        answers.push(lent.appendEvents([event({ sessionId: id }), event({ sessionId: id })]));
        answers.push(lent.listEvents(id));
        expect(count(`chronos_events where session_id = '${id}'`)).toBe(3);
        if (end) throw end;
      });
      work('kept');
      expect(() => work('lost', BACK)).toThrow(BACK);
      const [created, one, two, events] = await Promise.all(answers.splice(0, 4));
      expect([created, one, two]).toEqual([
        undefined,
        { inserted: true, seqNum: 1 },
        { inserted: 2, seqNums: [2, 3] },
      ]);
      expect(events).toHaveLength(3);
      await Promise.all(answers);
      expect((await storage.listSessions()).map(({ id }) => id)).toEqual(['kept']);
      expect(await storage.countEvents('kept')).toBe(3);
      expect(await storage.countEvents('lost')).toBe(0);
      expect(count('host_rows')).toBe(1);
    });

    it('what is refused leaves the synchronous transaction usable, and nothing of itself', async () => {
      const refused: Promise<unknown>[] = [];
      db.transaction(() => {
        lent.saveCheckpoint(checkpoint('c')).catch(() => {});
        refused.push(lent.saveCheckpointAndEvent(checkpoint('d'), event()));
        refused.push(lent.appendEvents([event()], { expectedSeq: 7 }));
        refused.push(lent.getSession('nobody'));
        refused.push(lent.appendEvent(event({ sessionId: '' })));
        for (const one of refused) one.catch(() => {});
        expect(count('chronos_events')).toBe(0);
        lent.appendEvent(event()).catch(() => {});
      })();
      const settled = await Promise.allSettled(refused);
      const codes = settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'fulfilled'));
      expect(codes).toEqual(['CONFLICT', 'CONFLICT', 'NOT_FOUND', 'INVALID_ARGUMENT']);
      expect(await storage.countEvents('s')).toBe(1);
      expect(await storage.listCheckpoints('s')).toHaveLength(1);
    });

    it('a call beside a savepoint waits for its end, and is not rolled back with it', async () => {
      db.exec('begin');
      const again = storage.using(db);
      let begun = () => {};
      let end = () => {};
      const open = new Promise<void>((resolve) => (begun = resolve));
      const over = new Promise<void>((resolve) => (end = resolve));
      const savepoint = lent.transaction(async (tx) => {
        await tx.appendEvent(event({ id: 'lost' }));
        begun();
        await over;
        throw BACK;
      });
      await open;
      const beside = again.appendEvent(event({ id: 'kept' }));
      expect(count('chronos_events')).toBe(1);
      end();
      await expect(savepoint).rejects.toBe(BACK);
      expect(await beside).toEqual({ inserted: true, seqNum: 1 });
      db.exec('commit');
      expect((await storage.listEvents('s')).map(({ id }) => id)).toEqual(['kept']);
    });

    it('after the database ended the transaction, every call throws the same and sends nothing', async () => {
      db.exec('begin');
      await lent.appendEvent(event({ id: 'first' }));
      const [{ page_count: pages }] = db.pragma('page_count') as [{ page_count: number }];
      db.pragma(`max_page_count = ${pages}`);
      const large = event({ payload: 'x'.repeat(1_000_000) });
      const error = await lent.appendEvent(large).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'STORAGE_FULL', transactionLost: true });
      expect(db.inTransaction).toBe(false);
      db.pragma('max_page_count = 1000000');
      const sent = statements;
      for (const call of [
        () => lent.appendEvent(event()),
        () => lent.listEvents('s'),
        () => lent.transaction((tx) => tx.appendEvent(event())),
      ]) {
        await expect(call()).rejects.toBe(error);
      }
      expect(statements).toBe(sent);
      expect(await storage.listEvents('s')).toEqual([]);
      // What the host begins anew it lends anew.
      db.exec('begin');
      await storage.using(db).appendEvent(event());
      db.exec('commit');
      expect(await storage.countEvents('s')).toBe(1);
    });
  },
);
