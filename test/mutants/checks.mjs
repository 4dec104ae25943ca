/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const checks = [
  {
    name: 'lengths-in-utf-16-units',
    file: 'src/model/check.ts',
    find: 'if (text.length <= max) return false;',
    replace: 'if (text.length >= 0) return text.length > max;',
  },
  {
    name: 'nul-allowed',
    file: 'src/model/check.ts',
    find: "if (value.includes('\\0')) throw new InvalidArgumentError(path, 'must not hold NUL (U+0000)');",
    replace: '',
  },
  {
    name: 'lone-surrogates-allowed',
    file: 'src/model/check.ts',
    find: "if (hasLoneSurrogate(value)) throw new InvalidArgumentError(path, 'must not hold a lone surrogate');",
    replace: '',
  },
  {
    name: 'empty-ids-allowed',
    file: 'src/model/check.ts',
    find: "if (column.filled && value === '') throw",
    replace: 'if (column.filled && value === path) throw',
  },
  {
    name: 'year-10000-allowed',
    file: 'src/model/check.ts',
    find: 'if (ms < EARLIEST || ms > LATEST) {',
    replace: 'if (ms < EARLIEST) {',
  },
  {
    name: 'inexact-numbers-allowed',
    file: 'src/model/check.ts',
    find: '!Number.isSafeInteger(value)',
    replace: '!Number.isInteger(value)',
  },
  {
    name: 'minus-zero-kept',
    file: 'src/model/check.ts',
    find: 'return value === 0 ? 0 : value;',
    replace: 'return value;',
  },
  {
    name: 'json-of-any-depth',
    file: 'src/model/json.ts',
    find: 'if (depth > max) return true;',
    replace: 'if (depth > 2 * max) return true;',
  },
  {
    name: 'ids-of-one-millisecond-not-growing',
    file: 'src/model/ids.ts',
    find: 'counter += 1;',
    replace: 'counter ^= 1;',
  },
  {
    name: 'absent-moment-is-1970',
    file: 'src/sql/rows.ts',
    find: '? dialect.time(now)',
    replace: '? dialect.time(0)',
  },
];
