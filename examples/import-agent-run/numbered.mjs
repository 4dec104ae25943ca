/**
 * The number of what stands at an index, so that ids made of it sort as they count.
 * @param {number} index
 */
export function numbered(index) {
  return String(index + 1).padStart(4, '0');
}
