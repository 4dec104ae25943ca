import assert from 'node:assert/strict';
import type { Embedding, Filter } from '../index.ts';
import { idsOf, rejects } from './expect.ts';
import { ONE, type VectorCase, type VectorTopic } from './vector-suite.ts';

/** Metadata of every type at `v`, by the id of its row. */
const ROWS: Readonly<Record<string, Embedding['metadata']>> = {
  none: undefined,
  empty: {},
  null: { v: null },
  true: { v: true },
  false: { v: false },
  zero: { v: 0 },
  one: { v: 1 },
  three: { v: 3 },
  big: { v: 2 ** 60 },
  half: { v: 0.5 },
  'text 3': { v: '3' },
  'text true': { v: 'true' },
  'text null': { v: 'null' },
  'text a': { v: 'a' },
  'text B': { v: 'B' },
  'text é': { v: 'é' },
  'text 😀': { v: '😀' },
  'text ff': { v: '\uffff' },
  'list 3': { v: [3] },
  'list mixed': { v: [1, 'a', null, [3], { x: 1 }] },
  'list empty': { v: [] },
  object: { v: { x: 1, y: [2] } },
  deep: { v: { x: { '': 'end' } } },
};

const ALL = Object.keys(ROWS);
const but = (...ids: readonly string[]) => ALL.filter((id) => !ids.includes(id));
const MISSING = ['none', 'empty'];
const NUMBERS = ['zero', 'one', 'three', 'big', 'half'];

/** The truth table: a filter and the rows that it lets pass. */
const TABLE: readonly (readonly [Filter, readonly string[]])[] = [
  [{}, ALL],
  [{ v: 3 }, ['three']],
  [{ v: '3' }, ['text 3']],
  [{ v: true }, ['true']],
  [{ v: null }, ['null']],
  [{ v: 2 ** 60 }, ['big']],
  [{ v: { $eq: 0.5 } }, ['half']],
  [{ v: { $eq: null } }, ['null']],
  [{ v: -0 }, ['zero']],
  [{ v: { y: [2], x: 1 } }, ['object']],
  [{ v: { x: 1 } }, []],
  [{ v: [3] }, ['list 3']],
  [{ v: [] }, ['list empty']],
  [{ v: {} }, []],
  [{ v: { $ne: 3 } }, but('three')],
  [{ v: { $ne: null } }, but('null')],
  [{ v: { $in: [3, 'a', null, [3]] } }, ['null', 'three', 'text a', 'list 3']],
  [{ v: { $in: [1] } }, ['one']],
  [{ v: { $in: [] } }, []],
  [{ v: { $nin: [3, 'a', null] } }, but('three', 'text a', 'null')],
  [{ v: { $nin: [] } }, ALL],
  [{ v: { $exists: true } }, but(...MISSING)],
  [{ v: { $exists: false } }, MISSING],
  [{ v: { $gt: 0.5 } }, ['one', 'three', 'big']],
  [{ v: { $gte: 0.5 } }, ['half', 'one', 'three', 'big']],
  [{ v: { $lt: 1 } }, ['zero', 'half']],
  [{ v: { $lte: 2 ** 60 } }, NUMBERS],
  [{ v: { $lt: 2 ** 60 } }, ['zero', 'one', 'three', 'half']],
  [{ v: { $gt: '' } }, ALL.filter((id) => id.startsWith('text'))],
  [{ v: { $gt: 'B' } }, ['text true', 'text null', 'text a', 'text é', 'text 😀', 'text ff']],
  [{ v: { $gte: '\uffff' } }, ['text 😀', 'text ff']],
  [{ v: { $gt: 0, $lt: 3 } }, ['one', 'half']],
  [{ v: { $contains: 3 } }, ['list 3']],
  [{ v: { $contains: 1 } }, ['list mixed']],
  [{ v: { $contains: '3' } }, []],
  [{ v: { $contains: null } }, ['list mixed']],
  [{ v: { $contains: [3] } }, ['list mixed']],
  [{ v: { $contains: { x: 1 } } }, ['list mixed']],
  [{ v: { $contains: {} } }, []],
  [{ v: { $not: { $gt: 0 } } }, but('one', 'three', 'big', 'half')],
  [{ v: { $not: 3 } }, but('three')],
  [{ 'v.x': 1 }, ['object']],
  [{ 'v.x.': 'end' }, ['deep']],
  [{ 'v.y': { $contains: 2 } }, ['object']],
  [{ 'v.0': 3 }, []],
  [{ 'v.x.y': { $exists: false } }, ALL],
  [{ w: { $exists: true } }, []],
  [{ $and: [] }, ALL],
  [{ $or: [] }, []],
  [{ $and: [{ v: { $gt: 0 } }, { v: { $lt: 3 } }] }, ['one', 'half']],
  [{ $or: [{ v: 1 }, { v: 'a' }] }, ['one', 'text a']],
  [{ $not: { v: { $exists: true } } }, MISSING],
  [{ $not: {} }, []],
  [{ v: 3, $or: [{ v: 3 }, { v: 1 }] }, ['three']],
  [{ v: 3, $not: { v: 3 } }, []],
];

