import type { Language } from '../../src/sql/dialect-name.ts';
import type { Query } from './database.ts';
import { moment, TENANT } from './ledger-data.ts';

/** Rows in each table of {@link insertMany}. */
export const ROWS = 100_000;

/** What the languages write differently: texts of SQL expressions. */
interface Words {
  readonly concat: (text: string, number: string) => string;
  /** Number `n` in five digits. */
  readonly padded: (n: string) => string;
  /** So many times 100 ms after the start. */
  readonly time: (n: string) => string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  postgres: {
    concat: (text, n) => `'${text}' || (${n})`,
    padded: (n) => `lpad((${n})::text, 5, '0')`,
    time: (n) =>
      `timestamptz ${moment('postgres', 0).replace(/'$/, "Z'")} + (${n}) * interval '100 milliseconds'`,
  },
  mysql: {
    concat: (text, n) => `concat('${text}', ${n})`,
    padded: (n) => `lpad(${n}, 5, '0')`,
    time: (n) => `timestampadd(microsecond, (${n}) * 100000, cast(${moment('mysql', 0)} as datetime(3)))`,
  },
  sqlite: {
    concat: (text, n) => `'${text}' || (${n})`,
    padded: (n) => `printf('%05d', ${n})`,
    time: (n) => `${moment('sqlite', 0)} + (${n}) * 100`,
  },
};

const DIGITS =
  '(select 0 as d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)';
const NUMBERS = `select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
  from ${DIGITS} as a cross join ${DIGITS} as b cross join ${DIGITS} as c cross join ${DIGITS} as e cross join ${DIGITS} as f`;

/** Half of the rows are in ten large sessions, the rest spread over 990 others. */
function columns(language: Language): Readonly<Record<string, readonly string[]>> {
  const { concat, padded, time } = WORDS[language];
  const id = padded('(n * 7919) % 100000');
  const owner = 'case when n < 50000 then n % 10 else 10 + n % 990 end';
  const session = concat('session-', padded(owner));
  const head = [`'${TENANT}'`, id];
  return {
    chronos_memory: [
      ...head,
      session,
      concat('agent-', 'n % 3'),
      'null',
      concat('kind-', 'n % 4'),
      concat('key-', 'n % 50'),
      "'{}'",
      time('n'),
    ],
    chronos_audit_logs: [...head, session, "'actor'", "'action'", "'resource'", 'null', time('n')],
    chronos_traces: [...head, session, 'null', "'name'", "'node'", 'null', 'null', 'null', time('n'), 'null'],
    chronos_checkpoints: [...head, session, "'run'", "'node'", "'{}'", 'n', time('n')],
  };
}

/** {@link ROWS} rows of one tenant in every table of records but sessions and events. */
export async function insertMany(query: Query, language: Language): Promise<void> {
  for (const [table, list] of Object.entries(columns(language))) {
    const values =
      language === 'postgres' ? list.map((value) => (value === "'{}'" ? `${value}::json` : value)) : list;
    await query(`insert into ${table} select ${values.join(', ')} from (${NUMBERS}) as numbers`);
    await query(`${language === 'mysql' ? 'analyze table' : 'analyze'} ${table}`);
  }
}
