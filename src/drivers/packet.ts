import { InvalidArgumentError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { Value } from './connection.ts';

/** What a statement's packet holds beside the text of its values: header, types, lengths. */
const OVERHEAD_EACH = 16;
const OVERHEAD = 64;

/**
 * Values as mysql2 takes them. What does not fit `max_allowed_packet` is refused here: the server would drop
 * the connection.
 */
export function packetSized(statement: Statement, values: Value[], maxPacket: number): unknown[] {
  let upperBound = OVERHEAD + values.length * OVERHEAD_EACH;
  const list: unknown[] = values;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (typeof value === 'string') upperBound += value.length * 3;
    else if (value instanceof Uint8Array) {
      upperBound += value.byteLength;
      list[i] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  }
  if (upperBound > maxPacket) refuseOversize(statement, values, maxPacket);
  return list;
}

function refuseOversize(statement: Statement, values: readonly Value[], maxPacket: number): void {
  const sizes = values.map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.byteLength : 8,
  );
  const total = sizes.reduce((sum, size) => sum + size, OVERHEAD + values.length * OVERHEAD_EACH);
  if (total <= maxPacket) return;
  const largest = sizes.indexOf(Math.max(...sizes));
  throw new InvalidArgumentError(
    statement.order[largest] ?? statement.name,
    `the statement ${statement.name} would be ${total} bytes, this alone ${sizes[largest]}; ` +
      `the server takes ${maxPacket}`,
    { hint: 'raise max_allowed_packet on the server, or send less at once' },
  );
}
