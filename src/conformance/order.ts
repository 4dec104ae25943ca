import assert from 'node:assert/strict';
import { newId, type Storage } from '../index.ts';
import { event, rejects } from './expect.ts';
import { assigned, at, both, drop, inside, next, type Step, stored, trim } from './order-steps.ts';
import type { Ability, Case, Topic } from './suite.ts';

const GREATEST = 2 ** 53 - 1;

/** What is done in one session; what each step answers, `=` before the place of a repeat; what is stored then. */
interface Line {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly answers: readonly string[];
  readonly ledger: string;
  readonly needs?: readonly Ability[];
}

// biome-ignore format: one line for each case, to be read as a table
const TABLE: readonly Line[] = [
  { name: 'explicit: as given, ties too', steps: [at(5, 'a'), at(5, 'b'), at(-2, 'c')], answers: ['5', '5', '-2'], ledger: 'c-2 a5 b5' },
  { name: 'assigned: from 1 on', steps: [next('c'), next('a'), next('b')], answers: ['1', '2', '3'], ledger: 'c1 a2 b3' },
  { name: 'assigned: above the greatest stored', steps: [at(9, 'a'), at(3, 'b'), next('c'), next('d')], answers: ['9', '3', '10', '11'], ledger: 'b3 a9 c10 d11' },
  { name: 'assigned: 1 where all stored are ≤ 0', steps: [at(0, 'a'), at(-7, 'b'), next('c')], answers: ['0', '-7', '1'], ledger: 'b-7 a0 c1' },
  { name: 'assigned: explicit places never touch the head', steps: [next('a'), at(50, 'b'), next('c'), at(3, 'd'), next('e')], answers: ['1', '50', '2', '3', '3'], ledger: 'a1 c2 d3 e3 b50' },
  { name: 'repeat: takes no place', steps: [next('a'), next('a'), next('b')], answers: ['1', '=1', '2'], ledger: 'a1 b2' },
  { name: 'repeat: of an assigned id with a place', steps: [next('a'), at(9, 'a'), next('b')], answers: ['1', '=1', '2'], ledger: 'a1 b2' },
  { name: 'repeat: of an explicit id without a place', steps: [at(4, 'a'), next('a'), next('b')], answers: ['4', '=4', '5'], ledger: 'a4 b5' },
  { name: 'repeat: makes no head', steps: [at(4, 'a'), next('a'), at(9, 'b'), next('c')], answers: ['4', '=4', '9', '10'], ledger: 'a4 b9 c10' },
  { name: 'batch: in input order', steps: [next('c', 'a', 'b'), next('e', 'd')], answers: ['3: 1 2 3', '2: 4 5'], ledger: 'c1 a2 b3 e4 d5', needs: ['batches'] },
  { name: 'batch: a duplicate inside takes one place', steps: [next('b', 'a', 'b', 'c', 'a'), next('d')], answers: ['3: 1 2 1 3 2', '4'], ledger: 'b1 a2 c3 d4', needs: ['batches'] },
  { name: 'batch: what is stored takes none', steps: [at(7, 'b'), next('a', 'b', 'c')], answers: ['7', '2: 8 7 9'], ledger: 'b7 a8 c9', needs: ['batches'] },
  { name: 'batch: with places it leaves the head alone', steps: [next('a'), at(8, 'b', 'c'), next('d')], answers: ['1', '2: 8 9', '2'], ledger: 'a1 d2 b8 c9', needs: ['batches'] },
  { name: 'replay: of a batch', steps: [next('a', 'b'), next('a', 'b'), next('b', 'a'), next('c')], answers: ['2: 1 2', '0: 1 2', '0: 2 1', '3'], ledger: 'a1 b2 c3', needs: ['batches'] },
  { name: 'replay: with more after it', steps: [next('a', 'b'), next('a', 'b', 'c', 'd')], answers: ['2: 1 2', '2: 1 2 3 4'], ledger: 'a1 b2 c3 d4', needs: ['batches'] },
  { name: 'trim: the head never goes back', steps: [next('a'), next('b'), trim, next('c')], answers: ['1', '2', '2 trimmed', '3'], ledger: 'c3', needs: ['retention'] },
  { name: 'trim: what is gone is no repeat', steps: [next('a'), trim, next('a'), next('b')], answers: ['1', '1 trimmed', '2', '3'], ledger: 'a2 b3', needs: ['retention'] },
  { name: 'trim: without a head it starts anew', steps: [at(7, 'a'), trim, next('b')], answers: ['7', '1 trimmed', '1'], ledger: 'b1', needs: ['retention'] },
  { name: 'trim: a batch goes on', steps: [next('a', 'b'), trim, next('c', 'd')], answers: ['2: 1 2', '2 trimmed', '2: 3 4'], ledger: 'c3 d4', needs: ['retention', 'batches'] },
  { name: 'delete: removes the head', steps: [next('a'), next('b'), drop, next('c')], answers: ['1', '2', '2 deleted', '1'], ledger: 'c1' },
  { name: 'delete: also a head without events', steps: [next('a'), trim, drop, next('b')], answers: ['1', '1 trimmed', '0 deleted', '1'], ledger: 'b1', needs: ['retention'] },
  { name: 'two writers: a place each', steps: [both(next('a'), next('b')), next('c')], answers: ['1 2', '3'], ledger: '3 places' },
  { name: 'two writers: of one id', steps: [both(next('a'), next('a')), next('b')], answers: ['1 =1', '2'], ledger: 'a1 b2' },
  { name: 'two writers: of batches', steps: [both(next('a', 'b'), next('c', 'd')), next('e')], answers: ['2: 1 2 2: 3 4', '5'], ledger: '5 places', needs: ['batches'] },
  { name: 'in a transaction: committed', steps: [next('a'), inside('commits', next('b'), next('c'), next('b')), next('d')], answers: ['1', '2 3 =2', '4'], ledger: 'a1 b2 c3 d4', needs: ['transactions'] },
  { name: 'in a transaction: rolled back', steps: [next('a'), inside('rolls back', next('b'), next('c')), next('d')], answers: ['1', '2 3', '2'], ledger: 'a1 d2', needs: ['transactions'] },
  { name: 'in a transaction: its head rolled back', steps: [inside('rolls back', next('a')), at(5, 'b'), next('c')], answers: ['1', '5', '6'], ledger: 'b5 c6', needs: ['transactions'] },
];

