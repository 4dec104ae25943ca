import { afterAll, describe, expect, it } from 'vitest';
import { parseAccount } from '../../src/migrate/grants/mysql.ts';
import { type PerLanguage, type Variant, variants } from '../variants.ts';
import { asUser, migrating, runAll, runMend } from './migrating.ts';
import { columnOf, execute } from './raw.ts';

const PASSWORD = 'only-for-tests';
/** Whatever a name may hold. */
const ODD = `o'd"d ñ\`$1;--${process.pid}`;
const SCHEMA: PerLanguage<string> = { postgres: 'chronos.', mysql: '', sqlite: '' };
const QUOTED: PerLanguage<(role: string) => string> = {
  postgres: (role) => `"${role.replaceAll('"', '""')}"`,
  mysql: (role) => `\`${role.replaceAll('`', '``')}\`@\`%\``,
  sqlite: (role) => role,
};
const NOW: PerLanguage<string> = { postgres: 'now()', mysql: 'utc_timestamp(3)', sqlite: '0' };
const CREATE: PerLanguage<string> = {
  postgres: `login password '${PASSWORD}'`,
  mysql: `identified by '${PASSWORD}'`,
  sqlite: '',
};

const cleanUp: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const task of cleanUp.reverse()) await task();
});

async function createRole({ language }: Variant, url: string, role: string): Promise<string> {
  const quoted = QUOTED[language](role);
  const word = language === 'mysql' ? 'user' : 'role';
  await execute(url, `create ${word} ${quoted} ${CREATE[language]}`);
  cleanUp.push(async () => {
    if (language === 'postgres') await execute(url, `drop owned by ${quoted}`);
    await execute(url, `drop ${word} ${quoted}`);
  });
  return quoted;
}

function expectRefused(work: Promise<unknown>, reason: string): Promise<void> {
  return expect(work).rejects.toMatchObject({ reason });
}

const withRoles = variants.filter(({ language }) => language !== 'sqlite');

describe.each(withRoles)('up({ grantTo }) on $name', (variant) => {
  const { language } = variant;

  it('refuses a role that is not there before it touches anything', async () => {
    const { url } = await variant.createDatabase('grant');
    await migrating(url, {}, async (migrator) => {
      const refused = {
        code: 'INVALID_ARGUMENT',
        reason: 'USAGE',
        hint: expect.stringMatching(/create (role|user)|make/),
      };
      for (const grantTo of [`nobody_${process.pid}`, 'public', '%', 'current_user']) {
        await expect(migrator.up({ grantTo })).rejects.toMatchObject(refused);
      }
      await expectRefused(migrator.up({ grantTo: '' }), 'USAGE');
      expect(await migrator.history()).toEqual([]);
    });
  });

  it('gives any role what a service needs, twice, and on the log no more than reading', async () => {
    const { url } = await variant.createDatabase('grant');
    const role = `${ODD}${variant.name.slice(-3)}`;
    const other = `other_${process.pid}_${variant.name}`;
    for (const name of [role, other]) await createRole(variant, url, name);
    await migrating(url, {}, async (migrator) => {
      const dry = await migrator.up({ grantTo: role, dryRun: true });
      expect(dry.grants?.length).toBeGreaterThan(3);
      expect(await migrator.history()).toEqual([]);
      const first = await migrator.up({ grantTo: role });
      expect(first).toMatchObject({ pending: [], grants: dry.grants });
      expect(await migrator.up({ grantTo: role })).toMatchObject({ applied: [], grants: dry.grants });
      if (language === 'postgres') expect((await migrator.verify({ appRole: role })).checks).toEqual([]);
    });
    if (variant.serverUrl === undefined) return;
    const own = asUser(url, role, PASSWORD);
    const table = `${SCHEMA[language]}chronos_sessions`;
    const values = `('acme', 's', 'a', 'open', ${NOW[language]}, ${NOW[language]})`;
    await runAll(own, [
      'begin',
      ...(language === 'postgres' ? ["select set_config('chronos.tenant_id', 'acme', true)"] : []),
      `insert into ${table} (tenant_id, id, agent_id, status, created_at, updated_at) values ${values}`,
      `update ${table} set status = 'done' where tenant_id = 'acme'`,
      `delete from ${SCHEMA[language]}chronos_event_heads where tenant_id = 'acme'`,
      'commit',
    ]);
    expect(await columnOf(url, `select status from ${table}`)).toBe('done');
    await migrating(own, {}, async (migrator) => {
      expect((await migrator.history()).length).toBeGreaterThanOrEqual(2);
      expect(await migrator.up()).toMatchObject({ applied: [], pending: [] });
      expect((await migrator.verify()).checks).toEqual([]);
    });
    for (const text of [
      `delete from ${SCHEMA[language]}chronos_migration_log`,
      `drop table ${table}`,
      `create table ${SCHEMA[language]}mine (n int)`,
    ]) {
      await expectRefused(execute(own, text), 'PRIVILEGE');
    }
    await expectRefused(
      migrating(own, {}, (migrator) => migrator.up({ grantTo: other })),
      'PRIVILEGE',
    );
  });

  it('may be asked for by many at once', async () => {
    const { url } = await variant.createDatabase('grant');
    const role = `at_once_${process.pid}_${variant.name}`.slice(-31);
    await createRole(variant, url, role);
    const times = variant.serverUrl === undefined ? 1 : 4;
    const runs = Array.from({ length: times }, () =>
      migrating(url, {}, (migrator) => migrator.up({ grantTo: role })),
    );
    for (const { pending, grants } of await Promise.all(runs)) {
      expect(pending).toEqual([]);
      expect(grants).not.toEqual([]);
    }
  });
});

