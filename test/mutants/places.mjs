/** @import { Mutant } from './mutant.mjs' */

/** @type {readonly Mutant[]} */
export const places = [
  {
    name: 'repeats-take-places',
    file: 'src/repositories/heads.ts',
    find: 'if (inserted < placed.length) throw new Repeats(inserted);',
    replace: '',
  },
  {
    name: 'repeats-leave-a-gap',
    file: 'src/repositories/heads.ts',
    find: 'return yield* transaction(() => placeOrGiveBack(backing, keep, rest, expected));',
    replace: 'return yield* placeOrGiveBack(backing, keep, rest, expected);',
  },
  {
    name: 'repeats-leave-the-head-grown',
    file: 'src/repositories/heads.ts',
    find: 'for (const one of taken) yield* giveBack(statements(backing.dialect), one);',
    replace: '',
  },
  {
    name: 'expected-seq-unchecked',
    file: 'src/repositories/places.ts',
    find: 'if (expected !== undefined && expected !== before) throw new Unexpected(before);',
    replace: '',
  },
  {
    name: 'batch-stored-in-part-passes',
    file: 'src/repositories/heads.ts',
    find: 'if (expected !== undefined && stored.size > 0) throw',
    replace: 'if (expected === Number.NaN) throw',
  },
  {
    name: 'replay-of-a-batch-is-a-conflict',
    file: 'src/repositories/heads.ts',
    find: 'if (placed instanceof Unexpected && before.size < rest.length) {',
    replace: 'if (placed instanceof Unexpected) {',
  },
  {
    name: 'given-places-move-the-head',
    file: 'src/repositories/places.ts',
    find: 'const greatest = isNew ? Number((yield* row(last, { ...key, limit: 1 }))?.seq_num ?? 0) : before;',
    replace: 'const greatest = Number((yield* row(last, { ...key, limit: 1 }))?.seq_num ?? 0);',
  },
  {
    name: 'first-place-is-one-whatever-is-stored',
    file: 'src/repositories/places.ts',
    find: 'const greatest = isNew ? Number((yield* row(last, { ...key, limit: 1 }))?.seq_num ?? 0) : before;',
    replace: 'const greatest = before;',
  },
  {
    name: 'first-place-below-zero',
    file: 'src/repositories/places.ts',
    find: 'const below = Math.max(greatest, 0);',
    replace: 'const below = greatest;',
  },
  {
    name: 'head-not-kept-above-what-is-stored',
    file: 'src/repositories/places.ts',
    find: 'if (isNew && first > 1) yield*',
    replace: 'if (isNew && first < 0) yield*',
  },
  {
    name: 'place-beyond-what-is-counted-exactly',
    file: 'src/repositories/places.ts',
    find: 'if (below + count > Number.MAX_SAFE_INTEGER) throw new NoPlace();',
    replace: '',
  },
  {
    name: 'room-of-repeats-counted',
    file: 'src/repositories/heads.ts',
    find: 'if (placed instanceof NoPlace && before.size === 0) {',
    replace: 'if (placed instanceof NoPlace && before.size < rest.length) {',
  },
  {
    name: 'repeat-answers-the-given-place',
    file: 'src/repositories/events.ts',
    find: 'return { inserted: false, seqNum: placeOf(stored) };',
    replace: 'return { inserted: false, seqNum: placeOf(values) };',
  },
  {
    name: 'expected-seq-over-several-sessions',
    file: 'src/repositories/events.ts',
    find: 'if (batch.some(({ session_id }) => session_id !== batch[0]?.session_id)) {',
    replace: 'if (batch.some(({ session_id }) => session_id === undefined)) {',
  },
  {
    name: 'expected-seq-with-given-places',
    file: 'src/repositories/events.ts',
    find: 'if (!assigned) {\n    throw',
    replace: 'if (batch.length < 0) {\n    throw',
  },
  {
    name: 'mixed-batch-passes',
    file: 'src/repositories/events.ts',
    find: 'if (given < 0) return true;',
    replace: 'if (given < 0 || without >= 0) return true;',
  },
];
