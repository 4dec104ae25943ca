import assert from 'node:assert/strict';
import { AlreadyExistsError, ChronosError, clampLimit, NotFoundError } from '../index.ts';
import { BAD_CALLS } from './bad-calls.ts';
import { event, rejects } from './expect.ts';
import { fill, methodsOf } from './methods.ts';
import { auditLog, checkpoint, memoryRecord, span } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

function refused(test: Case, supports: Conformance['supports']): void {
  test('a bad argument rejects, never throws at once, names itself, and loses nothing', async (storage) => {
    await fill(storage, 'kept');
    const all = async (): Promise<unknown> =>
      Promise.all(methodsOf(supports, 'reads').map(({ call }) => call(storage)));
    const before = await all();
    for (const { argument, needs, call } of BAD_CALLS) {
      if (needs && supports[needs] !== true) continue;
      await rejects(() => call(storage), 'INVALID_ARGUMENT', argument);
    }
    assert.deepEqual(await all(), before);
  });
}

function typed(test: Case): void {
  test('errors are typed, carry their facts, and hold no values', async (storage) => {
    const secret = 'hunter2';
    await storage.createSession({ id: secret, agentId: 'a', status: 'x' });
    await storage.saveCheckpoint(checkpoint());
    const calls: readonly (readonly [() => Promise<unknown>, object])[] = [
      [
        () => storage.createSession({ id: secret, agentId: secret, status: secret, metadata: secret }),
        { id: secret, record: 'session' },
      ],
      [() => storage.getSession(`${secret}?`), { id: `${secret}?`, record: 'session' }],
      [() => storage.updateSession({ id: secret, status: secret }, { ifUpdatedAt: new Date(1e12) }), {}],
      [
        () => storage.appendEvent(event({ sessionId: secret, payload: [secret, 1n] })),
        { argument: 'payload[1]' },
      ],
      [() => storage.createSession({ id: secret.repeat(99), agentId: 'a', status: 'x' }), { argument: 'id' }],
      [() => storage.listSessionsPaged({}, 1, secret), {}],
      [() => storage.getTrace(secret), { id: secret, record: 'trace' }],
      [() => storage.endTrace(secret, { output: secret }), { id: secret, record: 'trace' }],
      [() => storage.getCheckpoint(secret), { id: secret, record: 'checkpoint' }],
      [() => storage.getLatestCheckpoint(secret), { id: secret, record: 'checkpoint' }],
      [() => storage.getMemory(secret, secret), { id: secret, record: 'memory record' }],
      [() => storage.saveCheckpoint(checkpoint({ nodeId: secret, state: secret })), {}],
      [() => storage.insertTrace(span({ name: secret, error: [secret] as never })), { argument: 'error' }],
      [() => storage.putMemory(memoryRecord({ value: [secret, { a: 1n }] })), { argument: 'value[1].a' }],
      [() => storage.appendAuditLog(auditLog({ actor: `${secret}\0` })), { argument: 'actor' }],
    ];
    for (const [call, facts] of calls) {
      const error = await call().then(
        () => assert.fail('resolved, and must reject'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ChronosError);
      assert.equal(error.name, error.constructor.name);
      assert.ok(!error.message.includes(secret), error.message);
      for (const [name, value] of Object.entries(facts)) assert.equal(Reflect.get(error, name), value);
    }
    await assert.rejects(storage.getSession('nobody'), NotFoundError);
    await assert.rejects(
      storage.createSession({ id: secret, agentId: 'a', status: 'x' }),
      AlreadyExistsError,
    );
  });
}

export const errors: Topic = {
  cases: (test, supports) => {
    refused(test, supports);
    typed(test);
    test('clampLimit: absent or ≤ 0 is 100, more than 1000 is 1000', async () => {
      const clamped = [
        undefined,
        0,
        -1,
        -1e9,
        Number.NaN,
        1,
        99,
        100,
        1000,
        1001,
        1e9,
        Number.POSITIVE_INFINITY,
        1.9,
      ];
      assert.deepEqual(
        clamped.map(clampLimit),
        [100, 100, 100, 100, 100, 1, 99, 100, 1000, 1000, 1000, 1000, 1],
      );
    });
  },
};