/** Of all tables in the order of their names, and of the verbs in the order in which people name them. */
const LACKED_BY_A_READER = [
  'usage of the schema',
  ...['audit_logs', 'checkpoints', 'event_heads', 'events', 'memory'].map(
    (table) => `select, insert, update, delete on chronos_${table}`,
  ),
  'select on chronos_migration_log',
  'insert, update, delete on chronos_sessions',
  ...['traces', 'vector_collections'].map((table) => `select, insert, update, delete on chronos_${table}`),
  'execute of chronos_append_event',
];

describe.each(variants.filter(({ language }) => language === 'postgres'))(
  'the grants on $name',
  (variant) => {
    it('are verified for each role that has some, and the log too', async () => {
      const { url } = await variant.createDatabase('grants');
      const app = `app_${process.pid}_${variant.name}`;
      const quoted = await createRole(variant, url, app);
      await createRole(variant, url, `reader_${app}`);
      const verify = (appRole?: string) =>
        migrating(url, {}, (migrator) => migrator.verify(appRole === undefined ? {} : { appRole }));
      await migrating(url, {}, (migrator) => migrator.up({ grantTo: app }));
      await runAll(url, [
        `revoke insert, delete on chronos.chronos_events from ${quoted}`,
        `revoke usage on schema chronos from ${quoted}`,
        `grant insert on chronos.chronos_migration_log to ${quoted}`,
        `grant select on chronos.chronos_sessions to "reader_${app}"`,
        'revoke execute on all functions in schema chronos from public',
      ]);
      const { checks, reason } = await verify();
      expect(reason).toBe('DRIFT');
      expect(checks.map(({ level, subject, message }) => `${level} ${subject}: ${message}`)).toEqual([
        `fail role ${app}: lacks usage of the schema; insert, delete on chronos_events`,
        `warn role ${app}: may insert on chronos_migration_log, which a service only reads`,
        `warn role reader_${app}: only reads; for a service it lacks ${LACKED_BY_A_READER.join('; ')}`,
      ]);
      expect((await verify(`reader_${app}`)).reason).toBe('DRIFT');
      for (const { mend } of checks) await runMend(url, 'postgres', mend);
      expect((await verify()).checks).toEqual([]);
      await expectRefused(verify('nobody at all'), 'USAGE');
    });

    it('are not for the roles of Postgres itself', async () => {
      const { url } = await variant.createDatabase('predefined');
      await migrating(url, {}, async (migrator) => {
        for (const grantTo of ['pg_read_all_data', 'pg_write_all_data', 'pg_monitor', 'pg_nowhere']) {
          await expect(migrator.up({ grantTo })).rejects.toMatchObject({
            code: 'INVALID_ARGUMENT',
            reason: 'USAGE',
            message: expect.stringContaining('of Postgres itself'),
            hint: expect.stringContaining('the service connects as'),
          });
        }
        expect(await migrator.history()).toEqual([]);
      });
    });

    it('are not for the owner', async () => {
      const { url } = await variant.createDatabase('owner');
      const owner = String(await columnOf(url, 'select current_user::text'));
      await migrating(url, {}, async (migrator) => {
        await expectRefused(migrator.up({ grantTo: owner }), 'USAGE');
        await migrator.up();
        await expectRefused(migrator.up({ grantTo: owner }), 'USAGE');
      });
    });
  },
);

