import assert from 'node:assert/strict';
import type { NewAuditLog } from '../index.ts';
import { byCodePoint, idsOf, rejects } from './expect.ts';
import { AT, after, auditLog, own } from './records.ts';
import type { Case, Topic } from './suite.ts';

const WHOLE: NewAuditLog = {
  id: 'l',
  sessionId: 's',
  actor: 'agent',
  action: 'delete',
  resource: 'file:/tmp/a',
  detail: { bytes: 7 },
  createdAt: AT,
};

function appending(test: Case): void {
  test('appendAuditLog, listAuditLogs: every field comes back', async (storage) => {
    assert.equal(await storage.appendAuditLog(WHOLE), undefined);
    const [found, ...more] = await storage.listAuditLogs('s');
    assert.equal(more.length, 0);
    assert.ok(found!.tenantId.length > 0);
    assert.deepEqual(own(found!), WHOLE);
  });

  test('appendAuditLog: an absent detail stays absent, a missing createdAt is now', async (storage) => {
    const before = Date.now();
    await storage.appendAuditLog(auditLog({ sessionId: 'never created' }));
    const [found] = await storage.listAuditLogs('never created');
    assert.ok(!('detail' in found!));
    const at = found!.createdAt.getTime();
    assert.ok(at >= before && at <= Date.now());
  });

  test('appendAuditLog: the first write of an id wins', async (storage) => {
    await storage.appendAuditLog(WHOLE);
    const repeat = auditLog({ id: 'l', sessionId: 'other', actor: 'x', detail: null, createdAt: after(1) });
    assert.equal(await storage.appendAuditLog(repeat), undefined);
    assert.equal(await storage.appendAuditLog(auditLog({ id: 'l' })), undefined);
    assert.equal(await storage.appendAuditLog(WHOLE), undefined);
    assert.deepEqual((await storage.listAuditLogs('s')).map(own), [WHOLE]);
    assert.deepEqual(await storage.listAuditLogs('other'), []);
  });

  test('appendAuditLog: a repeat is checked all the same', async (storage) => {
    await storage.appendAuditLog(WHOLE);
    await rejects(
      () => storage.appendAuditLog({ ...WHOLE, actor: 'x'.repeat(256) }),
      'INVALID_ARGUMENT',
      'actor',
    );
    await rejects(() => storage.appendAuditLog({ ...WHOLE, detail: 1n }), 'INVALID_ARGUMENT', 'detail');
  });

  test('appendAuditLog: of many at once with one id, one is stored, whole', async (storage) => {
    const all = Array.from({ length: 16 }, (_, n) => auditLog({ id: 'l', actor: `a${n}`, detail: n }));
    await Promise.all(all.map((one) => storage.appendAuditLog(one)));
    const found = await storage.listAuditLogs('s');
    assert.equal(found.length, 1);
    const { createdAt, ...rest } = own(found[0]!);
    assert.deepEqual(rest, all[rest.detail as number]);
  });
}

function listing(test: Case): void {
  test('listAuditLogs: newest first, ties by id from the greatest', async (storage) => {
    const ids = ['b', 'a', 'B', 'é', 'e', '😀', '￿'];
    for (const id of ids) await storage.appendAuditLog(auditLog({ id, createdAt: AT }));
    await storage.appendAuditLog(auditLog({ id: 'z', createdAt: after(-1) }));
    await storage.appendAuditLog(auditLog({ id: 'A', createdAt: after(1) }));
    await storage.appendAuditLog(auditLog({ id: 'c', sessionId: 'S', createdAt: AT }));
    const all = ['A', ...ids.toSorted(byCodePoint).toReversed(), 'z'];
    assert.deepEqual(idsOf(await storage.listAuditLogs('s')), all);
    assert.deepEqual(idsOf(await storage.listAuditLogs('s', 3)), all.slice(0, 3));
    assert.deepEqual(idsOf(await storage.listAuditLogs('s', 3, 2)), all.slice(2, 5));
    assert.deepEqual(idsOf(await storage.listAuditLogs('s', 3, 8)), all.slice(8));
    assert.deepEqual(await storage.listAuditLogs('s', 3, 9), []);
    assert.deepEqual(await storage.listAuditLogs('nobody'), []);
  });

  test('listAuditLogs: limit ≤ 0 or absent is 100; a negative offset is refused', async (storage) => {
    const ids = Array.from({ length: 103 }, (_, n) => `l${String(n).padStart(3, '0')}`);
    await Promise.all(ids.map((id) => storage.appendAuditLog(auditLog({ id, createdAt: AT }))));
    for (const limit of [undefined, 0, -5]) {
      assert.deepEqual(idsOf(await storage.listAuditLogs('s', limit)), ids.toReversed().slice(0, 100));
    }
    assert.equal((await storage.listAuditLogs('s', 5000)).length, 103);
    await rejects(() => storage.listAuditLogs('s', 10, -1), 'INVALID_ARGUMENT', 'offset');
  });
}

export const auditLogs: Topic = {
  cases: (test) => {
    appending(test);
    listing(test);
  },
};
