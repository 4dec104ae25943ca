import { afterAll, describe, expect, it } from 'vitest';
import { createMigrator, type Migrator, type MigratorOptions } from '../../src/migrate/index.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { execute } from './raw.ts';

const ROLE = `chronos_reader_${process.pid}`;
const PASSWORD = 'only-reads';
const IDS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const CREATE: PerLanguage<string> = {
  postgres: `create role ${ROLE} login password '${PASSWORD}'`,
  mysql: `create user ${ROLE} identified by '${PASSWORD}'`,
  sqlite: '',
};
const GRANTS: PerLanguage<(database: string) => string[]> = {
  postgres: () => [
    `grant usage on schema chronos to ${ROLE}`,
    `grant select on chronos.chronos_migration_log to ${ROLE}`,
  ],
  mysql: (database) => [`grant select on \`${database}\`.* to ${ROLE}`],
  sqlite: () => [],
};
const DROP: PerLanguage<string> = { postgres: `drop role ${ROLE}`, mysql: `drop user ${ROLE}`, sqlite: '' };

describe.each(variants.filter(({ serverUrl }) => serverUrl !== undefined))(
  '$name',
  ({ language, serverUrl = '', ...variant }) => {
    const cleanUp: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const task of cleanUp) await task();
    });

    it('serves a role that may only read, and tells it what it lacks', async () => {
      const { url, drop } = await variant.createDatabase('roles');
      await as(url, {}, (migrator) => migrator.up());
      await execute(serverUrl, CREATE[language]);
      cleanUp.push(drop, () => execute(serverUrl, DROP[language]));
      const reader = new URL(url);
      for (const grant of GRANTS[language](reader.pathname.slice(1))) await execute(url, grant);
      reader.username = ROLE;
      reader.password = PASSWORD;
      await as(reader.href, {}, async (migrator) => {
        expect(await migrator.status()).toMatchObject({ current: IDS, pending: [] });
        expect((await migrator.history()).length).toBeGreaterThanOrEqual(2);
        expect(await migrator.up()).toMatchObject({ applied: [], current: IDS });
      });
      const dir = await hostFolder({ '0001_a.up.sql': 'create table chronos.a (n int);' });
      await as(reader.href, { dir }, async (migrator) => {
        expect((await migrator.up({ dryRun: true })).steps.map(({ id }) => id)).toEqual(['app:0001_a']);
        const error = await migrator.up().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ reason: 'PRIVILEGE' });
        expect(JSON.stringify([String(error), error])).not.toContain(PASSWORD);
      });
    });
  },
);

async function as<T>(
  url: string,
  options: MigratorOptions,
  work: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  const migrator = createMigrator(url, options);
  try {
    return await work(migrator);
  } finally {
    await migrator.close();
  }
}
