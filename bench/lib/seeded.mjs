/**
 * Numbers from 0 to 1, the same in each run: mulberry32.
 * @param {number} seed
 */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Vectors around so many centres, as embeddings of texts on so many subjects are.
 * @param {() => number} random
 * @param {number} clusters
 * @param {number} dimension
 */
export function clustered(random, clusters, dimension) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: dimension }, normal));
  return () => {
    const cluster = Math.floor(random() * clusters);
    const centre = /** @type {Float32Array} */ (centres[cluster]);
    return { cluster, vector: centre.map((one) => one + 0.5 * normal()) };
  };
}