function truth(test: VectorCase): void {
  test('the truth table', async (vectors) => {
    const rows = ALL.map((id) => ({ id, vector: [1], ...(ROWS[id] && { metadata: ROWS[id] }) }));
    await vectors.upsert(ONE, rows);
    for (const [filter, expected] of TABLE) {
      const found = await vectors.search(ONE, [1], 100, { filter });
      assert.deepEqual(idsOf(found).toSorted(), expected.toSorted(), JSON.stringify(filter));
    }
  });

  test('names of members are data, whatever is in them', async (vectors) => {
    const names = [
      '"',
      "'",
      '\\',
      '$',
      '$[0]',
      '#',
      '?',
      '$1',
      'a b',
      'é',
      '\u{1F600}',
      '\u0001',
      '__proto__',
      '*',
      '{',
      '%s',
    ];
    for (const [i, name] of names.entries()) {
      await vectors.upsert(ONE, [
        { id: String(i), vector: [i], metadata: JSON.parse(`{${JSON.stringify(name)}:{"in":${i}}}`) },
      ]);
    }
    for (const [i, name] of names.entries()) {
      if (name.startsWith('$')) continue;
      const filter = JSON.parse(`{${JSON.stringify(`${name}.in`)}:${i}}`) as Filter;
      assert.deepEqual(idsOf(await vectors.search(ONE, [0], 10, { filter })), [String(i)], name);
    }
  });

  test('values are data, whatever is in them', async (vectors) => {
    const values = ["' or 1=1 --", '"}', '\\', '{a,b}', '$1', '?', '\u0001', '%', '_', '\uFEFF', 'null'];
    await vectors.upsert(
      ONE,
      values.map((v, i) => ({ id: String(i), vector: [1], metadata: { v, list: [v] } })),
    );
    for (const [i, v] of values.entries()) {
      for (const filter of [{ v }, { v: { $in: [v, 'x'] } }, { list: { $contains: v } }, { list: [v] }]) {
        const found = await vectors.search(ONE, [1], 10, { filter });
        assert.deepEqual(idsOf(found), [String(i)], JSON.stringify(filter));
      }
      const between = await vectors.search(ONE, [1], 10, { filter: { v: { $gte: v, $lte: v } } });
      assert.deepEqual(idsOf(between), [String(i)]);
    }
  });
}