describe.each(variants.filter(({ language }) => language !== 'postgres'))(
  'verify({ appRole }) on $name',
  (variant) => {
    it('is refused', async () => {
      const { url } = await variant.createDatabase('app_role');
      await migrating(url, {}, (migrator) => expectRefused(migrator.verify({ appRole: 'app' }), 'USAGE'));
    });
  },
);

describe.each(variants.filter(({ language }) => language === 'sqlite'))(
  'up({ grantTo }) on $name',
  (variant) => {
    it('is refused: there are no roles', async () => {
      const { url } = await variant.createDatabase('grant');
      await migrating(url, {}, (migrator) =>
        expect(migrator.up({ grantTo: 'app' })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          reason: 'USAGE',
          message: 'grantTo: SQLite has no roles',
        }),
      );
    });
  },
);

describe.each(variants.filter(({ driver }) => driver === 'mysql2'))(
  'an account that is not there on $name',
  (variant) => {
    it.each(['', '@', '@%'])('is spelled with a host in what makes it: user%s', async (host) => {
      const { url } = await variant.createDatabase('grant');
      const user = `fresh_${process.pid}`;
      await migrating(url, {}, (migrator) =>
        expect(migrator.up({ grantTo: `${user}${host}` })).rejects.toMatchObject({
          hint: expect.stringContaining(`create user \`${user}\`@\`%\` identified`),
        }),
      );
    });
  },
);

describe.each(variants.filter(({ driver }) => driver === 'mysql2'))(
  'a role of the server on $name',
  (variant) => {
    it('is granted like an account', async () => {
      const { url } = await variant.createDatabase('grant');
      const role = `role_${process.pid}_${variant.name}`;
      await execute(url, `create role ${role}`);
      cleanUp.push(() => execute(url, `drop role ${role}`));
      const { grants } = await migrating(url, {}, (migrator) => migrator.up({ grantTo: role }));
      expect(grants?.length).toBe(9);
    });
  },
);

describe('the account of a word', () => {
  it.each([
    ['app', 'app', undefined],
    ['app@localhost', 'app', 'localhost'],
    ["'app'@'10.0.%'", 'app', '10.0.%'],
    ['`a``p`@`%`', 'a`p', '%'],
    ["'o''brien'", "o'brien", undefined],
    ["o'brien@%", "o'brien", '%'],
    ['me@corp@host', 'me@corp', 'host'],
    ['app@', 'app', undefined],
    ["'app'@''", 'app', undefined],
    ["'app'@", 'app', undefined],
  ])('%s', (text, user, host) => {
    expect(parseAccount(text)).toEqual({ user, host });
  });
});
