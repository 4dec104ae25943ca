import assert from 'node:assert/strict';
import { newId, type Storage, type TrimByAgeOptions, type TrimOptions, type TrimProgress } from '../index.ts';
import { event, idsOf, rejects, rejectsWith } from './expect.ts';
import { AT, after, auditLog, span } from './records.ts';
import type { Case, Topic } from './suite.ts';

/** Something that is trimmed by its age. */
interface Kind {
  readonly name: string;
  readonly put: (storage: Storage, id: string, at: Date, sessionId?: string) => Promise<unknown>;
  readonly trim: (storage: Storage, olderThan: Date, options?: TrimByAgeOptions) => Promise<number>;
  readonly list: (storage: Storage, sessionId?: string) => Promise<readonly { readonly id: string }[]>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'trimEvents',
    put: (storage, id, createdAt, sessionId = 's') =>
      storage.appendEvent(event({ id, sessionId, createdAt })),
    trim: (storage, olderThan, options) => storage.trimEvents(olderThan, options),
    list: (storage, sessionId = 's') => storage.listEvents(sessionId),
  },
  {
    name: 'trimTraces',
    put: (storage, id, startedAt, sessionId = 's') =>
      storage.insertTrace(span({ id, sessionId, startedAt, endedAt: after(1e9) })),
    trim: (storage, olderThan, options) => storage.trimTraces(olderThan, options),
    list: (storage, sessionId = 's') => storage.listTraces(sessionId),
  },
  {
    name: 'trimAuditLogs',
    put: (storage, id, createdAt, sessionId = 's') =>
      storage.appendAuditLog(auditLog({ id, sessionId, createdAt })),
    trim: (storage, olderThan, options) => storage.trimAuditLogs(olderThan, options),
    list: (storage, sessionId = 's') => storage.listAuditLogs(sessionId, 1000),
  },
];

/** Options that no trim takes, and what is at fault. */
export const BAD_OPTIONS: readonly (readonly [argument: string, options: unknown])[] = [
  ['options', 7],
  ['options', null],
  ['batchSize', { batchSize: 0 }],
  ['batchSize', { batchSize: -5 }],
  ['batchSize', { batchSize: 1.5 }],
  ['batchSize', { batchSize: 100_001 }],
  ['batchSize', { batchSize: '10' }],
  ['pause', { pause: -1 }],
  ['pause', { pause: 0.5 }],
  ['pause', { pause: Number.POSITIVE_INFINITY }],
  ['signal', { signal: true }],
  ['dryRun', { dryRun: 1 }],
  ['dryrun', { dryrun: true }],
  ['onProgress', { onProgress: 'tell' }],
];

/** Four old ones to a millisecond, then one at the cutoff, one after it. */
async function aged(storage: Storage, { put }: Kind, count: number, sessionId = 's'): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await put(storage, `${sessionId}-old${n}`, after(Math.floor(n / 4) - count), sessionId);
  }
  await put(storage, `${sessionId}-at`, AT, sessionId);
  await put(storage, `${sessionId}-later`, after(1), sessionId);
}

function removing(test: Case, kind: Kind): void {
  const { name, put, trim, list } = kind;
  test(`${name}: removes what is strictly older, of every session`, async (storage) => {
    await put(storage, 'old', after(-1));
    await put(storage, 'at', AT);
    await put(storage, 'later', after(1));
    await put(storage, 'elsewhere', after(-1), 't');
    assert.equal(await trim(storage, AT), 2);
    assert.deepEqual(idsOf(await list(storage)).toSorted(), ['at', 'later']);
    assert.deepEqual(await list(storage, 't'), []);
    assert.equal(await trim(storage, AT), 0);
    assert.equal(await trim(storage, after(1)), 1);
    assert.deepEqual(idsOf(await list(storage)), ['later']);
  });

  test(`${name}: in batches, also where more share a millisecond than one takes`, async (storage) => {
    for (const batchSize of [1, 3, 4, 12, 13, 100]) {
      await aged(storage, kind, 12);
      const told: TrimProgress[] = [];
      const removed = await trim(storage, AT, { batchSize, onProgress: (one) => told.push(one) });
      assert.equal(removed, 12);
      assert.equal(told.length, Math.ceil(12 / batchSize));
      told.forEach((one, n) => {
        assert.equal(one.removed, Math.min((n + 1) * batchSize, 12));
      });
      assert.deepEqual(idsOf(await list(storage)).toSorted(), ['s-at', 's-later']);
    }
  });

  test(`${name}: dryRun counts and removes nothing`, async (storage) => {
    await aged(storage, kind, 7);
    const onProgress = (): void => assert.fail('nothing was removed');
    assert.equal(await trim(storage, AT, { dryRun: true, batchSize: 2, onProgress }), 7);
    assert.equal((await list(storage)).length, 9);
    assert.equal(await trim(storage, AT, { dryRun: false }), 7);
  });

  test(`${name}: an onProgress that throws is its own affair; a pause ends`, async (storage) => {
    await aged(storage, kind, 7);
    const onProgress = (): void => {
      throw new Error('not our affair');
    };
    assert.equal(await trim(storage, AT, { onProgress, batchSize: 2, pause: 1 }), 7);
    assert.equal((await list(storage)).length, 2);
  });
}

