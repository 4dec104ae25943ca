/**
 * For each process that may open a PGlite: optimizing its nine megabytes of code takes longer than the few statements that a
 * process here runs save by it.
 */
export const NODE_FLAGS: readonly string[] = ['--liftoff-only'];
