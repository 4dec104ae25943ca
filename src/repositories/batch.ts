import type { Values } from '../drivers/connection.ts';
import { checkEach, checkObject } from '../model/check.ts';

/**
 * The rows of a batch in input order. All of them before anything is sent: one that is refused leaves nothing, and
 * what the caller changes later is not seen. `encodeOne` is given the record, the prefix of its fields' paths, and
 * the one moment that missing times stand for.
 */
export function batchOf<T>(
  name: string,
  records: readonly T[],
  encodeOne: (record: T, prefix: string, now: number) => Values,
): readonly Values[] {
  const now = Date.now();
  return checkEach(name, records, (record, at) => {
    const path = `${name}[${at}]`;
    checkObject(path, record);
    return encodeOne(record as T, `${path}.`, now);
  });
}
