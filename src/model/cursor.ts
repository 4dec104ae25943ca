import { createHash } from 'node:crypto';
import { InvalidCursorError } from '../errors.ts';
import type { Direction } from './results.ts';

/** The place of a row in an order: a whole number (a place, or milliseconds), then its id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

const VERSION = 1;
const CHECK_BYTES = 6;

function check(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECK_BYTES);
}

/** An opaque page cursor: base64url without padding. `method` and `direction` are the only ones that take it back. */
export function encodeCursor(method: string, direction: Direction, position: Position): string {
  const body = Buffer.from(JSON.stringify([VERSION, method, direction, position.at, position.id]));
  return Buffer.concat([check(body), body]).toString('base64url');
}

/** The position inside a cursor, or `undefined` for `''` and absent: the first page. */
export function decodeCursor(method: string, direction: Direction, cursor: unknown): Position | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const [version, ofMethod, ofDirection, at, id] = opened(cursor);
  if (version !== VERSION) throw damaged();
  if (ofMethod !== method) throw new InvalidCursorError(`the cursor is of another method than ${method}`);
  if (ofDirection !== direction) throw new InvalidCursorError('the cursor is of the other direction');
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || typeof id !== 'string') throw damaged();
  return { at, id };
}

function damaged(): InvalidCursorError {
  return new InvalidCursorError('the cursor is damaged, or was not made by this library');
}

function opened(cursor: unknown): readonly unknown[] {
  if (typeof cursor !== 'string') throw damaged();
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(CHECK_BYTES);
  // Node skips what is not base64url; only the exact spelling is ours.
  if (bytes.toString('base64url') !== cursor || !check(body).equals(bytes.subarray(0, CHECK_BYTES))) {
    throw damaged();
  }
  try {
    const parts: unknown = JSON.parse(body.toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // A checksum that fits a text that is not JSON was forged.
  }
  throw damaged();
}
