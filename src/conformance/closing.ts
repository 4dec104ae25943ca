import assert from 'node:assert/strict';
import { event, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

function refusing(test: Case): void {
  test(
    'close: later calls of every method are refused, on bound storages too',
    async (storage) => {
      const bound = storage.forTenant('a');
      await storage.close();
      await storage.close();
      for (const closed of [storage, bound]) {
        const calls: readonly (() => Promise<unknown>)[] = [
          () => closed.createSession({ id: 's', agentId: 'a', status: 'x' }),
          () => closed.getSession('s'),
          () => closed.updateSession({ id: 's', status: 'x' }),
          () => closed.updateSessionStatus('s', 'x'),
          () => closed.listSessions(),
          () => closed.listSessionsPaged(),
          () => closed.appendEvent(event({ sessionId: 's' })),
          () => closed.appendEvents([]),
          () => closed.listEvents('s'),
          () => closed.listEventsPaged('s'),
          () => closed.ping(),
          () => closed.migrate(),
        ];
        for (const call of calls) await rejects(call, 'CLOSED');
        await closed.close();
      }
    },
    { own: true },
  );
}

export const closing: Topic = {
  cases: (test) => {
    test('ping: resolves', async (storage) => {
      assert.equal(await storage.ping(), undefined);
    });

    test(
      'close: waits for what is in flight',
      async (storage) => {
        const done: string[] = [];
        const calls = Array.from({ length: 30 }, (_, seqNum) =>
          storage.appendEvent(event({ sessionId: 's', seqNum })).then(() => done.push('append')),
        );
        const batch = Array.from({ length: 1500 }, (_, seqNum) => event({ sessionId: 's', seqNum }));
        calls.push(storage.appendEvents(batch).then(() => done.push('batch')));
        await storage.close();
        assert.equal(done.length, 31);
        await Promise.all(calls);
      },
      { own: true },
    );

    refusing(test);

    test('migrate: nothing is pending on a migrated database', async (storage) => {
      const report = await storage.migrate();
      assert.deepEqual([report.applied, report.pending, report.changed, report.missing], [[], [], [], []]);
    });
  },
};
