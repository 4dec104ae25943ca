/** Texts that the usual collations, normal forms, trimming and decoders take for one another. */
export const TELLING: readonly string[] = [
  ...['a', 'A', 'b', 'a ', 'a  ', ' a', 'a\t', 'a\n', 'a\u00a0', 'ａ', '\u0001', '\u001a', '\\', '%', "'"],
  ...['é', 'e\u0301', 'É', 'ß', 'ss', 'ı', 'i', 'I', 'İ', 'æ', '\u00c5', 'A\u030a', '\u212b', '1', '①'],
  ...[
    '\ufeff',
    '\ufeffa',
    'a\ufeff',
    'a\u200b',
    '\ud7ff',
    '\uffff',
    '😀',
    '👩‍👩‍👧',
    '\u{10ffff}',
    'null',
    '{a,b}',
  ],
];

/** All that ids are tried with: {@link TELLING} and more. */
export const TEXTS: readonly string[] = [
  ...TELLING,
  ...['B', 'z', 'Z', '0', '9', '10', '-', '_', '?', '$1', ':a', '"', '`', '\\n'],
  ...['a\r\n', '\u007f', '\u0085', 'ê', 'SS', 'ẞ', 'ä', 'ae', 'ﬁ', 'fi'],
  ...['\u200b', '\u202ea', '²', '２', '\ue000', '\ufffd', '𝒜', '日本', '中', 'ไ', 'א'],
  ...['NULL', 'true', '{}', '[]', '"a"', 'DROP TABLE', '0x41', '1e3', '__proto__', 'constructor'],
  ...['x'.repeat(255), '😀'.repeat(255), 'é'.repeat(255), `${'x'.repeat(254)} `],
];

/** What no text field and no text argument takes. */
export const NO_TEXTS: readonly unknown[] = [
  ...['a\0b', '\0', '\ud800', 'a\udc00b', '😀\ud83d'],
  ...[null, 7, 1n, true, {}, ['a'], Symbol('a'), new String('a')],
];

/** A text of so many code points, each of two UTF-16 units and four bytes. */
export function wide(codePoints: number): string {
  return '😀'.repeat(codePoints);
}