function table(test: Case, supports: Parameters<Topic['cases']>[1]): void {
  for (const { name, steps, answers, ledger, needs = [] } of TABLE) {
    if (needs.some((ability) => supports[ability] !== true)) continue;
    test(`seqNum, ${name}`, async (storage) => {
      const said: string[] = [];
      for (const step of steps) said.push(await step(storage, 's'));
      assert.deepEqual(said, answers);
      const events = await storage.listEvents('s');
      // Which of two writers came first is open: then only the places are known.
      const places = events.every(({ seqNum }, n) => seqNum === n + 1) ? `${events.length} places` : '';
      assert.equal(/places$/.test(ledger) ? places : stored(events), ledger);
    });
  }
}

function apart(test: Case): void {
  test('appendEvent without seqNum: sessions and tenants are numbered by themselves', async (storage) => {
    const other = storage.forTenant(`other-${newId()}`);
    for (const seqNum of [1, 2, 3]) {
      for (const [where, sessionId] of [
        [storage, 's'],
        [storage, 't'],
        [other, 's'],
      ] as const) {
        const answer = await where.appendEvent(assigned({ id: `${sessionId}${seqNum}`, sessionId }));
        assert.deepEqual(answer, { inserted: true, seqNum });
      }
    }
  });

  test('appendEvent without seqNum: a repeat in another session, with other content, changes nothing', async (storage) => {
    const first = assigned({ id: 'a', sessionId: 's', payload: 'first' });
    await storage.appendEvent(first);
    const before = await storage.listEvents('s');
    const repeat = { ...first, sessionId: 't', payload: 'second', type: 'other' };
    assert.deepEqual(await storage.appendEvent(repeat), { inserted: false, seqNum: 1 });
    assert.deepEqual(await storage.listEvents('s'), before);
    assert.deepEqual(await storage.listEvents('t'), []);
    const next = await storage.appendEvent(assigned({ sessionId: 't' }));
    assert.deepEqual(next, { inserted: true, seqNum: 1 });
  });

  test('saveCheckpointAndEvent: a refused checkpoint takes no place', async (storage) => {
    const point = { sessionId: 's', runId: 'r', nodeId: 'n', state: {}, seqNum: 1 };
    const first = await storage.saveCheckpointAndEvent({ ...point, id: 'c1' }, assigned({ sessionId: 's' }));
    assert.deepEqual(first, { inserted: true, seqNum: 1 });
    const refused = (): Promise<unknown> =>
      storage.saveCheckpointAndEvent({ ...point, id: 'c2' }, assigned({ sessionId: 's' }));
    await rejects(refused, 'CONFLICT');
    assert.equal((await storage.appendEvent(assigned({ sessionId: 's' }))).seqNum, 2);
  });
}

