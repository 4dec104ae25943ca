import assert from 'node:assert/strict';
import { AlreadyExistsError, ChronosError, clampLimit, NotFoundError, type Storage } from '../index.ts';
import { event, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

type Bad = readonly [argument: string, call: (storage: Storage) => Promise<unknown>];

const BAD_CALLS: readonly Bad[] = [
  ['session', (storage) => storage.createSession(undefined as never)],
  ['session', (storage) => storage.createSession('x' as never)],
  ['session', (storage) => storage.updateSession(null as never)],
  ['status', (storage) => storage.updateSession({ id: 's' } as never)],
  ['options', (storage) => storage.updateSession({ id: 's', status: 'x' }, 7 as never)],
  ['status', (storage) => storage.updateSessionStatus('s', undefined as never)],
  ['agentId', (storage) => storage.listSessions(7 as never)],
  ['limit', (storage) => storage.listSessions('', '10' as never)],
  ['offset', (storage) => storage.listSessions('', 10, -1)],
  ['offset', (storage) => storage.listSessions('', 10, 1.5)],
  ['offset', (storage) => storage.listSessions('', 10, Number.NaN)],
  ['filter', (storage) => storage.listSessionsPaged('a' as never)],
  ['limit', (storage) => storage.listSessionsPaged({}, null as never)],
  ['direction', (storage) => storage.listSessionsPaged({}, 1, '', { direction: 'up' as never })],
  ['event', (storage) => storage.appendEvent(undefined as never)],
  ['event', (storage) => storage.appendEvent([event({ sessionId: 's' })] as never)],
  ['payload', (storage) => storage.appendEvent({ id: 'e', sessionId: 's', seqNum: 1, type: 't' } as never)],
  ['afterSeq', (storage) => storage.listEvents('s', 1.5)],
  ['afterSeq', (storage) => storage.listEvents('s', 2 ** 53)],
  ['afterSeq', (storage) => storage.listEvents('s', null as never)],
  ['afterSeq', (storage) => storage.listEventsPaged('s', '1' as never)],
  ['limit', (storage) => storage.listEventsPaged('s', 0, {} as never)],
  ['options', (storage) => storage.listEventsPaged('s', 0, 1, '', 'backward' as never)],
  ['direction', (storage) => storage.listEventsPaged('s', 0, 1, '', { direction: null as never })],
];

function refused(test: Case): void {
  test('a bad argument rejects, never throws at once, names itself, and loses nothing', async (storage) => {
    await storage.createSession({ id: 's', agentId: 'a', status: 'x', metadata: { kept: true } });
    await storage.appendEvent(event({ id: 'kept', sessionId: 's' }));
    const before = [await storage.listSessions(), await storage.listEvents('s')];
    for (const [argument, call] of BAD_CALLS)
      await rejects(() => call(storage), 'INVALID_ARGUMENT', argument);
    assert.deepEqual([await storage.listSessions(), await storage.listEvents('s')], before);
  });

  test('errors are typed, carry their facts, and hold no values', async (storage) => {
    const secret = 'hunter2';
    await storage.createSession({ id: secret, agentId: 'a', status: 'x' });
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
  cases: (test) => {
    refused(test);
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
