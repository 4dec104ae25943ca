import { describe, expect, it } from 'vitest';
import { createMigrator } from '../../src/migrate/index.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';

const EVERYWHERE = [
  `insert into nowhere values ('hunter2')`,
  `creat table a (b varchar(9) default 'hunter2')`,
  `select 'a' 'hunter2' 'hunter2' from from`,
  `create table a (b int) 'hunter2'`,
  `insert into widgets values ('hunter2', 'hunter2', 'hunter2')`,
];
const BROKEN: PerLanguage<readonly string[]> = {
  postgres: [
    ...EVERYWHERE,
    `select 'it''s' hunter2 ''`,
    `values ("hunter2")`,
    `select 'hunter2'::int`,
    `select jsonb '{hunter2'`,
    `select 'hunter2'::date`,
    `do $$ begin raise exception 'hunter2'; end $$`,
    `do $$ begin perform 'hunter2'::int; end $$`,
    `alter role nobody_at_all passwort 'hunter2'`,
  ],
  mysql: [
    ...EVERYWHERE,
    `insert into widgets (id) values ('hunter2')`,
    `select 'it''s' hunter2 ''`,
    `select cast('{hunter2' as json) from nowhere where`,
    `signal sqlstate '45000' set message_text = 'hunter2'`,
    `create user x identifed by 'hunter2'`,
    `create user x identifed by "it's hunter2"`,
  ],
  sqlite: [
    ...EVERYWHERE,
    `select 'it''s' hunter2 ''`,
    `create trigger t before insert on widgets begin select raise(abort, 'hunter2'); end;
     insert into widgets values (1, 'a')`,
    `select json('{hunter2') from nowhere`,
  ],
};

describe.each(variants)('$name', (variant) => {
  it("says nothing of a file's literals when it fails", async () => {
    const database = await variant.createDatabase('secrets');
    const widgets = { '0001_widgets.up.sql': 'create table widgets (id int primary key, name varchar(50));' };
    const base = createMigrator(database.url, { dir: await hostFolder(widgets) });
    await base.up();
    await base.close();
    for (const sql of BROKEN[variant.language]) {
      const migrator = createMigrator(database.url, {
        dir: await hostFolder({ ...widgets, '0002_x.up.sql': sql }),
      });
      const error = await migrator.up().catch((thrown: unknown) => thrown);
      expect(error, sql).toMatchObject({ reason: 'MIGRATION_FAILED', migration: 'app:0002_x' });
      const last = (await migrator.history()).at(-1);
      expect(last, sql).toMatchObject({ event: 'failed', errorCode: expect.stringMatching(/\w/) });
      expect(JSON.stringify([String(error), Reflect.get(error as Error, 'hint'), last]), sql).not.toContain(
        'hunter2',
      );
      if (process.env.SHOW) console.log(String(error));
      await migrator.close();
    }
  });
});
