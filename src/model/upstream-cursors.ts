import { InvalidCursorError } from '../errors.ts';
import { checkInteger, hasLoneSurrogate } from './check.ts';

/**
 * A place as a cursor of the Go package `storage` of Chronos writes it: base64url of its digits, without padding. Not a
 * cursor of our paged methods: those take back only their own `nextCursor`.
 *
 * @throws InvalidArgumentError when `seq` is not a whole number within ±(2^53−1).
 */
export function encodeSeqCursor(seq: number): string {
  return Buffer.from(String(checkInteger('seq', seq))).toString('base64url');
}

/**
 * The place in a cursor of {@link encodeSeqCursor}; `''` is 0. Not for a `nextCursor` of our paged methods.
 *
 * @throws InvalidCursorError when it is anything else.
 */
export function decodeSeqCursor(cursor: string): number {
  if (cursor === '') return 0;
  const text = bytesOf(cursor).toString('latin1');
  const seq = Number(text);
  if (!Number.isSafeInteger(seq) || String(seq) !== text) throw damaged();
  return seq;
}

/**
 * A text, say an id, as a cursor of the Go package `storage` of Chronos writes it: base64url of its UTF-8, without
 * padding. Not a cursor of our paged methods: those take back only their own `nextCursor`.
 */
export function encodeStrCursor(text: string): string {
  return utf8(text).toString('base64url');
}

/**
 * The text in a cursor of {@link encodeStrCursor}; `''` is `''`. Not for a `nextCursor` of our paged methods.
 *
 * @throws InvalidCursorError when it is anything else.
 */
export function decodeStrCursor(cursor: string): string {
  const bytes = bytesOf(cursor);
  const text = bytes
    .toString('latin1')
    .split(SURROGATE)
    .map((part, i) => (i % 2 === 0 ? Buffer.from(part, 'latin1').toString() : surrogate(part)))
    .join('');
  // Buffer reads what is not UTF-8 as U+FFFD.
  if (!utf8(text).equals(bytes)) throw damaged();
  return text;
}

/** The three bytes of a surrogate, in parentheses so that `split` keeps them. */
const SURROGATE = /(\xed[\xa0-\xbf][\x80-\xbf])/;

/** UTF-8, and the three bytes of its own for a surrogate without its partner, which `Buffer` would make U+FFFD. */
function utf8(text: string): Buffer {
  if (!hasLoneSurrogate(text)) return Buffer.from(text);
  return Buffer.concat(
    Array.from(text, (letter) => (hasLoneSurrogate(letter) ? three(letter) : Buffer.from(letter))),
  );
}

function three(letter: string): Buffer {
  const code = letter.charCodeAt(0);
  return Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
}

function surrogate(bytes: string): string {
  return String.fromCharCode(0xd000 | ((bytes.charCodeAt(1) & 0x3f) << 6) | (bytes.charCodeAt(2) & 0x3f));
}

/** Only the exact spelling: Node skips what is not base64url. */
function bytesOf(cursor: unknown): Buffer {
  if (typeof cursor !== 'string') throw damaged();
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) throw damaged();
  return bytes;
}

function damaged(): InvalidCursorError {
  return new InvalidCursorError(
    'the cursor is damaged, or was not made by encodeSeqCursor or encodeStrCursor',
  );
}
