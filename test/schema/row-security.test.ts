import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variants } from '../variants.ts';
import { type Database, openDatabase } from './database.ts';
import { migrateUp } from './migrated.ts';

const INSERT = "insert into chronos_event_heads values ('acme', 's', 1)";
const COUNT = 'select count(*)::int as count from chronos_event_heads';

const FILES = resolve(import.meta.dirname, '../../migrations/postgres');

describe('the migrations of Postgres', () => {
  it('enable row-level security, with the policy, on every table that they make', async () => {
    for (const file of (await readdir(FILES)).filter((name) => name.endsWith('.up.sql'))) {
      const text = await readFile(join(FILES, file), 'utf8');
      const tables = (form: RegExp) => [...text.matchAll(form)].map(([, table]) => table);
      const made = tables(/^create table \{\{schema\}\}\.(\w+)/gm);
      expect(tables(/^alter table \{\{schema\}\}\.(\w+) enable row level security;/gm), file).toEqual(made);
      expect(tables(/^create policy \w+ on \{\{schema\}\}\.(\w+)/gm), file).toEqual(made);
      const ofTenants = made.filter((table) => table !== 'chronos_vector_collections');
      expect(tables(/^create policy chronos_tenant on \{\{schema\}\}\.(\w+)/gm), file).toEqual(ofTenants);
    }
  });
});

describe.each(variants.filter(({ language }) => language === 'postgres'))(
  'row-level security on $name',
  ({ createDatabase }) => {
    let database: Database;

    const tenant = (id: string) =>
      database.query('select set_config($1, $2, true)', ['chronos.tenant_id', id]);
    const count = async () => (await database.query<{ count: number }>(COUNT))[0]?.count;

    beforeAll(async () => {
      database = await openDatabase((await createDatabase('security')).url);
      await migrateUp(database.target);
    });
    afterAll(() => database.close());

    it('shows and takes rows of the named tenant only, and none without a name', async () => {
      // Rolled back, the role with it: roles belong to the whole server.
      await database.query('begin');
      await database.query(INSERT);
      await database.query('create role chronos_row_security_test');
      await database.query('grant usage on schema chronos to chronos_row_security_test');
      await database.query('grant select, insert on chronos_event_heads to chronos_row_security_test');
      await database.query('set local role chronos_row_security_test');
      expect(await count()).toBe(0);
      await tenant('');
      expect(await count()).toBe(0);
      await tenant('other');
      expect(await count()).toBe(0);
      await database.query(INSERT.replace('acme', 'other'));
      expect(await count()).toBe(1);
      await tenant('acme');
      expect(await count()).toBe(1);
      await expect(database.query(INSERT.replace('acme', 'third'))).rejects.toMatchObject({ code: '42501' });
      await database.query('rollback');
    });
  },
);