/** Filters that can never work, and what their errors name. */
const WRONG: readonly (readonly [unknown, string])[] = [
  [null, 'filter'],
  ['v', 'filter'],
  [[], 'filter'],
  [{ $nor: [] }, 'filter.$nor'],
  [{ $and: {} }, 'filter.$and'],
  [{ $or: [1] }, 'filter.$or[0]'],
  [{ $not: 1 }, 'filter.$not'],
  [{ v: undefined }, 'filter.v'],
  [{ v: Number.NaN }, 'filter.v'],
  [{ v: 1n }, 'filter.v'],
  [{ v: { $regex: 'x' } }, 'filter.v.$regex'],
  [{ v: { $toString: 'x' } }, 'filter.v.$toString'],
  [{ v: { $gt: 1, x: 1 } }, 'filter.v'],
  [{ v: { $gt: null } }, 'filter.v.$gt'],
  [{ v: { $lte: [1] } }, 'filter.v.$lte'],
  [{ v: { $gt: true } }, 'filter.v.$gt'],
  [{ v: { $in: 3 } }, 'filter.v.$in'],
  [{ v: { $in: [undefined] } }, 'filter.v.$in[0]'],
  [{ v: { $exists: 1 } }, 'filter.v.$exists'],
  [{ v: 'a\0' }, 'filter.v'],
  [{ v: { $contains: '\ud800' } }, 'filter.v.$contains'],
  [{ 'a\0': 1 }, 'filter.a\0'],
];

function refusals(test: VectorCase): void {
  test('a filter that can never work is refused with its path', async (vectors) => {
    for (const [filter, argument] of WRONG) {
      await rejects(
        () => vectors.search(ONE, [1], 1, { filter: filter as Filter }),
        'INVALID_ARGUMENT',
        argument,
      );
    }
  });

  test('a filter beyond all reason is refused, a long one works', async (vectors) => {
    let deep: Filter = { v: 1 };
    for (let level = 0; level < 200; level += 1) deep = { $not: deep };
    await rejects(() => vectors.search(ONE, [1], 1, { filter: deep }), 'INVALID_ARGUMENT', 'filter');
    const many = { $or: Array.from({ length: 1001 }, (_, v) => ({ v })) };
    await rejects(() => vectors.search(ONE, [1], 1, { filter: many }), 'INVALID_ARGUMENT', 'filter');
    await vectors.upsert(ONE, [{ id: 'a', vector: [1], metadata: { v: 7 } }]);
    for (const word of ['$or', '$and']) {
      const list = Array.from({ length: 999 }, (_, v) => (word === '$or' ? { v } : { v: 7 }));
      const twice = { $not: { $not: { [word]: list.slice(2) } } };
      for (const filter of [{ [word]: list }, twice] as Filter[]) {
        assert.equal((await vectors.search(ONE, [1], 1, { filter })).length, 1);
      }
    }
    const path = (names: number) => Array(names).fill('a').join('.');
    const over = { $or: Array.from({ length: 126 }, (_, v) => ({ [path(80)]: { $gt: v } })) };
    for (const filter of [{ [path(101)]: 1 }, { v: 1, [path(30_000)]: 1 }, { $not: over }]) {
      await rejects(() => vectors.search(ONE, [1], 1, { filter }), 'INVALID_ARGUMENT', 'filter');
    }
    for (const condition of [1, { $gt: 1 }, { $contains: 1 }, { $exists: true }]) {
      const longest = { $or: [{ v: 7 }, { [path(100)]: condition }] };
      assert.equal((await vectors.search(ONE, [1], 1, { filter: longest })).length, 1);
    }
    const most = { $or: [{ v: 7 }, ...Array.from({ length: 900 }, (_, v) => ({ [path(11)]: { $gt: v } }))] };
    assert.equal((await vectors.search(ONE, [1], 1, { filter: most })).length, 1);
    const listed = { v: { $in: Array.from({ length: 20_000 }, (_, v) => v) } };
    assert.equal((await vectors.search(ONE, [1], 1, { filter: listed })).length, 1);
  });
}

export const vectorFilters: VectorTopic = (test) => {
  truth(test);
  refusals(test);
};
