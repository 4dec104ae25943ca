import assert from 'node:assert/strict';
import { newId, UnavailableError, withTenant } from '../index.ts';
import { callEveryMethod } from './every-method.ts';
import { event, idsOf, rejects, rejectsWith } from './expect.ts';
import { fillSession, HOLDS, holds, NOTHING } from './filled.ts';
import { append, assigned, BACK, back, ledger } from './order-steps.ts';
import { checkpoint } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

/** Runs a transaction again that was in another's way: that is its host's to do. */
async function again<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnavailableError) || !error.retryable) throw error;
    }
  }
}

function ending(test: Case, supports: Conformance['supports']): void {
  test('transaction: commits when its function resolves, to what it resolved to', async (storage) => {
    const answer = { some: 'answer' };
    const result = await storage.transaction(async (tx) => {
      await tx.createSession({ id: 's', agentId: 'a', status: 'running' });
      await fillSession(tx, { sessionId: 's' });
      return answer;
    });
    assert.equal(result, answer);
    assert.deepEqual(await holds(storage, 's'), HOLDS);
    assert.equal((await storage.getSession('s')).status, 'running');
    assert.equal(await storage.transaction(async () => undefined), undefined);
  });

  test('transaction: rolls back all when its function rejects, and rejects with the same', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'running' });
    await fillSession(storage, { sessionId: 's' });
    const session = await storage.getSession('s');
    const done = storage.transaction(async (tx) => {
      await tx.updateSessionStatus('s', 'failed');
      await tx.deleteSession('s');
      await tx.createSession({ id: 't', agentId: 'a', status: 'running' });
      await fillSession(tx, { sessionId: 't' });
      assert.deepEqual([await holds(tx, 's'), await holds(tx, 't')], [NOTHING, HOLDS]);
      back();
    });
    await assert.rejects(done, BACK);
    assert.deepEqual(await storage.getSession('s'), session);
    assert.deepEqual([await holds(storage, 's'), await holds(storage, 't')], [HOLDS, NOTHING]);
    await rejects(() => storage.getSession('t'), 'NOT_FOUND');
  });

  test('transaction: a function that throws at once rolls back too; what is none is refused', async (storage) => {
    await assert.rejects(
      storage.transaction((tx) => {
        append(tx, 'a').catch(() => {});
        return back();
      }),
      BACK,
    );
    assert.deepEqual(await storage.listEvents('s'), []);
    await rejects(() => storage.transaction('x' as never), 'INVALID_ARGUMENT', 'fn');
  });

  test('transaction: every method sees what was written in it', async (storage) => {
    const mine = storage.forTenant(`mine-${newId()}`);
    await mine.transaction((tx) => callEveryMethod(tx, supports));
    assert.deepEqual(await mine.listSessions(), []);
  });
}

function nesting(test: Case): void {
  test('transaction in a transaction: is a savepoint', async (storage) => {
    const answers = await storage.transaction(async (tx) => {
      await append(tx, 'a');
      await assert.rejects(
        tx.transaction(async (inner) => {
          await append(inner, 'b');
          await inner.saveCheckpoint(checkpoint({ id: 'c' }));
          assert.equal(await ledger(inner), 'a1 b2');
          back();
        }),
        BACK,
      );
      assert.equal(await ledger(tx), 'a1');
      const nested = await tx.transaction(async (inner) => {
        await append(inner, 'c');
        await assert.rejects(
          inner.transaction(async (innermost) => {
            await append(innermost, 'd');
            back();
          }),
          BACK,
        );
        return inner.transaction((innermost) => append(innermost, 'e'));
      });
      return [nested, await append(tx, 'f')];
    });
    assert.deepEqual(
      answers.map(({ seqNum }) => seqNum),
      [3, 4],
    );
    assert.equal(await ledger(storage), 'a1 c2 e3 f4');
    assert.deepEqual(await storage.listCheckpoints('s'), []);
  });

  test('transaction in a transaction: what it committed goes with the outer one', async (storage) => {
    const done = storage.transaction(async (tx) => {
      await tx.transaction((inner) => append(inner, 'a'));
      await tx.transaction((inner) => append(inner, 'b'));
      back();
    });
    await assert.rejects(done, BACK);
    assert.equal(await ledger(storage), '');
  });

  test('transactions in a transaction at once: one that fails takes nothing else along', async (storage) => {
    await storage.saveCheckpoint(checkpoint({ id: 'taken', seqNum: 1 }));
    const settled = await storage.transaction((tx) =>
      Promise.allSettled([
        tx.saveCheckpoint(checkpoint({ id: 'other', seqNum: 1 })),
        append(tx, 'a'),
        tx.transaction(async (inner) => {
          await append(inner, 'lost');
          back();
        }),
        tx.appendEvents([assigned({ id: 'b', sessionId: 's' }), assigned({ id: 'c', sessionId: 's' })]),
        tx.saveCheckpoint(checkpoint({ id: 'other', seqNum: 1 })),
        tx.saveCheckpoint(checkpoint({ id: 'second', seqNum: 2 })),
        tx.transaction((inner) => append(inner, 'd')),
        tx.createSession({ id: 's', agentId: 'a', status: 'x' }),
        append(tx, 'e', 't'),
      ]),
    );
    assert.deepEqual(
      settled.map(({ status }) => status === 'fulfilled'),
      [false, true, false, true, false, true, true, true, true],
    );
    const ids = idsOf(await storage.listEvents('s')).toSorted();
    assert.deepEqual(ids, ['a', 'b', 'c', 'd']);
    assert.equal(await ledger(storage, 't'), 'e1');
    assert.deepEqual(idsOf(await storage.listCheckpoints('s')), ['taken', 'second']);
    assert.equal((await storage.getSession('s')).status, 'x');
  });
}

