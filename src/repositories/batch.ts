import type { Values } from '../drivers/connection.ts';
import { checkList, checkObject } from '../model/check.ts';

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
  const list = checkList(name, records);
  const now = Date.now();
  const rows: Values[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const path = `${name}[${index}]`;
    checkObject(path, list[index]);
    rows.push(encodeOne(list[index] as T, `${path}.`, now));
  }
  return rows;
}
