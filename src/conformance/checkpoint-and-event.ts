import assert from 'node:assert/strict';
import type { Storage } from '../index.ts';
import { event, idsOf, rejects } from './expect.ts';
import { AT, checkpoint, own } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';

const SAVED = checkpoint({ id: 'c', createdAt: AT });
const SAID = event({ id: 'e', sessionId: 's', seqNum: 7, createdAt: AT });

/** Ids of the session's checkpoints and events. */
async function both(storage: Storage): Promise<readonly (readonly string[])[]> {
  return [idsOf(await storage.listCheckpoints('s')), idsOf(await storage.listEvents('s'))];
}

function storing(test: Case): void {
  test('saveCheckpointAndEvent: stores both', async (storage) => {
    assert.deepEqual(await storage.saveCheckpointAndEvent(SAVED, SAID), { inserted: true, seqNum: 7 });
    assert.deepEqual((await storage.listCheckpoints('s')).map(own), [SAVED]);
    assert.deepEqual((await storage.listEvents('s')).map(own), [SAID]);
  });

  test('saveCheckpointAndEvent: without an event it saves the checkpoint', async (storage) => {
    assert.deepEqual(await storage.saveCheckpointAndEvent(SAVED), {});
    assert.deepEqual(await storage.saveCheckpointAndEvent({ ...SAVED, state: 2 }, undefined), {});
    assert.deepEqual((await storage.listCheckpoints('s')).map(own), [{ ...SAVED, state: 2 }]);
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('saveCheckpointAndEvent: again, the checkpoint is replaced and the event stays', async (storage) => {
    await storage.saveCheckpointAndEvent(SAVED, SAID);
    const answer = { inserted: false, seqNum: 7 };
    assert.deepEqual(await storage.saveCheckpointAndEvent(SAVED, SAID), answer);
    assert.deepEqual((await storage.listCheckpoints('s')).map(own), [SAVED]);
    const [next, repeat] = [
      { ...SAVED, seqNum: 2, state: 'next' },
      { ...SAID, seqNum: 9, type: 'changed' },
    ];
    assert.deepEqual(await storage.saveCheckpointAndEvent(next, repeat), answer);
    assert.deepEqual((await storage.listCheckpoints('s')).map(own), [next]);
    assert.deepEqual((await storage.listEvents('s')).map(own), [SAID]);
  });

  test('saveCheckpointAndEvent: of many at once with the same ids all agree', async (storage) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        storage.saveCheckpointAndEvent({ ...SAVED, state: n }, { ...SAID, seqNum: n }),
      ),
    );
    assert.equal(answers.filter(({ inserted }) => inserted).length, 1);
    const [found, ...more] = await storage.listEvents('s');
    assert.equal(more.length, 0);
    assert.deepEqual(new Set(answers.map(({ seqNum }) => seqNum)), new Set([found!.seqNum]));
    assert.equal((await storage.listCheckpoints('s')).length, 1);
  });
}

function refusing(test: Case): void {
  test('saveCheckpointAndEvent: a Conflict stores neither', async (storage) => {
    await storage.saveCheckpoint({ ...SAVED, id: 'before' });
    await rejects(() => storage.saveCheckpointAndEvent(SAVED, SAID), 'CONFLICT');
    await rejects(() => storage.saveCheckpointAndEvent(SAVED), 'CONFLICT');
    assert.deepEqual(await both(storage), [['before'], []]);
    assert.deepEqual(await storage.saveCheckpointAndEvent({ ...SAVED, seqNum: 2 }, SAID), {
      inserted: true,
      seqNum: 7,
    });
    await rejects(
      () => storage.saveCheckpointAndEvent({ ...SAVED, seqNum: 1 }, { ...SAID, id: 'f' }),
      'CONFLICT',
    );
    assert.deepEqual(await both(storage), [['before', 'c'], ['e']]);
  });

  test('saveCheckpointAndEvent: what is refused of one stores neither', async (storage) => {
    const bads: readonly (readonly [string, unknown, unknown])[] = [
      ['checkpoint', undefined, SAID],
      ['checkpoint.state.a', { ...SAVED, state: { a: 1n } }, SAID],
      ['checkpoint.runId', { ...SAVED, runId: 7 }, SAID],
      ['event', SAVED, null],
      ['event', SAVED, 'e'],
      ['event.payload', SAVED, { ...SAID, payload: undefined }],
      ['event.type', SAVED, { ...SAID, type: 'a\0' }],
      ['event.seqNum', SAVED, { ...SAID, seqNum: 1.5 }],
    ];
    for (const [argument, saved, said] of bads) {
      await rejects(
        () => storage.saveCheckpointAndEvent(saved as typeof SAVED, said as typeof SAID),
        'INVALID_ARGUMENT',
        argument,
      );
    }
    assert.deepEqual(await both(storage), [[], []]);
  });
}

function ordering(test: Case): void {
  const { seqNum, ...unplaced } = SAID;

  test('saveCheckpointAndEvent: an event without a place takes the next', async (storage) => {
    assert.deepEqual(await storage.saveCheckpointAndEvent(SAVED, unplaced), { inserted: true, seqNum: 1 });
    assert.deepEqual(await storage.saveCheckpointAndEvent(SAVED, unplaced), { inserted: false, seqNum: 1 });
    const second = await storage.saveCheckpointAndEvent({ ...SAVED, seqNum: 2 }, { ...unplaced, id: 'f' });
    assert.deepEqual(second, { inserted: true, seqNum: 2 });
    assert.deepEqual(await both(storage), [['c'], ['e', 'f']]);
  });

  test('saveCheckpointAndEvent: a Conflict takes no place', async (storage) => {
    await storage.saveCheckpoint({ ...SAVED, id: 'before' });
    for (const id of ['e', 'f']) {
      await rejects(() => storage.saveCheckpointAndEvent(SAVED, { ...unplaced, id }), 'CONFLICT');
    }
    assert.deepEqual(await storage.appendEvent({ ...unplaced, id: 'g' }), { inserted: true, seqNum: 1 });
  });

  test('saveCheckpointAndEvent: where no place is left for the event, neither is stored', async (storage) => {
    await storage.appendEvent({ ...SAID, id: 'last', seqNum: 2 ** 53 - 1 });
    await storage.saveCheckpoint({ ...SAVED, id: 'before', seqNum: 2, state: 'before' });
    await rejects(() => storage.saveCheckpointAndEvent(SAVED, unplaced), 'CONFLICT');
    const replacing = { ...SAVED, id: 'before', seqNum: 2, state: 'after' };
    await rejects(() => storage.saveCheckpointAndEvent(replacing, unplaced), 'CONFLICT');
    assert.deepEqual(await both(storage), [['before'], ['last']]);
    assert.equal((await storage.getCheckpoint('before')).state, 'before');
  });

  test('saveCheckpointAndEvent: many at once take the places 1 to n', async (storage) => {
    const count = 12;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        storage.saveCheckpointAndEvent(checkpoint({ id: `c${n}`, seqNum: n }), { ...unplaced, id: `e${n}` }),
      ),
    );
    const places = answers.map((one) => one.seqNum!).toSorted((a, b) => a - b);
    assert.deepEqual(
      places,
      Array.from({ length: count }, (_, n) => n + 1),
    );
    assert.equal((await storage.listCheckpoints('s')).length, count);
  });
}

export const checkpointAndEvent: Topic = {
  cases: (test, supports: Conformance['supports']) => {
    storing(test);
    refusing(test);
    if (supports.order === true) ordering(test);
  },
};