function batched(test: Case): void {
  test('appendEvents without seqNum: several sessions in one batch, each in input order', async (storage) => {
    await storage.appendEvent(event({ sessionId: 't', seqNum: 6 }));
    const batch = ['t', 's', 's', 't', 'S', 's'].map((sessionId) => assigned({ sessionId }));
    assert.deepEqual(await storage.appendEvents(batch), { inserted: 6, seqNums: [7, 1, 2, 8, 1, 3] });
    assert.deepEqual(await storage.appendEvents(batch), { inserted: 0, seqNums: [7, 1, 2, 8, 1, 3] });
  });

  test('appendEvents without seqNum: thousands in one batch', async (storage) => {
    const batch = Array.from({ length: 2345 }, () => assigned({ sessionId: 's' })).toReversed();
    const answer = await storage.appendEvents(batch);
    assert.deepEqual(answer, { inserted: 2345, seqNums: batch.map((_, n) => n + 1) });
    const found = await storage.listEvents('s');
    assert.deepEqual(
      found.map(({ id }) => id),
      batch.map(({ id }) => id),
    );
  });

  test('appendEvents: some with a seqNum and some without is refused and stores nothing', async (storage) => {
    const mixed = [event({ sessionId: 's' }), assigned({ sessionId: 's' }), event({ sessionId: 's' })];
    await rejects(() => storage.appendEvents(mixed), 'INVALID_ARGUMENT', 'events[1].seqNum');
    await rejects(() => storage.appendEvents(mixed.slice(1)), 'INVALID_ARGUMENT', 'events[0].seqNum');
    assert.deepEqual(await storage.listEvents('s'), []);
    assert.equal((await storage.appendEvent(assigned({ sessionId: 's' }))).seqNum, 1);
  });
}

/** 1 … n. */
const count = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index + 1);

async function places(storage: Storage, sessionId: string): Promise<readonly number[]> {
  return (await storage.listEvents(sessionId)).map(({ seqNum }) => seqNum);
}

