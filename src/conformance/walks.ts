import assert from 'node:assert/strict';
import type { Direction, Storage } from '../index.ts';
import { byCodePoint, idsOf, type Walked, walk } from './expect.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { WALKERS, type Walker } from './walkers.ts';

const IDS = ['b', 'a', 'B', 'é', 'e', '😀', '￿', 'A', '10', '9', 'z', 'x'];
const DIRECTIONS = ['forward', 'backward'] as const;

/** 12 rows, five to a place where rows may share one; their ids in the list method's order. */
async function filled(storage: Storage, { add, ties, ascending }: Walker): Promise<readonly string[]> {
  const placeOf = (n: number): number => 10 * (ties ? Math.floor(n / 5) : n);
  await Promise.all(IDS.map((id, n) => add(storage, id, placeOf(n))));
  const upward = IDS.map((id, n) => ({ id, place: placeOf(n) })).toSorted(
    (a, b) => a.place - b.place || byCodePoint(a.id, b.id),
  );
  return idsOf(ascending ? upward : upward.toReversed());
}

interface Walking {
  readonly size: number;
  readonly direction: Direction;
  /** Runs after each page. */
  readonly between?: (page: number) => Promise<void>;
}

function walked(
  storage: Storage,
  walker: Walker,
  { size, direction, between }: Walking,
): Promise<Walked<{ readonly id: string }>> {
  let page = 0;
  return walk(async (cursor) => {
    const found = await walker.page(storage, { size, cursor, direction });
    await between?.(page++);
    return found;
  });
}

function sizes(test: Case, walker: Walker): void {
  const { method, page, list } = walker;

  test(`${method}: every page size, both directions, in the list's own order`, async (storage) => {
    const all = await filled(storage, walker);
    assert.deepEqual(idsOf(await list(storage)), all);
    for (let size = 1; size <= all.length + 1; size += 1) {
      for (const direction of DIRECTIONS) {
        const { records, sizes: found } = await walked(storage, walker, { size, direction });
        const wanted = direction === 'forward' ? all : all.toReversed();
        assert.deepEqual(idsOf(records), wanted, `pages of ${size}, ${direction}`);
        assert.equal(found.length, Math.ceil(all.length / size), `no empty page after those of ${size}`);
      }
    }
    const { records } = await page(storage, {});
    assert.deepEqual(records, await list(storage));
  });

  test(`${method}: limit absent or ≤ 0 is 100; none has one empty page`, async (storage) => {
    for (const direction of DIRECTIONS) {
      assert.deepEqual(await page(storage, { direction }), { records: [], nextCursor: '' });
    }
    const ids = Array.from({ length: 101 }, (_, n) => `id${String(n).padStart(3, '0')}`);
    await Promise.all(ids.map((id, n) => walker.add(storage, id, n)));
    for (const size of [undefined, 0, -7, 100]) {
      const first = await page(storage, { size });
      assert.equal(first.records.length, 100);
      const second = await page(storage, { size, cursor: first.nextCursor });
      assert.deepEqual([second.records.length, second.nextCursor], [1, '']);
    }
  });
}

function disturbed(test: Case, walker: Walker, supports: Conformance['supports']): void {
  const { method, add, ties, ascending } = walker;

  test(`${method}: rows written between pages disturb no others`, async (storage) => {
    const all = await filled(storage, walker);
    for (const direction of DIRECTIONS) {
      const added: string[] = [];
      const put = async (place: number): Promise<void> => {
        const id = `+${direction}${added.length}`;
        added.push(id);
        await add(storage, id, place);
      };
      const between = async (page: number): Promise<void> => {
        if (page >= 3) return;
        const off = page + (direction === 'forward' ? 1 : 4);
        for (const place of [-off, ties ? 10 : 10 + off, 1000 + off]) await put(place);
      };
      const { records } = await walked(storage, walker, { size: 3, direction, between });
      const seen = idsOf(records);
      assert.equal(new Set(seen).size, seen.length, 'none is repeated');
      const old = seen.filter((id) => !id.startsWith('+'));
      assert.deepEqual(old, direction === 'forward' ? all : all.toReversed());
      const upward = ascending === (direction === 'forward');
      const ahead = added.filter((_, n) => n % 3 === (upward ? 2 : 0));
      assert.deepEqual(
        ahead.filter((id) => !seen.includes(id)),
        [],
        'what is written ahead is seen',
      );
      const behind = added.filter((_, n) => n % 3 === (upward ? 0 : 2));
      assert.deepEqual(
        behind.filter((id) => seen.includes(id)),
        [],
        'what is written behind is not',
      );
    }
  });

  if (walker.needs && supports[walker.needs] !== true) return;
  test(`${method}: rows removed between pages, the cursor's own too, disturb no others`, async (storage) => {
    const remove = (place: number) => async (page: number) => {
      if (page === 0) await walker.removeBelow(storage, place);
    };
    const [up, down] = ascending ? DIRECTIONS : DIRECTIONS.toReversed();
    for (const direction of [up!, down!]) {
      const all = await filled(storage, walker);
      const upward = ascending ? all : all.toReversed();
      // The first page upward ends below place 10, or 40 where no rows share one.
      const between = remove(ties ? 10 : 50);
      const { records } = await walked(storage, walker, { size: 4, direction, between });
      const left = upward.slice(5);
      assert.deepEqual(
        idsOf(records),
        direction === up ? [...upward.slice(0, 4), ...left] : left.toReversed(),
      );
      await walker.removeBelow(storage, 1000);
    }
  });
}

export const walks: Topic = {
  needs: 'pages',
  cases: (test, supports) => {
    for (const walker of WALKERS) {
      sizes(test, walker);
      disturbed(test, walker, supports);
    }
  },
};
