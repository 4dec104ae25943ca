import { isDeepStrictEqual } from 'node:util';
import type { ColumnShape, FunctionShape, IndexShape, NamedText, Shape, TableShape } from './shape.ts';

/** What two shapes of one thing may differ in. */
export type Aspect = 'type' | 'nullable' | 'collation' | 'fill';

/** `foreign` = there, and not ours; without `have` it is missing, else it is changed. */
interface Named<K extends string, S> {
  readonly of: K;
  readonly table: string;
  readonly name: string;
  readonly want?: S;
  readonly have?: S;
}

/** One thing that is not as the migrations make it. */
export type Difference =
  | Named<'table', TableShape>
  | (Named<'column', ColumnShape> & { readonly aspect?: Aspect })
  | Named<'primary key', readonly string[]>
  | Named<'index', IndexShape>
  | Named<'check', NamedText>
  | Named<'policy', NamedText>
  | Named<'trait', string>
  | Named<'function', FunctionShape>;

const ASPECTS: readonly Aspect[] = ['type', 'nullable', 'collation', 'fill'];

/** How a live shape differs from the one that the migrations make: a difference for each thing. */
export function differences(want: Shape, have: Shape): readonly Difference[] {
  return [
    ...pairs(want.tables, have.tables).flatMap((pair) => tableDifferences(pair)),
    ...pairs(want.functions, have.functions)
      .filter((pair) => !isDeepStrictEqual(pair.want, pair.have))
      .map((pair): Difference => ({ of: 'function', table: pair.name, ...pair })),
  ];
}

interface Pair<S> {
  readonly name: string;
  readonly want?: S;
  readonly have?: S;
}

/** What is wanted and what is there, by name; what is wanted first. */
function pairs<S extends { readonly name: string }>(want: readonly S[], have: readonly S[]): Pair<S>[] {
  const found = new Map(have.map((one) => [one.name, one]));
  const wanted = new Set(want.map(({ name }) => name));
  return [
    ...want.map((one) => {
      const other = found.get(one.name);
      return { name: one.name, want: one, ...(other && { have: other }) };
    }),
    ...have.filter(({ name }) => !wanted.has(name)).map((one) => ({ name: one.name, have: one })),
  ];
}

function tableDifferences({ name: table, want, have }: Pair<TableShape>): Difference[] {
  if (want === undefined || have === undefined) {
    return [{ of: 'table', table, name: table, ...(want && { want }), ...(have && { have }) }];
  }
  const key = {
    of: 'primary key',
    table,
    name: 'primary key',
    want: want.primaryKey,
    have: have.primaryKey,
  } as const;
  return [
    ...pairs(want.columns, have.columns).flatMap((pair) => columnDifferences(table, pair)),
    ...(isDeepStrictEqual(want.primaryKey, have.primaryKey) ? [] : [key]),
    ...unequal(want.indexes, have.indexes).map((pair): Difference => ({ of: 'index', table, ...pair })),
    ...unequal(have.checks === null ? [] : (want.checks ?? []), have.checks ?? []).map(
      (pair): Difference => ({ of: 'check', table, ...pair }),
    ),
    ...unequal(want.policies, have.policies).map((pair): Difference => ({ of: 'policy', table, ...pair })),
    ...traitDifferences(table, want, have),
  ];
}

function unequal<S extends { readonly name: string }>(want: readonly S[], have: readonly S[]): Pair<S>[] {
  return pairs(want, have).filter((pair) => !isDeepStrictEqual(pair.want, pair.have));
}

function columnDifferences(table: string, { name, want, have }: Pair<ColumnShape>): Difference[] {
  if (want === undefined || have === undefined) {
    return [{ of: 'column', table, name, ...(want && { want }), ...(have && { have }) }];
  }
  // Another type brings another collation along: it is told once.
  const aspects = ASPECTS.filter((aspect) => want[aspect] !== have[aspect]);
  return aspects
    .filter((aspect) => aspect !== 'collation' || !aspects.includes('type'))
    .map((aspect) => ({ of: 'column', table, name, want, have, aspect }));
}

function traitDifferences(table: string, want: TableShape, have: TableShape): Difference[] {
  return Object.entries(want.traits)
    .filter(([name, value]) => have.traits[name] !== value)
    .map(([name, value]) => ({
      of: 'trait',
      table,
      name,
      want: value,
      have: have.traits[name] ?? 'unknown',
    }));
}
