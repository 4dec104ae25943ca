/** Values that JSON columns, drivers and parsers like to change. */
export const TRICKY: readonly unknown[] = [
  ...[{}, [], '', ' ', 0, -0, 1, -1, 1.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2],
  ...[true, false, null, 'null', '"', '\\', '\\u0000', "'", '$1', '?', ':a', '/', '</script>'],
  ...['\0', 'a\0b', '\u0001\u001f\u007f\u0080', '\b\f\n\r\t\v', '\u2028\u2029', '\ufeff', '\ufeffa'],
  ...['\ud800', '\udc00', 'a\ud800b', '😀', '😀'.slice(0, 1), '\u{10ffff}', '\uffff', 'é', 'e\u0301', '日本'],
  ...[
    {
      z: 1,
      a: 2,
      10: 3,
      9: 4,
      '': 5,
      ' ': 6,
      é: 7,
      'e\u0301': 8,
      '\0': 9,
      '\ud800': 10,
      '😀': 11,
      'a.b': 12,
      "'": 13,
    },
  ],
  ...[
    [null, [null], [[]], [{}], {}],
    { a: null },
    { a: {}, b: [], c: '' },
    { a: { b: { c: [1, { d: 2 }] } } },
  ],
  ...[JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3,"hasOwnProperty":4}')],
  ...['{"a":1}', '[1]', 'true', '1e21', 'NaN', 'x'.repeat(70_000), ['\\"'.repeat(3000)], '[{'.repeat(2000)],
];

/** What a field may be as a whole, and all of {@link TRICKY} inside one. */
export const WHOLES: readonly unknown[] = [
  ...['', 'null', '"', '\\u0000', '\0', '\ud800', '\ufeff', '\ufeffa', '{"a":1}', 'x'.repeat(70_000)],
  ...[0, -0, 1e21, 5e-324, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53, -(2 ** 53), 2 ** 53 + 2, 2 ** 63, 2 ** 64],
  ...[true, false, null, {}, [], TRICKY],
];

/** A value so many levels deep. */
export function nested(depth: number, leaf: unknown = 'deep'): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? { in: value } : [value];
  return value;
}
