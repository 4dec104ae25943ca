import type { DialectName } from '../../src/sql/dialect-name.ts';
import type { Statement } from '../../src/sql/statement.ts';
import type { Query } from './database.ts';

/** What a planner means to do with a statement. */
export interface Plan {
  /** Names of the indexes that it reads. */
  readonly indexes: readonly string[];
  /** Whether a column beyond the equal ones bounds the range that it reads. */
  readonly bounds: (column: string) => boolean;
  /** Whatever is not reading a range of an index in its order: sorts, scans of all. */
  readonly faults: readonly string[];
  /** The engine's own words, for a failing test. */
  readonly text: string;
}

export type PlanValues = Readonly<Record<string, string | number>>;

type Explain = (query: Query, text: string, values: readonly (string | number)[]) => Promise<readonly Plan[]>;

/** The plans of a statement with these values: on Postgres also the one that is kept for any values. */
export async function explain(
  query: Query,
  dialect: DialectName,
  statement: Statement,
  values: PlanValues,
): Promise<readonly Plan[]> {
  const list = statement.order.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${statement.name}: the test has no value for ${name}`);
    return value;
  });
  return await EXPLAIN[dialect](query, statement.text, list);
}

const EXPLAIN: Readonly<Record<DialectName, Explain>> = {
  postgres: explainPostgres,
  pglite: explainPostgres,
  mysql: explainMysql,
  mariadb: explainMysql,
  sqlite: explainSqlite,
};

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

/** `Result`: a limit that is a sub-select; the last two: a DELETE of what such a read finds. */
const POSTGRES_NODES = ['Limit', 'Result', 'Index Scan', 'Index Only Scan', 'ModifyTable', 'Tid Scan'];

async function explainPostgres(
  query: Query,
  text: string,
  values: readonly (string | number)[],
): Promise<Plan[]> {
  type Rows = { 'QUERY PLAN': [{ Plan: Node }] };
  const [own] = await query<Rows>(`explain (format json) ${text}`, values);
  // What a prepared statement comes to after five runs, when it looks no dearer: chosen without seeing the values.
  const literals = values.map((value) => `'${value}'`);
  await query('set plan_cache_mode = force_generic_plan');
  await query(`prepare read_order as ${text}`);
  const [generic] = await query<Rows>(`explain (format json) execute read_order (${literals})`);
  await query('deallocate read_order');
  return [own!, generic!].map((row) => postgresPlan(row['QUERY PLAN'][0].Plan));
}

function postgresPlan(root: Node): Plan {
  const nodes = flatten(root);
  return {
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    bounds: (column) => nodes.some((node) => node['Index Cond']?.includes(column)),
    faults: nodes.map((node) => node['Node Type']).filter((type) => !POSTGRES_NODES.includes(type)),
    text: JSON.stringify(root, null, 1),
  };
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

interface MysqlRow {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

/** What a read found, kept for the DELETE that joins it row by row. */
function isFound(table: string | null): boolean {
  return /^<derived\d+>$/.test(table ?? '');
}

async function explainMysql(
  query: Query,
  text: string,
  values: readonly (string | number)[],
): Promise<Plan[]> {
  const rows = await query<MysqlRow>(`explain format=traditional ${text}`, values);
  const faults = rows.flatMap(({ table, type, Extra }) => [
    ...(/^(ref|range|eq_ref)$/.test(type ?? '') || isFound(table) ? [] : [`access ${type}`]),
    ...(Extra?.match(/Using (filesort|temporary)/g) ?? []),
  ]);
  return [
    {
      indexes: rows.flatMap(({ type, key }) => (key === null || type === 'eq_ref' ? [] : key)),
      // `ref` reads all that equals; only `range` has a bound more.
      bounds: () => rows.some(({ type }) => type === 'range'),
      faults,
      text: JSON.stringify(rows, null, 1),
    },
  ];
}

const SQLITE_RANGE = /^SEARCH \w+ USING (?:COVERING )?INDEX (\w+) \((.*)\)$/;
/** A DELETE of what such a read finds. */
const SQLITE_BY_ADDRESS = /^(SEARCH \w+ USING INTEGER PRIMARY KEY \(rowid=\?\)|LIST SUBQUERY \d+)$/;

async function explainSqlite(
  query: Query,
  text: string,
  values: readonly (string | number)[],
): Promise<Plan[]> {
  const rows = await query<{ detail: string }>(`explain query plan ${text}`, values);
  const steps = rows.map((row) => SQLITE_RANGE.exec(row.detail));
  const fine = rows.map((row, at) => steps[at] !== null || SQLITE_BY_ADDRESS.test(row.detail));
  return [
    {
      indexes: steps.flatMap((step) => step?.[1] ?? []),
      bounds: (column) => steps.some((step) => step?.[2]?.includes(column)),
      faults: rows.flatMap((row, at) => (fine[at] ? [] : [row.detail])),
      text: rows.map((row) => row.detail).join('\n'),
    },
  ];
}
