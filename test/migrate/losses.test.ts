import { describe, expect, it } from 'vitest';
import { EMBEDDED } from '../../src/migrate/embedded.ts';
import type { MigrationEngine } from '../../src/migrate/engines/engine.ts';
import { filled, quoted } from '../../src/migrate/engines/placeholders.ts';
import { lossLines } from '../../src/migrate/losses.ts';
import type { Step } from '../../src/migrate/plan.ts';
import { destroyed } from '../../src/migrate/text/destroyed.ts';
import { file } from './ledger.ts';

describe('what a text destroys', () => {
  it('is the tables and whatever else takes data away', () => {
    const sql = `-- drop table c;
      drop table "a b"."c"; DROP TABLE IF EXISTS d, e cascade; drop index f; drop table "x;y", "p,q", "o'b";
      alter table g drop column h; alter table g add column i int; delete from j where k = 'l'; truncate m;`;
    expect(destroyed(sql, 'postgres')).toEqual({
      tables: ['"a b"."c"', 'd', 'e', '"x;y"', '"p,q"', `"o'b"`],
      others: ['alter table g drop column h', "delete from j where k = ''", 'truncate m'],
    });
  });

  it('takes nothing for a table that is no name, and says it all the same', () => {
    expect(destroyed('drop table a; drop table b where (select 1)', 'sqlite')).toEqual({
      tables: ['a'],
      others: ['drop table b where (select 1)'],
    });
  });

  it.each(['`a;b`', '[a;b]', '"a`b"'])('knows the quotes of SQLite: %s', (name) => {
    expect(destroyed(`drop table ${name};`, 'sqlite').tables).toEqual([name]);
  });

  it('reads the placeholder as a name', () => {
    expect(destroyed('drop table {{schema}}.a; delete from {{schema}}.b', 'postgres')).toEqual({
      tables: ['{{schema}}.a'],
      others: ['delete from {{schema}}.b'],
    });
  });
});

describe.each(["o'brien", 'x;y', '$$', 'a$b$', '--', '/*', 'a"b', '{{bin_collation}}', '{{schema}}'])(
  'in a schema named %s',
  (schema) => {
    const step: Step = {
      migration: { ...file('chronos:0001_ledger'), down: EMBEDDED.postgres['0001_ledger.down.sql'] ?? '' },
      direction: 'down',
      partial: null,
    };
    const asked: string[] = [];
    const engine: Partial<MigrationEngine> = {
      dialectName: 'postgres',
      sql: (one) => filled(one, 'postgres', schema),
      rowsIn: (table) => Promise.resolve(asked.push(table)),
    };

    it('the losses are told', async () => {
      const lines = await lossLines(engine as MigrationEngine, [step]);
      expect(lines).toHaveLength(6);
      expect(asked[0]).toBe(`${quoted(schema)}.chronos_checkpoints`);
      expect(lines[0]).toBe(`chronos:0001_ledger: drops ${asked[0]} with 1 row`);
    });

    it('tables without rows are one line, also of several steps', async () => {
      const empty = { ...engine, rowsIn: async (table: string) => (table.endsWith('_events') ? 3 : 0) };
      const lines = await lossLines(empty as MigrationEngine, [step, step]);
      const events = `chronos:0001_ledger: drops ${quoted(schema)}.chronos_events with 3 rows`;
      expect(lines).toEqual([events, events, 'drops 10 empty tables']);
    });

    it('the placeholder is filled once', () => {
      const one = { ...step, migration: { ...step.migration, down: '{{schema}} {{bin_collation}}' } };
      expect(filled(one, 'mysql', schema)).toBe(`${quoted(schema)} utf8mb4_0900_bin`);
    });
  },
);
