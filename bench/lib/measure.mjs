/**
 * @typedef {object} Row
 * @property {string} path what was measured
 * @property {string} unit `ms`, or `×` for a ratio to the raw driver in the same run
 * @property {number} median
 * @property {number} min
 * @property {number} max
 * @property {number} rounds
 * @property {number} target the median must not be above it
 * @property {number} [floor] the same by hand: where it is above the target itself, what ours may not exceed is 1.15 times it
 */

/**
 * @param {number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = /** @type {number} */ (sorted[middle]);
  return sorted.length % 2 === 1 ? upper : (upper + /** @type {number} */ (sorted[middle - 1])) / 2;
}

/**
 * @param {Row} row
 * @returns {number} what the median must not be above
 */
export function bound({ target, floor = 0 }) {
  return floor > target ? floor * 1.15 : target;
}

/**
 * @param {string} path
 * @param {string} unit
 * @param {number} target
 * @param {number[]} values one a round
 * @returns {Row}
 */
export function row(path, unit, target, values) {
  return {
    path,
    unit,
    target,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    rounds: values.length,
  };
}
