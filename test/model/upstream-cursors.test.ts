import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSeqCursor,
  decodeStrCursor,
  encodeSeqCursor,
  encodeStrCursor,
  InvalidArgumentError,
  InvalidCursorError,
  openStorage,
} from '../../src/index.ts';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('cursors of the Go package', () => {
  it('are base64url without padding, as Go writes them', () => {
    expect(encodeSeqCursor(0)).toBe('MA');
    expect(encodeSeqCursor(42)).toBe('NDI');
    expect(encodeSeqCursor(-7)).toBe('LTc');
    expect(encodeStrCursor('evt-001')).toBe('ZXZ0LTAwMQ');
    expect(encodeStrCursor('é😀')).toBe('w6nwn5iA');
    expect(encodeStrCursor('~~~???')).toBe('fn5-Pz8_');
    expect(encodeStrCursor('')).toBe('');
  });

  it('empty is the beginning', () => {
    expect(decodeSeqCursor('')).toBe(0);
    expect(decodeStrCursor('')).toBe('');
  });

  it('every whole number that JavaScript counts exactly comes back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seq) => {
        expect(encodeSeqCursor(seq)).toMatch(/^[\w-]+$/);
        expect(decodeSeqCursor(encodeSeqCursor(seq))).toBe(seq);
      }),
    );
    for (const seq of [0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(decodeSeqCursor(encodeSeqCursor(seq))).toBe(seq);
    }
    expect(decodeSeqCursor(encodeSeqCursor(-0))).toBe(0);
  });

  it.each([fc.string({ unit: 'binary' }), anyText])('every text comes back (%#)', (texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(encodeStrCursor(text)).toMatch(/^[\w-]*$/);
        expect(decodeStrCursor(encodeStrCursor(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
    for (const text of ['\0', '\ufeff', '\ufffd', '\ud800', '\udfff\ud800', 'a\udbff', '\ud83d\ude00']) {
      expect(decodeStrCursor(encodeStrCursor(text))).toBe(text);
    }
  });

  it('whatever text is given: it is what it was made of, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        for (const [decode, encode] of [
          [decodeSeqCursor, encodeSeqCursor],
          [decodeStrCursor, encodeStrCursor],
        ] as const) {
          let found: unknown;
          try {
            found = decode(text);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidCursorError);
            continue;
          }
          if (text !== '') expect(encode(found as never)).toBe(text);
        }
      }),
      { numRuns: 1000 },
    );
  });

  const base64url = (text: string | readonly number[]): string =>
    Buffer.from(text as string).toString('base64url');

  it.each([
    ['not base64url', '!'],
    ['with padding', 'NDI='],
    ['base64 of another alphabet', 'fn5+Pz8/'],
    ['bits left over', 'NDJ'],
    ['a line break', 'ND\nI'],
    ['no number', base64url('abc')],
    ['an empty number', base64url(' ')],
    ['a sign', base64url('+1')],
    ['zeros in front', base64url('007')],
    ['−0', base64url('-0')],
    ['a fraction', base64url('1.5')],
    ['an exponent', base64url('1e3')],
    ['beyond 2^53', base64url('9007199254740993')],
    ['no string', 42 as unknown as string],
    ['nothing', undefined as unknown as string],
  ])('a place that is garbage is refused: %s', (_, cursor) => {
    expect(() => decodeSeqCursor(cursor)).toThrow(InvalidCursorError);
  });

  it.each([
    ['not base64url', '%%'],
    ['with padding', 'YQ=='],
    ['no UTF-8', base64url([0xff])],
    ['half a letter', base64url([0xf0, 0x9f, 0x98])],
    ['a letter in too many bytes', base64url([0xc0, 0x80])],
    ['a pair of surrogates in six bytes', base64url([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80])],
    ['no string', null as unknown as string],
  ])('a text that is garbage is refused: %s', (_, cursor) => {
    expect(() => decodeStrCursor(cursor)).toThrow(InvalidCursorError);
  });

  it('what is no whole number is refused', () => {
    for (const seq of [1.5, Number.NaN, 2 ** 53, '1', undefined]) {
      expect(() => encodeSeqCursor(seq as number)).toThrow(InvalidArgumentError);
    }
  });

  it('are not cursors of our pages, and the other way round', async () => {
    const storage = await openStorage('sqlite::memory:');
    try {
      await storage.migrate();
      await storage.appendEvents([1, 2].map((n) => ({ id: `${n}`, sessionId: 's', type: 't', payload: n })));
      const { nextCursor } = await storage.listEventsPaged('s', undefined, 1);
      expect(() => decodeSeqCursor(nextCursor)).toThrow(InvalidCursorError);
      await expect(storage.listEventsPaged('s', undefined, 1, encodeSeqCursor(1))).rejects.toThrow(
        InvalidCursorError,
      );
    } finally {
      await storage.close();
    }
  });
});
