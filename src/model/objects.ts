import { types } from 'node:util';
import { ChronosError, InvalidArgumentError } from '../errors.ts';

/**
 * Whether an object is of the language's own classes, of any realm. What such a one holds is no member of it: it would
 * pass as one that says nothing.
 */
export function isBuiltIn(value: object): boolean {
  return (
    types.isMap(value) ||
    types.isSet(value) ||
    types.isDate(value) ||
    types.isPromise(value) ||
    types.isRegExp(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isBoxedPrimitive(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isGeneratorObject(value) ||
    ArrayBuffer.isView(value)
  );
}

/** Whether an object was written as a literal, in any realm, or has members of its own, as a caller's class may give. */
export function saysSomething(value: object): boolean {
  const above: unknown = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above) === null || Object.keys(value).length > 0;
}

/** Reads what a caller gave: what a getter or a proxy of theirs throws is told with the place. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ChronosError) throw cause;
    throw new InvalidArgumentError(path, 'cannot be read: it threw', { cause });
  }
}
