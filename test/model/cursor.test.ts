import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidCursorError } from '../../src/errors.ts';
import { decodeCursor, encodeCursor } from '../../src/model/cursor.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n😀';
const positions = fc.record({ at: fc.maxSafeInteger(), id: fc.string({ unit: 'binary', minLength: 1 }) });

describe('cursors', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(positions, fc.constantFrom('forward', 'backward'), (position, direction) => {
        const cursor = encodeCursor('listEventsPaged', direction, position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor('listEventsPaged', direction, cursor)).toEqual(position);
      }),
    );
  });

  it('are refused after any change of one character', () => {
    fc.assert(
      fc.property(
        positions,
        fc.nat(),
        fc.constantFrom(...ALPHABET),
        fc.constantFrom('set', 'add', 'cut'),
        (position, n, letter, how) => {
          const cursor = encodeCursor('m', 'forward', position);
          const at = n % cursor.length;
          const damaged =
            cursor.slice(0, at) + (how === 'cut' ? '' : letter) + cursor.slice(how === 'add' ? at : at + 1);
          fc.pre(damaged !== cursor);
          expect(() => decodeCursor('m', 'forward', damaged)).toThrow(InvalidCursorError);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are refused by another method and the other direction, with a message that says which', () => {
    const cursor = encodeCursor('listEventsPaged', 'forward', { at: 1, id: 'x' });
    expect(() => decodeCursor('listSessionsPaged', 'forward', cursor)).toThrow(/another method/);
    expect(() => decodeCursor('listEventsPaged', 'backward', cursor)).toThrow(/other direction/);
  });

  it('absent or empty mean the first page', () => {
    expect(decodeCursor('m', 'forward', undefined)).toBeUndefined();
    expect(decodeCursor('m', 'forward', '')).toBeUndefined();
  });
});
