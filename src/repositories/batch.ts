import type { Values } from '../drivers/connection.ts';
import { checkEach } from '../model/check.ts';

/**
 * The rows of a batch in input order. All of them before anything is sent: one that is refused leaves nothing, and
 * what the caller changes later is not seen. `encodeOne` is given the record, its path, and the one moment that missing
 * times stand for.
 */
export function batchOf<T>(
  name: string,
  records: readonly T[],
  encodeOne: (record: T, path: string, now: number) => Values,
): readonly Values[] {
  const now = Date.now();
  return checkEach(name, records, (record, at) => encodeOne(record as T, `${name}[${at}]`, now));
}