function stopping(test: Case, kind: Kind): void {
  const { name, trim, list } = kind;
  test(`${name}: a signal stops it after what it removed, and a second run finishes`, async (storage) => {
    await aged(storage, kind, 10);
    const before = AbortSignal.abort(new Error('enough'));
    const facts = { code: 'UNAVAILABLE', reason: 'INTERRUPTED' } as const;
    await rejectsWith(() => trim(storage, AT, { signal: before }), { ...facts, partial: 0 });
    assert.equal((await list(storage)).length, 12);
    const stop = new AbortController();
    const onProgress = ({ removed }: TrimProgress): void => {
      if (removed >= 6) stop.abort();
    };
    // Longer than any test waits: the signal ends the pause too.
    const options: TrimOptions = { signal: stop.signal, batchSize: 3, onProgress };
    await rejectsWith(() => trim(storage, AT, options), { ...facts, partial: 6 });
    assert.equal((await list(storage)).length, 6);
    assert.equal(await trim(storage, AT, { signal: new AbortController().signal }), 4);
  });

  test(`${name}: a signal ends a pause too`, async (storage) => {
    await aged(storage, kind, 4);
    const stop = new AbortController();
    const options = { signal: stop.signal, batchSize: 1, pause: 2 ** 31 - 1, onProgress: () => stop.abort() };
    await rejectsWith(() => trim(storage, AT, options), {
      code: 'UNAVAILABLE',
      reason: 'INTERRUPTED',
      partial: 1,
    });
    assert.equal((await list(storage)).length, 5);
  });
}

function refusing(test: Case, kind: Kind): void {
  const { name, trim, list } = kind;
  test(`${name}: bad arguments are refused and remove nothing`, async (storage) => {
    await aged(storage, kind, 2);
    for (const bad of [undefined, null, Date.now(), '2024-01-01', new Date(Number.NaN), new Date(8.64e15)]) {
      await rejects(() => trim(storage, bad as Date), 'INVALID_ARGUMENT', 'olderThan');
    }
    for (const [argument, options] of [...BAD_OPTIONS, ['allTenants', { allTenants: 'yes' }]] as const) {
      await rejects(() => trim(storage, AT, options as never), 'INVALID_ARGUMENT', argument);
    }
    assert.equal((await list(storage)).length, 4);
  });
}

function ofTenants(test: Case, kind: Kind): void {
  const { name, put, trim, list } = kind;
  test(`${name}: only in the tenant of the call`, async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    for (const one of [storage, other]) await aged(one, kind, 5);
    assert.equal(await trim(storage, AT), 5);
    assert.equal((await list(other)).length, 7);
    assert.equal((await list(storage)).length, 2);
  });

  test(
    `${name}: allTenants walks all of them, one by one`,
    async (storage) => {
      // The first moment that there is: older rows of other cases are not at stake.
      const first = new Date('1000-01-01T00:00:00.000Z');
      const next = new Date('1000-01-01T00:00:00.001Z');
      const names = ['a', 'b', 'c'].map((word) => `${word}-${newId()}`);
      for (const tenant of names) {
        for (const id of ['1', '2', '3']) await put(storage.forTenant(tenant), id, first);
        await put(storage.forTenant(tenant), 'stays', next);
      }
      const removed = new Map<string, number>();
      let sum = 0;
      const onProgress = (one: TrimProgress): void => {
        removed.set(one.tenant, (removed.get(one.tenant) ?? 0) + one.removed - sum);
        sum = one.removed;
      };
      const dry = await trim(storage, next, { allTenants: true, dryRun: true });
      const total = await trim(storage, next, { allTenants: true, batchSize: 2, onProgress });
      assert.deepEqual([dry, sum], [total, total]);
      assert.deepEqual(
        names.map((tenant) => removed.get(tenant)),
        [3, 3, 3],
      );
      const order = [...removed.keys()];
      assert.deepEqual(order, order.toSorted(), 'tenants come in order, each once');
      for (const tenant of names) assert.deepEqual(idsOf(await list(storage.forTenant(tenant))), ['stays']);
    },
    { unbound: true },
  );

  test(
    `${name}: allTenants is not for a storage that is bound to one`,
    async (storage) => {
      const bound = storage.forTenant(`bound-${newId()}`);
      await aged(bound, kind, 2);
      await rejects(() => trim(bound, AT, { allTenants: true }), 'INVALID_ARGUMENT', 'allTenants');
      assert.equal(await trim(bound, AT, { allTenants: false }), 2);
    },
    { unbound: true },
  );
}

export const retention: Topic = {
  needs: 'retention',
  cases: (test) => {
    for (const kind of KINDS) {
      removing(test, kind);
      stopping(test, kind);
      refusing(test, kind);
      ofTenants(test, kind);
    }
  },
};