function racing(test: Case, batches: boolean): void {
  test('appendEvent without seqNum: 16 at once get the places 1 … 16', async (storage) => {
    const answers = await Promise.all(count(16).map(() => storage.appendEvent(assigned({ sessionId: 's' }))));
    const given = answers.map(({ seqNum }) => seqNum).sort((a, b) => a - b);
    assert.deepEqual(given, count(16));
    assert.deepEqual(await places(storage, 's'), count(16));
  });

  test('appendEvent without seqNum: repeats at once leave no gap, and all agree', async (storage) => {
    const ids = count(24).map((n) => `e${n % 9}`);
    const answers = await Promise.all(
      ids.map(async (id) => ({ id, ...(await storage.appendEvent(assigned({ id, sessionId: 's' }))) })),
    );
    assert.equal(answers.filter(({ inserted }) => inserted).length, 9);
    assert.deepEqual(await places(storage, 's'), count(9));
    const byId = new Map((await storage.listEvents('s')).map(({ id, seqNum }) => [id, seqNum]));
    for (const { id, seqNum } of answers) assert.equal(seqNum, byId.get(id));
  });

  if (!batches) return;
  test('appendEvents without seqNum: batches at once that share ids and sessions leave no gap', async (storage) => {
    const all = count(60).map((n) => assigned({ id: `e${n}`, sessionId: n % 2 ? 's' : 't' }));
    const answers = await Promise.all([
      storage.appendEvents(all.slice(0, 40)),
      storage.appendEvents(all.slice(20).toReversed()),
      storage.appendEvents(all.filter((_, n) => n % 3 === 0)),
    ]);
    assert.equal(
      answers.reduce((sum, { inserted }) => sum + inserted, 0),
      60,
    );
    for (const sessionId of ['s', 't']) assert.deepEqual(await places(storage, sessionId), count(30));
  });
}

function exhausted(test: Case, batches: boolean): void {
  test('appendEvent without seqNum: no place above 2^53−1; what is stored still answers', async (storage) => {
    await storage.appendEvent(event({ id: 'a', sessionId: 's', seqNum: GREATEST - 1 }));
    assert.equal((await storage.appendEvent(assigned({ id: 'b', sessionId: 's' }))).seqNum, GREATEST);
    for (let again = 0; again < 2; again += 1) {
      await rejects(() => storage.appendEvent(assigned({ id: 'c', sessionId: 's' })), 'CONFLICT');
      for (const [id, seqNum] of [
        ['a', GREATEST - 1],
        ['b', GREATEST],
      ] as const) {
        const answer = await storage.appendEvent(assigned({ id, sessionId: 's' }));
        assert.deepEqual(answer, { inserted: false, seqNum });
      }
    }
    assert.equal(stored(await storage.listEvents('s')), `a${GREATEST - 1} b${GREATEST}`);
  });

  test('appendEvent without seqNum: a refusal at 2^53−1 makes no head', async (storage) => {
    await storage.appendEvent(event({ id: 'a', sessionId: 's', seqNum: GREATEST }));
    await rejects(() => storage.appendEvent(assigned({ sessionId: 's' })), 'CONFLICT');
    await storage.deleteSession('s');
    assert.equal((await storage.appendEvent(assigned({ sessionId: 's' }))).seqNum, 1);
  });

  if (!batches) return;
  test('appendEvents without seqNum: all or none at 2^53−1; repeats need no place', async (storage) => {
    const [b, c, d] = ['b', 'c', 'd'].map((id) => assigned({ id, sessionId: 's' })) as [
      ReturnType<typeof assigned>,
      ReturnType<typeof assigned>,
      ReturnType<typeof assigned>,
    ];
    await storage.appendEvent(event({ id: 'a', sessionId: 's', seqNum: GREATEST - 2 }));
    const elsewhere = assigned({ id: 'elsewhere', sessionId: 't' });
    await rejects(() => storage.appendEvents([elsewhere, b, c, d]), 'CONFLICT');
    assert.deepEqual(await storage.listEvents('t'), []);
    assert.equal(stored(await storage.listEvents('s')), `a${GREATEST - 2}`);
    assert.deepEqual(await storage.appendEvents([b]), { inserted: 1, seqNums: [GREATEST - 1] });
    assert.deepEqual(await storage.appendEvents([b, c]), {
      inserted: 1,
      seqNums: [GREATEST - 1, GREATEST],
    });
    await rejects(() => storage.appendEvents([c, d]), 'CONFLICT');
    assert.deepEqual(await storage.appendEvents([c, b]), {
      inserted: 0,
      seqNums: [GREATEST, GREATEST - 1],
    });
  });
}

export const order: Topic = {
  needs: 'order',
  cases: (test, supports) => {
    const batches = supports.batches === true;
    table(test, supports);
    apart(test);
    if (batches) batched(test);
    racing(test, batches);
    exhausted(test, batches);
  },
};
