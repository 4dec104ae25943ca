import { describe, expect, it } from 'vitest';
import { stateOf } from '../../src/migrate/state.ts';
import { row } from './ledger.ts';

const A = 'chronos:0001_a';

/** Rows → ids in force and the half-done one. */
function told(...rows: Parameters<typeof stateOf>[0][]): [string[], string | null] {
  const { inForce, partial } = stateOf(rows.flat());
  const half =
    partial === null ? null : `${partial.id} ${partial.direction} ${partial.failed ? partial.step : '?'}`;
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

  it('does not let a paused process that wakes up undo what another finished', () => {
    const late = row(`up ${A} failed`, { step: 3, steps: 5 });
    const rows = [row(`up ${A} started`), row(`up ${A} started`), row(`up ${A} succeeded`), late];
    expect(told(rows)).toEqual([[A], null]);
  });
});
