import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EARLIEST, LATEST } from '../../src/model/check.ts';
import { timeText } from '../../src/sql/time-text.ts';

describe('timeText', () => {
  it('is what toISOString writes, over the whole range, in any sequence', () => {
    const moments = fc.array(fc.integer({ min: EARLIEST, max: LATEST }), { minLength: 1 });
    fc.assert(
      fc.property(moments, (list) => {
        for (const ms of list) expect(`${timeText(ms, 'T')}Z`).toBe(new Date(ms).toISOString());
      }),
    );
    for (const day of [EARLIEST, -86_400_000, 0, 1_709_164_800_000, LATEST + 1 - 86_400_000]) {
      for (const ms of [day, day + 1, day + 86_399_999, day - 1].filter((at) => at >= EARLIEST)) {
        expect(`${timeText(ms, 'T')}Z`).toBe(new Date(ms).toISOString());
      }
    }
  });
});
