import assert from 'node:assert/strict';
import { event, rejects } from './expect.ts';
import { methodsOf } from './methods.ts';
import { auditLog, checkpoint, memoryRecord, span } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

function refusing(test: Case, supports: Conformance['supports']): void {
  test(
    'close: later calls of every method are refused, on bound storages too',
    async (storage) => {
      const bound = storage.forTenant('a');
      await storage.close();
      await storage.close();
      for (const closed of [storage, bound, bound.forTenant('b')]) {
        for (const { call } of methodsOf(supports)) await rejects(() => call(closed), 'CLOSED');
        const calls: readonly (() => Promise<unknown>)[] = [
          () => closed.deleteTenant('a'),
          () => closed.ping(),
          () => closed.migrate(),
          () => closed.iterateEvents('s').next(),
          ...(supports.transactions === true
            ? [() => closed.transaction(async () => assert.fail('ran, and must not'))]
            : []),
        ];
        for (const call of calls) await rejects(call, 'CLOSED');
        await closed.close();
      }
    },
    { own: true },
  );
}

export const closing: Topic = {
  cases: (test, supports) => {
    test('ping: resolves', async (storage) => {
      assert.equal(await storage.ping(), undefined);
    });

    test(
      'close: waits for what is in flight',
      async (storage) => {
        const done: string[] = [];
        const stored = event({ sessionId: 's' });
        await storage.appendEvent(stored);
        const calls = Array.from({ length: 30 }, (_, seqNum) =>
          storage.appendEvent(event({ sessionId: 's', seqNum })).then(() => done.push('append')),
        );
        const others = [
          // A repeat asks twice: first it stores, then it reads the place that is stored.
          storage.appendEvent(stored),
          storage.createSession({ id: 's', agentId: 'a', status: 'x' }),
          storage.putMemory(memoryRecord()),
          storage.appendAuditLog(auditLog()),
          storage.insertTrace(span()),
          storage.saveCheckpointAndEvent(checkpoint(), event({ sessionId: 's' })),
          storage.deleteSession('other'),
          storage.listEvents('s'),
        ];
        calls.push(...others.map((call: Promise<unknown>) => call.then(() => done.push('other'))));
        if (supports.batches === true) {
          const batch = Array.from({ length: 1500 }, (_, seqNum) => event({ sessionId: 's', seqNum }));
          calls.push(storage.appendEvents(batch).then(() => done.push('batch')));
        }
        await storage.close();
        assert.equal(done.length, calls.length);
        await Promise.all(calls);
      },
      { own: true },
    );

    refusing(test, supports);

    test(
      'migrate: nothing is pending on a migrated database',
      async (storage) => {
        const report = await storage.migrate();
        assert.deepEqual([report.applied, report.pending, report.changed, report.missing], [[], [], [], []]);
      },
      { own: true },
    );
  },
};