function refusals(test: Case, batches: boolean): void {
  test('transaction: NotFound, AlreadyExists, Conflict, InvalidArgument leave it usable', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'x' });
    await storage.saveCheckpoint(checkpoint({ id: 'c', seqNum: 1 }));
    await append(storage, 'a');
    await storage.transaction(async (tx) => {
      const calls: readonly (readonly [Parameters<typeof rejects>[1], () => Promise<unknown>])[] = [
        ['NOT_FOUND', () => tx.getSession('nobody')],
        ['NOT_FOUND', () => tx.updateSession({ id: 'nobody', status: 'x' })],
        ['NOT_FOUND', () => tx.updateSessionStatus('nobody', 'x')],
        ['NOT_FOUND', () => tx.endTrace('nobody')],
        ['NOT_FOUND', () => tx.getLatestCheckpoint('nobody')],
        ['ALREADY_EXISTS', () => tx.createSession({ id: 's', agentId: 'a', status: 'x' })],
        ['CONFLICT', () => tx.updateSession({ id: 's', status: 'y' }, { ifUpdatedAt: new Date(1e12) })],
        ['CONFLICT', () => tx.saveCheckpoint(checkpoint({ id: 'other', seqNum: 1 }))],
        [
          'CONFLICT',
          () => tx.saveCheckpointAndEvent(checkpoint({ id: 'other' }), event({ id: 'lost', sessionId: 's' })),
        ],
        ['INVALID_ARGUMENT', () => tx.appendEvent(event({ sessionId: '' }))],
        ['INVALID_ARGUMENT', () => tx.putMemory({ id: 'm' } as never)],
        ['INVALID_CURSOR', () => tx.listEventsPaged('s', 0, 1, 'x')],
      ];
      for (const [n, [code, call]] of calls.entries()) {
        await rejects(call, code);
        await append(tx, `e${n}`);
      }
      if (!batches) return;
      const some = [assigned({ id: 'lost', sessionId: 's' })];
      await rejects(() => tx.appendEvents(some, { expectedSeq: 99 }), 'CONFLICT');
    });
    assert.equal((await storage.listEvents('s')).length, 13);
    assert.equal(
      await ledger(storage),
      `a1 ${Array.from({ length: 12 }, (_, n) => `e${n}${n + 2}`).join(' ')}`,
    );
  });
}

function around(test: Case): void {
  test('transaction: forTenant inside it', async (storage) => {
    const name = `other-${newId()}`;
    await storage.transaction(async (tx) => {
      await append(tx, 'a');
      await append(tx.forTenant(name), 'a');
      await tx.forTenant(name).transaction((inner) => append(inner, 'b'));
    });
    assert.equal(await ledger(storage), 'a1');
    assert.equal(await ledger(storage.forTenant(name)), 'a1 b2');
    const failed = storage.transaction(async (tx) => {
      await append(tx.forTenant(name), 'lost');
      back();
    });
    await assert.rejects(failed, BACK);
    assert.equal(await ledger(storage.forTenant(name)), 'a1 b2');
  });

  test(
    'transaction: withTenant inside and around it',
    async (storage) => {
      const [a, b] = [`a-${newId()}`, `b-${newId()}`];
      await withTenant(a, () =>
        storage.transaction(async (tx) => {
          await append(tx, 'a');
          await withTenant(b, () => append(tx, 'b'));
          await withTenant(b, () => tx.transaction((inner) => append(inner, 'c')));
          await append(tx, 'd');
        }),
      );
      assert.equal(await ledger(storage.forTenant(a)), 'a1 d2');
      assert.equal(await ledger(storage.forTenant(b)), 'b1 c2');
    },
    { unbound: true },
  );

  test('transactions at once: each is whole', async (storage) => {
    const all = Array.from({ length: 8 }, (_, n) =>
      again(() =>
        storage.transaction(async (tx) => {
          await append(tx, `${n}a`);
          await append(tx, `${n}b`);
          if (n % 4 === 3) back();
        }),
      ),
    );
    const settled = await Promise.allSettled(all);
    assert.equal(settled.filter(({ status }) => status === 'rejected').length, 2);
    const events = await storage.listEvents('s');
    assert.deepEqual(
      events.map(({ seqNum }) => seqNum),
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
    for (let n = 0; n < 12; n += 2) {
      assert.equal(events[n]!.id.replace('a', 'b'), events[n + 1]!.id, 'the two of one transaction');
    }
  });

  test('transaction: many times over, after failures too', async (storage) => {
    for (let n = 0; n < 30; n += 1) {
      const done = storage.transaction(async (tx) => {
        await append(tx, `e${n}`);
        if (n % 3 === 1) back();
        if (n % 3 === 2) await tx.getSession('nobody');
      });
      if (n % 3 === 1) await assert.rejects(done, BACK);
      else if (n % 3 === 2) await rejectsWith(() => done, { code: 'NOT_FOUND', id: 'nobody' });
      else await done;
    }
    assert.equal((await storage.listEvents('s')).length, 10);
  });
}

export const transactions: Topic = {
  needs: 'transactions',
  cases: (test, supports) => {
    ending(test, supports);
    nesting(test);
    refusals(test, supports.batches === true);
    around(test);
  },
};
