/**
 * Whether a value is an object that has all of these keys.
 * @param {unknown} value
 * @param {...string} keys
 */
export function has(value, ...keys) {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value);
}
