import assert from 'node:assert/strict';
import { newId, type Storage } from '../index.ts';
import { rejects } from './expect.ts';
import { append, BACK, back, ledger } from './order-steps.ts';
import type { Case, Topic } from './suite.ts';

function scopes(test: Case): void {
  test('transaction: the storage that it was begun on is refused inside it, at once', async (storage) => {
    const bound = storage.forTenant(`bound-${newId()}`);
    await storage.transaction(async (tx) => {
      const outer: readonly (() => Promise<unknown>)[] = [
        () => storage.getSession('s'),
        () => append(storage, 'lost'),
        () => append(bound, 'lost'),
        () => storage.appendEvents([]),
        () => storage.trimEvents(new Date()),
        () => storage.iterateEvents('s').next(),
        () => storage.transaction(async () => 1),
        () => storage.ping(),
        () => storage.migrate(),
      ];
      for (const call of outer) await rejects(call, 'UNSUPPORTED');
      await append(tx, 'a');
      await tx.transaction(async (inner) => {
        await rejects(() => append(tx, 'lost'), 'UNSUPPORTED');
        await rejects(() => append(storage, 'lost'), 'UNSUPPORTED');
        await append(inner, 'b');
      });
      await append(tx, 'c');
    });
    assert.equal(await ledger(storage), 'a1 b2 c3');
    assert.deepEqual(await bound.listEvents('s'), []);
  });

  test('transaction: once it has ended, its storage is closed', async (storage) => {
    const kept: Storage[] = [];
    await storage.transaction(async (tx) => {
      kept.push(tx, tx.forTenant('t'));
      await tx.transaction(async (inner) => void kept.push(inner));
      await rejects(() => append(kept[2]!, 'lost'), 'CLOSED');
      await append(tx, 'a');
    });
    const failed = storage.transaction(async (tx) => {
      kept.push(tx);
      back();
    });
    await assert.rejects(failed, BACK);
    for (const ended of kept) {
      const calls: readonly (() => Promise<unknown>)[] = [
        () => append(ended, 'lost'),
        () => ended.listEvents('s'),
        () => ended.iterateEvents('s').next(),
        () => ended.transaction(async () => 1),
        () => ended.ping(),
      ];
      for (const call of calls) await rejects(call, 'CLOSED');
      await ended.close();
    }
    assert.equal(await ledger(storage), 'a1');
  });

  test('transaction: what was begun inside it may use the storage once it has ended', async (storage) => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let later: Promise<unknown> = Promise.resolve();
    await storage.transaction(async (tx) => {
      later = gate.then(() => append(storage, 'b'));
      await append(tx, 'a');
    });
    go();
    await later;
    assert.equal(await ledger(storage), 'a1 b2');
  });
}

function unawaited(test: Case): void {
  test('transaction: calls that nobody awaited belong to it', async (storage) => {
    const chain = async (tx: Storage, prefix: string): Promise<void> => {
      for (let n = 0; n < 5; n += 1) await append(tx, `${prefix}${n}`, prefix);
    };
    const started: Promise<unknown>[] = [];
    const begin = (tx: Storage, prefix: string): void => {
      for (let n = 0; n < 5; n += 1) started.push(append(tx, `${prefix}-at-once-${n}`, `${prefix} at once`));
      started.push(tx.transaction((inner) => chain(inner, prefix)));
    };
    await storage.transaction(async (tx) => begin(tx, 'kept'));
    await Promise.all(started.splice(0));
    assert.equal((await storage.listEvents('kept at once')).length, 5);
    assert.equal((await storage.listEvents('kept')).length, 5);
    const failed = storage.transaction(async (tx) => {
      begin(tx, 'lost');
      back();
    });
    await assert.rejects(failed, BACK);
    await Promise.allSettled(started);
    assert.deepEqual(await storage.listEvents('lost at once'), []);
    assert.deepEqual(await storage.listEvents('lost'), []);
  });

  test('transaction: what goes on after its end is refused, and no half of it is stored', async (storage) => {
    const seen: string[] = [];
    let running: Promise<unknown> = Promise.resolve();
    await storage.transaction(async (tx) => {
      running = (async () => {
        for (let n = 0; n < 200; n += 1) {
          await append(tx, `e${n}`);
          seen.push(`e${n}${n + 1}`);
        }
      })().catch((error: { readonly code?: unknown }) => error.code);
      await append(tx, 'x', 't');
    });
    const end = await running;
    if (seen.length < 200) assert.equal(end, 'CLOSED');
    assert.equal(await ledger(storage), seen.join(' '));
  });
}

function closing(test: Case): void {
  test('transaction: close and migrate inside', async (storage) => {
    await storage.transaction(async (tx) => {
      await append(tx, 'a');
      await tx.close();
      await rejects(() => tx.migrate(), 'UNSUPPORTED');
      await append(tx, 'b');
    });
    assert.equal(await ledger(storage), 'a1 b2');
  });

  test(
    'transaction: closing the storage that it was begun on is refused inside, and waits for it outside',
    async (storage) => {
      await storage.transaction(async (tx) => {
        await rejects(() => storage.close(), 'UNSUPPORTED');
        await append(tx, 'a');
      });
      const open = storage.transaction(async (tx) => {
        await append(tx, 'b');
        return ledger(tx);
      });
      await storage.close();
      assert.equal(await open, 'a1 b2');
      await rejects(() => storage.transaction(async () => 1), 'CLOSED');
    },
    { own: true },
  );
}

export const transactionScopes: Topic = {
  needs: 'transactions',
  cases: (test) => {
    scopes(test);
    unawaited(test);
    closing(test);
  },
};
