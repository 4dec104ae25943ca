import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../src/errors.ts';
import { jsonText } from '../../src/model/json.ts';

function argumentOf(value: unknown): string {
  try {
    jsonText('payload', value);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.argument;
    throw error;
  }
  return 'written';
}

function brackets(depth: number, leaf: string): unknown {
  return JSON.parse('['.repeat(depth) + leaf + ']'.repeat(depth));
}

describe('jsonText', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        expect(jsonText('payload', value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('counts levels, not brackets inside text', () => {
    const text = '[{"\\\\"}]'.repeat(3000);
    expect(argumentOf(brackets(999, JSON.stringify([text])))).toBe('written');
    expect(argumentOf(brackets(1000, JSON.stringify([text])))).toBe('payload');
    expect(argumentOf({ '[[': '\\', '{{': `${text}\\` })).toBe('written');
    expect(argumentOf(new Array(5000).fill([[]]))).toBe('written');
  });

  it('finds a BigInt wherever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(20), fc.string({ minLength: 1 })), { minLength: 1, maxLength: 8 }),
        (path) => {
          let value: unknown = 1n;
          let name = '';
          for (const step of path.toReversed()) {
            if (typeof step === 'number') {
              value = Array.from({ length: step + 1 }, (_, n) => (n === step ? value : n));
              name = `[${step}]${name}`;
            } else {
              value = Object.fromEntries([
                ['before', 1],
                [step, value],
              ]);
              name =
                (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`) + name;
            }
          }
          expect(argumentOf(value)).toBe(`payload${name}`);
        },
      ),
    );
  });

  it('keeps a BigInt that a host taught to be JSON', () => {
    const value = Object.assign(Object.create({ toJSON: () => 'nine' }), { n: 9n });
    expect(jsonText('payload', [value])).toBe('["nine"]');
  });

  it('names a getter that throws', () => {
    const value = {
      get broken() {
        throw new Error('no');
      },
    };
    expect(argumentOf({ a: value })).toBe('payload.a.broken');
  });
});
