import assert from 'node:assert/strict';
import {
  applyRetention,
  newId,
  type RetentionPolicy,
  type RetentionResult,
  type Storage,
  type TrimProgress,
} from '../index.ts';
import { event, rejects, rejectsWith } from './expect.ts';
import { auditLog, checkpoint, span } from './records.ts';
import { BAD_OPTIONS } from './retention.ts';
import type { Case, Topic } from './suite.ts';

const HOUR = 3_600_000;

async function points(storage: Storage, sessionId: string, ...places: readonly number[]): Promise<void> {
  for (const seqNum of places) {
    await storage.saveCheckpoint(checkpoint({ id: `${sessionId}/${seqNum}`, sessionId, seqNum }));
  }
}

async function kept(storage: Storage, sessionId: string): Promise<readonly number[]> {
  return (await storage.listCheckpoints(sessionId)).map(({ seqNum }) => seqNum);
}

function checkpoints(test: Case): void {
  test('trimCheckpoints: keeps the highest of a session', async (storage) => {
    await points(storage, 's', 5, -3, 900, 0, 7, 8);
    await points(storage, 't', 1, 2, 3);
    const other = storage.forTenant(`other-${newId()}`);
    await points(other, 's', 1, 2, 3);
    assert.equal(await storage.trimCheckpoints('s', 6), 0);
    assert.equal(await storage.trimCheckpoints('s', 99), 0);
    assert.equal(await storage.trimCheckpoints('s', 4), 2);
    assert.deepEqual(await kept(storage, 's'), [5, 7, 8, 900]);
    assert.equal(await storage.trimCheckpoints('s', 1), 3);
    assert.deepEqual(await kept(storage, 's'), [900]);
    assert.equal((await storage.getLatestCheckpoint('s')).seqNum, 900);
    assert.deepEqual(
      [await kept(storage, 't'), await kept(other, 's')],
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    );
    assert.equal(await storage.trimCheckpoints('nobody', 1), 0);
  });

  test('trimCheckpoints: keep ≤ 0 is a no-op', async (storage) => {
    await points(storage, 's', 1, 2);
    for (const keep of [0, -1, -(2 ** 53) + 1]) assert.equal(await storage.trimCheckpoints('s', keep), 0);
    assert.deepEqual(await kept(storage, 's'), [1, 2]);
  });

  test('trimCheckpoints: in batches, dry, and until its signal', async (storage) => {
    await points(storage, 's', 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assert.equal(await storage.trimCheckpoints('s', 2, { dryRun: true }), 7);
    const stop = new AbortController();
    const told: number[] = [];
    const onProgress = ({ removed }: TrimProgress): void => {
      told.push(removed);
      if (removed === 4) stop.abort();
    };
    const facts = { code: 'UNAVAILABLE', reason: 'INTERRUPTED' } as const;
    const aborted = { signal: AbortSignal.abort() };
    await rejectsWith(() => storage.trimCheckpoints('s', 2, aborted), { ...facts, partial: 0 });
    const options = { batchSize: 2, pause: 1, signal: stop.signal, onProgress };
    await rejectsWith(() => storage.trimCheckpoints('s', 2, options), { ...facts, partial: 4 });
    assert.deepEqual(await kept(storage, 's'), [5, 6, 7, 8, 9]);
    assert.equal(await storage.trimCheckpoints('s', 2, { batchSize: 2, onProgress }), 3);
    assert.deepEqual(told, [2, 4, 2, 3]);
  });

  test('trimCheckpoints: bad arguments are refused and remove nothing', async (storage) => {
    await points(storage, 's', 1, 2);
    for (const bad of [1.5, Number.NaN, '1', undefined, null]) {
      await rejects(() => storage.trimCheckpoints('s', bad as number), 'INVALID_ARGUMENT', 'keep');
    }
    await rejects(() => storage.trimCheckpoints('', 1), 'INVALID_ARGUMENT', 'sessionId');
    for (const [argument, options] of BAD_OPTIONS) {
      await rejects(() => storage.trimCheckpoints('s', 1, options as never), 'INVALID_ARGUMENT', argument);
    }
    assert.deepEqual(await kept(storage, 's'), [1, 2]);
  });

  test('iterateCheckpointedSessions: each session that has any, in code-point order', async (storage) => {
    for (const sessionId of ['b', 'a', 'B', '😀', '￿', 'a ']) await points(storage, sessionId, 1, 2, 3);
    await points(storage.forTenant(`other-${newId()}`), 'theirs', 1);
    await storage.createSession({ id: 'without', agentId: 'a', status: 'x' });
    const found: string[] = [];
    for await (const id of storage.iterateCheckpointedSessions()) found.push(id);
    assert.deepEqual(found, ['B', 'a', 'a ', 'b', '￿', '😀']);
  });
}

/** Of each kind two that are older than an hour, and one that is not. */
async function aged(storage: Storage): Promise<void> {
  const now = Date.now();
  for (const [id, age] of [
    ['old', 3 * HOUR],
    ['older', 30 * HOUR],
    ['young', 0],
  ] as const) {
    const at = new Date(now - age);
    await storage.appendEvent(event({ id, sessionId: 's', createdAt: at }));
    await storage.insertTrace(span({ id, startedAt: at }));
    await storage.appendAuditLog(auditLog({ id, createdAt: at }));
  }
  for (const sessionId of ['s', 't', 'u']) await points(storage, sessionId, 1, 2, 3);
}

function policies(test: Case): void {
  const apply = (
    storage: Storage,
    policy: RetentionPolicy,
    sessionIds: Iterable<string> | 'all' | null,
  ): Promise<RetentionResult> => applyRetention(storage, policy, sessionIds);

  test('applyRetention: by age, and checkpoints of the sessions named', async (storage) => {
    await aged(storage);
    const policy = { maxAge: HOUR, keepCheckpointsPerSession: 2 };
    const removed = await apply(storage, policy, new Set(['s', 'nobody']));
    assert.deepEqual(removed, { events: 2, traces: 2, auditLogs: 2, checkpoints: 1 });
    assert.deepEqual(
      [await kept(storage, 's'), await kept(storage, 't')],
      [
        [2, 3],
        [1, 2, 3],
      ],
    );
    assert.equal((await storage.listEvents('s'))[0]?.id, 'young');
    const again = await apply(storage, policy, ['s']);
    assert.deepEqual(again, { events: 0, traces: 0, auditLogs: 0, checkpoints: 0 });
  });

  test("applyRetention: null skips checkpoints, 'all' is every session that has any, of this tenant", async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    for (const one of [storage, other]) await aged(one);
    const policy = { maxAge: 10 * HOUR, keepCheckpointsPerSession: 1 };
    const none = await apply(storage, policy, null);
    assert.deepEqual(none, { events: 1, traces: 1, auditLogs: 1, checkpoints: 0 });
    const all = await apply(storage, policy, 'all');
    assert.deepEqual(all, { events: 0, traces: 0, auditLogs: 0, checkpoints: 6 });
    for (const sessionId of ['s', 't', 'u']) {
      assert.deepEqual(await kept(storage, sessionId), [3]);
      assert.deepEqual(await kept(other, sessionId), [1, 2, 3]);
    }
    assert.equal((await other.listEvents('s')).length, 3);
  });

  test('applyRetention: what the policy leaves out stays', async (storage) => {
    await aged(storage);
    const nothing = { events: 0, traces: 0, auditLogs: 0, checkpoints: 0 };
    assert.deepEqual(await apply(storage, {}, 'all'), nothing);
    assert.deepEqual(await apply(storage, { keepCheckpointsPerSession: 0 }, 'all'), nothing);
    assert.deepEqual(await apply(storage, { keepCheckpointsPerSession: -1 }, ['s']), nothing);
    const only = await apply(storage, { keepCheckpointsPerSession: 2 }, 'all');
    assert.deepEqual(only, { ...nothing, checkpoints: 3 });
    assert.equal((await storage.listEvents('s')).length, 3);
  });
}

