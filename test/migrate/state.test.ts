import { describe, expect, it } from 'vitest';
import { stateOf } from '../../src/migrate/state.ts';
import { row } from './ledger.ts';

const A = 'chronos:0001_a';

/** Rows → ids in force and the half-done one. */
function told(...rows: Parameters<typeof stateOf>[0][]): [string[], string | null] {
  const { inForce, partial } = stateOf(rows.flat());
  const half =
    partial === null
      ? null
      : `${partial.id} ${partial.direction} ${partial.failure === null ? '?' : partial.done + 1}`;
  return [[...inForce.keys()], half];
}

describe('state', () => {
  it('is nothing without a log', () => expect(told([])).toEqual([[], null]));

  it('takes what succeeded, in order of application', () => {
    const rows = [
      'up app:0001_x',
      'up chronos:0001_a',
      'up chronos:0002_b',
      'down chronos:0001_a',
      'up chronos:0001_a',
    ];
    expect(told(rows.map((words) => row(`${words} succeeded`)))).toEqual([
      ['app:0001_x', 'chronos:0002_b', 'chronos:0001_a'],
      null,
    ]);
  });

  it('takes a baselined one as in force', () =>
    expect(told([row(`up ${A} baselined`)])).toEqual([[A], null]));

  it('does not count a failure', () => {
    expect(told([row(`up ${A} failed`)])).toEqual([[], null]);
    expect(told([row(`up ${A} succeeded`), row(`down ${A} failed`)])).toEqual([[A], null]);
  });

  it('keeps why an `up` failed last that left nothing, until the next row of it', () => {
    const failed = (...words: string[]) => [
      ...stateOf(words.map((each) => row(`${each}`, each.endsWith('failed') ? { errorMessage: 'no' } : {})))
        .failed,
    ];
    const up = [A, 'no'];
    expect(failed(`up ${A} failed`)).toEqual([up]);
    expect(failed(`up ${A} failed`, 'up app:0001_x succeeded')).toEqual([up]);
    expect(failed(`up ${A} failed`, `up ${A} succeeded`)).toEqual([]);
    expect(failed(`up ${A} failed`, `up ${A} started`)).toEqual([]);
    expect(failed(`up ${A} succeeded`, `down ${A} failed`)).toEqual([]);
    expect(failed(`up ${A} failed`, `up ${A} baselined`)).toEqual([]);
    expect(failed(`up ${A} succeeded`, `up ${A} failed`)).toEqual([]);
    expect(stateOf([row(`up ${A} failed`, { errorCode: 'INTERRUPTED' })]).failed.size).toBe(0);
    expect([
      ...stateOf([row(`up ${A} started`), row(`up ${A} failed`, { step: 3, steps: 5 })]).failed,
    ]).toEqual([]);
  });

  it('sees a start without an end', () => {
    expect(told([row(`up ${A} started`)])).toEqual([[], `${A} up ?`]);
    expect(told([row(`up ${A} succeeded`), row(`down ${A} started`)])).toEqual([[A], `${A} down ?`]);
    expect(told([row(`up ${A} started`), row(`up ${A} succeeded`)])).toEqual([[A], null]);
    expect(told([row(`up ${A} started`), row(`up ${A} failed`, { step: 1, steps: 3 })])).toEqual([[], null]);
  });

  it('sees a failure half way, also after another try failed sooner', () => {
    const half = [row(`up ${A} started`), row(`up ${A} failed`, { step: 3, steps: 5 })];
    expect(told(half)).toEqual([[], `${A} up 3`]);
    const again = [row(`up ${A} started`), row(`up ${A} failed`, { step: 1, steps: 5 })];
    expect(told(half, again)).toEqual([[], `${A} up 1`]);
    expect(told(half, again, again)).toEqual([[], `${A} up 1`]);
    expect(told(half, again, [row(`up ${A} started`), row(`up ${A} succeeded`)])).toEqual([[A], null]);
  });

  describe('that is logged statement by statement', () => {
    const B = 'app:0002_b';
    const step = (event: string, n: number, facts: object = {}) =>
      row(`up ${B} ${event}`, { step: n, steps: 5, ...facts });
    const partial = (...rows: Parameters<typeof stateOf>[0][number][]) => stateOf(rows).partial;

    it('is done up to its last step, in doubt after a start', () => {
      expect(partial(row(`up ${B} started`))).toMatchObject({ done: 0, doubt: null });
      const two = [row(`up ${B} started`), step('step', 1), step('started', 2), step('step', 2)];
      expect(partial(...two)).toMatchObject({ done: 2, doubt: null, steps: 5 });
      expect(partial(...two, step('started', 3))).toMatchObject({ done: 2, doubt: 3 });
      expect(partial(...two, step('started', 3), row(`up ${B} started`))).toMatchObject({ doubt: 3 });
    });

    it('is where its failure left it', () => {
      const rows = [row(`up ${B} started`), step('step', 1), step('started', 2)];
      const failed = step('failed', 2, { errorMessage: 'no' });
      expect(partial(...rows, failed)).toMatchObject({ done: 1, doubt: null, failure: 'no' });
      expect(partial(row(`up ${B} started`), step('started', 1), step('failed', 1))).toBe(null);
    });

    it('is settled by a person', () => {
      const rows = [row(`up ${B} started`), step('step', 1), step('started', 2)];
      expect(partial(...rows, step('repaired', 2))).toMatchObject({ done: 2, doubt: null });
      expect(partial(...rows, step('repaired', 1))).toMatchObject({ done: 1, doubt: null });
      expect(partial(...rows, step('repaired', 0))).toBe(null);
      expect(told([...rows, row(`up ${B} repaired`)])).toEqual([[B], null]);
      const failed = step('failed', 2, { errorMessage: 'no' });
      expect(partial(...rows, failed, step('repaired', 2))).toMatchObject({ done: 2, failure: null });
    });
  });

  it('does not let a paused process that wakes up undo what another finished', () => {
    const late = row(`up ${A} failed`, { step: 3, steps: 5 });
    const rows = [row(`up ${A} started`), row(`up ${A} started`), row(`up ${A} succeeded`), late];
    expect(told(rows)).toEqual([[A], null]);
  });
});