function failing(test: Case): void {
  test('applyRetention: an error carries what was removed before it', async (storage) => {
    await aged(storage);
    const policy = { maxAge: HOUR, keepCheckpointsPerSession: 1 };
    const error = await rejectsWith(() => applyRetention(storage, policy, ['s', '', 't']), {
      code: 'INVALID_ARGUMENT',
      argument: 'sessionId',
      partial: { events: 2, traces: 2, auditLogs: 2, checkpoints: 2 },
    });
    assert.ok(error.message.length > 0);
    assert.deepEqual(await kept(storage, 't'), [1, 2, 3]);
  });

  test('applyRetention: sessions that can be none are refused and remove nothing', async (storage) => {
    await aged(storage);
    const policy = { maxAge: HOUR, keepCheckpointsPerSession: 1 };
    const text = Object('stu') as unknown;
    for (const bad of ['stu', 'All', '', text, undefined, 7, true, {}, () => ['s'], Promise.resolve(['s'])]) {
      for (const of of [policy, { maxAge: HOUR }, { keepCheckpointsPerSession: 1 }]) {
        await rejects(() => applyRetention(storage, of, bad as never), 'INVALID_ARGUMENT', 'sessionIds');
      }
    }
    assert.equal((await storage.listEvents('s')).length, 3);
    for (const sessionId of ['s', 't', 'u']) assert.deepEqual(await kept(storage, sessionId), [1, 2, 3]);
    const facts = { code: 'INVALID_ARGUMENT', argument: 'sessionIds[1]' } as const;
    for (const bad of [7, null, ['t']]) {
      await rejectsWith(() => applyRetention(storage, policy, ['s', bad as never, 't']), facts);
    }
    assert.deepEqual([await kept(storage, 's'), await kept(storage, 't')], [[3], [1, 2, 3]]);
  });

  test('applyRetention: bad options are refused and remove nothing', async (storage) => {
    await aged(storage);
    const policy = { maxAge: HOUR, keepCheckpointsPerSession: 1 };
    // It has the context's tenant, as trimCheckpoints does.
    for (const [argument, options] of [...BAD_OPTIONS, ['allTenants', { allTenants: true }]] as const) {
      for (const of of [policy, { maxAge: HOUR }, {}]) {
        await rejects(
          () => applyRetention(storage, of, 'all', options as never),
          'INVALID_ARGUMENT',
          argument,
        );
      }
    }
    assert.equal((await storage.listEvents('s')).length, 3);
    assert.deepEqual(await kept(storage, 's'), [1, 2, 3]);
  });

  test('applyRetention: its signal stops it within a step', async (storage) => {
    await aged(storage);
    for (let n = 0; n < 4; n += 1) {
      await storage.insertTrace(span({ startedAt: new Date(Date.now() - 9 * HOUR) }));
    }
    let steps = 0;
    const stop = new AbortController();
    const onProgress = (): void => {
      steps += 1;
      if (steps === 3) stop.abort();
    };
    const policy = { maxAge: HOUR, keepCheckpointsPerSession: 1 };
    const call = (): Promise<unknown> =>
      applyRetention(storage, policy, 'all', { signal: stop.signal, batchSize: 2, onProgress });
    await rejectsWith(call, {
      code: 'UNAVAILABLE',
      reason: 'INTERRUPTED',
      partial: { events: 2, traces: 4, auditLogs: 0, checkpoints: 0 },
    });
    const rest = await applyRetention(storage, policy, 'all');
    assert.deepEqual(rest, { events: 0, traces: 2, auditLogs: 2, checkpoints: 6 });
  });

  test('applyRetention: a policy that can be none is refused and removes nothing', async (storage) => {
    await aged(storage);
    const bads: readonly (readonly [argument: string, policy: unknown])[] = [
      ['policy', undefined],
      ['policy', 7],
      ['policy.maxage', { maxage: HOUR }],
      ...[0, -1, 1.5, Number.NaN, '1', null].map((maxAge) => ['maxAge', { maxAge }] as const),
      ...[1.5, '1', null].map(
        (keep) => ['keepCheckpointsPerSession', { maxAge: HOUR, keepCheckpointsPerSession: keep }] as const,
      ),
    ];
    for (const [argument, policy] of bads) {
      await rejects(() => applyRetention(storage, policy as never, 'all'), 'INVALID_ARGUMENT', argument);
    }
    const options = { batchSize: 0 };
    await rejects(
      () => applyRetention(storage, { maxAge: HOUR }, null, options),
      'INVALID_ARGUMENT',
      'batchSize',
    );
    assert.equal((await storage.listEvents('s')).length, 3);
  });
}

export const retentionPolicy: Topic = {
  needs: 'retention',
  cases: (test) => {
    checkpoints(test);
    policies(test);
    failing(test);
  },
};
