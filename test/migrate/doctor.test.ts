import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsCheck } from '../../src/migrate/doctor/connections.ts';
import type { Check, DoctorReport } from '../../src/migrate/index.ts';
import { createPostgres } from '../servers/databases-on-server.ts';
import { type PerLanguage, type Variant, variants } from '../variants.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { asUser, migrating, runAll, runMend } from './migrating.ts';
import { execute } from './raw.ts';

keepPgliteOpen();

const PASSWORD = 'only-for-tests';
const SUBJECTS: PerLanguage<readonly string[]> = {
  postgres: [
    'connection',
    'server version',
    'encoding',
    'extension plpgsql',
    'extension vector',
    'role',
    'time zone',
  ],
  mysql: [
    'connection',
    'server version',
    'encoding',
    'account',
    'time zone',
    'lock_wait_timeout',
    'connections',
  ],
  sqlite: ['connection', 'server version', 'encoding', 'journal mode', 'auto_vacuum'],
};

function doctor(url: string): Promise<DoctorReport> {
  return migrating(url, {}, (migrator) => migrator.doctor());
}

async function checkOf(url: string, subject: string): Promise<Check> {
  const { checks } = await doctor(url);
  const found = checks.filter((check) => check.subject.startsWith(subject));
  expect(found, `${subject} in ${JSON.stringify(checks)}`).toHaveLength(1);
  return found[0] as Check;
}

const cleanUp: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const task of cleanUp.reverse()) await task();
});

describe.each(variants)('doctor on $name', (variant) => {
  it('says of a database that is migrated what it looked at, and changes nothing', async () => {
    const { url } = await variant.createDatabase('doctor');
    await migrating(url, {}, (migrator) => migrator.up());
    const report = await doctor(url);
    expect(report.reason).toBeNull();
    const first = report.checks.map(({ subject }) => subject.replace(/^(role|account) .*$/s, '$1'));
    expect(first.slice(0, SUBJECTS[variant.language].length)).toEqual(SUBJECTS[variant.language]);
    for (const { level, subject, message, mend } of report.checks) {
      expect(message, subject).toMatch(/\S/);
      expect(level === 'ok', subject).toBe(mend === null);
      expect(report.findings.some((line) => line.startsWith(`${subject}: `))).toBe(level !== 'ok');
    }
    expect(await doctor(url)).toEqual(report);
    await migrating(url, {}, async (migrator) => expect((await migrator.verify()).checks).toEqual([]));
  });

  it('runs on a database that has nothing yet', async () => {
    const { url } = await variant.createDatabase('doctor');
    expect((await doctor(url)).reason).toBeNull();
    if (variant.language === 'sqlite') expect(existsSync(url.replace('sqlite:', ''))).toBe(false);
  });
});

describe.each(variants.filter(({ driver }) => driver === 'pg'))('the role on $name', (variant) => {
  const role = (word: string) => `chronos_${word}_${process.pid}_${variant.name}`;
  let url = '';
  const as = (word: string) => asUser(url, role(word), PASSWORD);
  const mends = (check: Check, at = url) => runMend(at, 'postgres', check.mend);

  beforeAll(async () => {
    ({ url } = await variant.createDatabase('doctor_roles'));
    const words = {
      super: 'superuser',
      owner: '',
      app: '',
      bypass: 'bypassrls',
      member: '',
      stranger: '',
      few: 'connection limit 3',
    };
    for (const [word, rights] of Object.entries(words)) {
      await execute(url, `create role ${role(word)} login password '${PASSWORD}' ${rights}`);
      cleanUp.push(() => execute(url, `drop owned by ${role(word)}; drop role ${role(word)}`));
    }
    cleanUp.push(() =>
      execute(
        url,
        'do $$ begin drop owned by chronos_app; drop role chronos_app; exception when undefined_object then null; end $$',
      ),
    );
  });

  it('a stranger may not make the tables: 13, until it may', async () => {
    const lacking = await checkOf(as('stranger'), 'role ');
    expect(lacking).toMatchObject({ level: 'fail', reason: 'PRIVILEGE', message: 'may not make the tables' });
    await mends(lacking);
    expect(await checkOf(as('stranger'), 'role ')).toMatchObject({ level: 'ok' });
    await execute(
      url,
      `create schema chronos; revoke create on database "${new URL(url).pathname.slice(1)}" from ${role('stranger')}`,
    );
    const again = await checkOf(as('stranger'), 'role ');
    expect(again).toMatchObject({ level: 'fail', mend: expect.stringContaining('on schema "chronos"') });
    await mends(again);
    expect(await checkOf(as('stranger'), 'role ')).toMatchObject({ level: 'ok' });
    await execute(url, `drop owned by ${role('stranger')}; drop schema chronos`);
  });

  it('the owner is not bound, until there is a role for a service', async () => {
    await execute(url, `grant create on database "${new URL(url).pathname.slice(1)}" to ${role('owner')}`);
    await migrating(as('owner'), {}, (migrator) => migrator.up());
    const owner = await checkOf(as('owner'), 'role ');
    expect(owner).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('the owner of the tables'),
    });
    const admin = await checkOf(as('super'), 'role ');
    expect(admin).toMatchObject({ level: 'warn', message: expect.stringContaining('a superuser') });
    await mends(owner);
    for (const word of ['owner', 'super']) {
      expect(await checkOf(as(word), 'role ')).toMatchObject({
        level: 'ok',
        message: expect.stringMatching(
          /row-level security does not bind it; a service connects as chronos_app$/,
        ),
      });
    }
  });

  it('a superuser likewise', async () => {
    await execute(url, 'drop owned by chronos_app; drop role chronos_app');
    const admin = await checkOf(as('super'), 'role ');
    expect(admin.mend).toMatch(/^create role "chronos_app" login; grant /);
    await mends(admin);
    expect(await checkOf(as('super'), 'role ')).toMatchObject({ level: 'ok' });
  });

  it('an app role lacks its grants: 13, until it has them', async () => {
    const { checks, reason } = await doctor(as('app'));
    expect(reason).toBe('PRIVILEGE');
    const [who, grants] = checks.filter(({ subject }) => subject.startsWith('role '));
    expect(who).toMatchObject({ level: 'ok', message: expect.stringContaining('an app role') });
    expect(grants).toMatchObject({ level: 'fail', message: expect.stringContaining('usage of the schema') });
    await mends(grants as Check);
    expect((await doctor(as('app'))).checks.map(({ level }) => level)).not.toContain('fail');
    await migrating(url, {}, async (migrator) =>
      expect((await migrator.verify({ appRole: role('app') })).checks).toEqual([]),
    );
  });

  it('a role that bypasses row-level security', async () => {
    await migrating(url, {}, (migrator) => migrator.up({ grantTo: role('bypass') }));
    const find = async () =>
      (await doctor(as('bypass'))).checks.filter(({ subject }) => subject.startsWith('role '));
    const [check] = await find();
    expect(check).toMatchObject({ level: 'warn', message: expect.stringContaining('BYPASSRLS') });
    await mends(check as Check);
    expect((await find()).map(({ level }) => level)).toEqual(['ok', 'ok']);
  });

  it('a member of the owner inherits the exemption', async () => {
    await execute(url, `grant ${role('owner')} to ${role('member')}`);
    const member = await checkOf(as('member'), 'role ');
    expect(member).toMatchObject({
      level: 'warn',
      message: expect.stringContaining(`a member of the owner ${role('owner')}`),
    });
    await mends(member);
    const after = (await doctor(as('member'))).checks.filter(({ subject }) => subject.startsWith('role '));
    expect(after.map(({ level }) => level)).toEqual(['ok', 'ok']);
  });

  it('few connections, of the role and of the database', async () => {
    const few = await checkOf(as('few'), 'connections');
    expect(few).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/^the limit of \S+ allows 3;/),
    });
    await mends(few);
    expect(await checkOf(as('few'), 'connections')).toMatchObject({ level: 'ok' });
    await execute(url, `alter database "${new URL(url).pathname.slice(1)}" connection limit 12`);
    const small = await checkOf(as('few'), 'connections');
    expect(small).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('the limit of the database allows 12'),
    });
    await mends(small);
    expect(await checkOf(as('few'), 'connections')).toMatchObject({ level: 'ok' });
  });

  it('a database in SQL_ASCII: another one in UTF8', async () => {
    const name = `chronos_ascii_${process.pid}`;
    const { url: ascii, drop } = await createPostgres(variant.serverUrl ?? '', name);
    await drop();
    cleanUp.push(drop, () => execute(variant.serverUrl ?? '', `drop database if exists "${name}_utf8"`));
    await execute(
      variant.serverUrl ?? '',
      `create database "${name}" template template0 encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
    );
    const { reason } = await doctor(ascii);
    expect(reason).toBe('DATABASE_ERROR');
    const check = await checkOf(ascii, 'encoding');
    expect(check).toMatchObject({ level: 'fail', message: expect.stringMatching(/^SQL_ASCII/) });
    await mends(check, ascii);
    expect(await checkOf(`${ascii}_utf8`, 'encoding')).toMatchObject({ level: 'ok', message: 'UTF8' });
  });

  it('a missing extension: 13', async () => {
    const { url: bare } = await variant.createDatabase('doctor_extension');
    await execute(bare, 'drop extension plpgsql');
    expect((await doctor(bare)).reason).toBe('EXTENSION_MISSING');
    const check = await checkOf(bare, 'extension plpgsql');
    await mends(check, bare);
    expect(await checkOf(bare, 'extension plpgsql')).toMatchObject({ level: 'ok' });
  });
});

describe.each(variants.filter(({ driver }) => driver === 'mysql2'))(
  'the account on $name',
  (variant: Variant) => {
    it('lacks grants: 13, until it has them; few connections; a long wait', async () => {
      const { url } = await variant.createDatabase('doctor_account');
      const database = new URL(url).pathname.slice(1);
      const user = `doctor_${process.pid}`;
      await migrating(url, {}, (migrator) => migrator.up());
      await runAll(url, [
        `create user '${user}'@'%' identified by '${PASSWORD}' with max_user_connections 5`,
        `grant select on \`${database}\`.* to '${user}'@'%'`,
      ]);
      cleanUp.push(() => execute(url, `drop user '${user}'@'%'`));
      const own = asUser(url, user, PASSWORD);
      const lacking = await checkOf(own, 'account ');
      expect(lacking).toMatchObject({
        level: 'fail',
        reason: 'PRIVILEGE',
        message: expect.stringContaining('insert, update, delete on chronos_events'),
      });
      expect(lacking.message).not.toContain('chronos_migration_log');
      await runMend(url, 'mysql', lacking.mend);
      expect(await checkOf(own, 'account ')).toMatchObject({ level: 'ok' });

      const few = await checkOf(own, 'connections');
      expect(few).toMatchObject({ level: 'warn', message: expect.stringContaining('allows 5') });
      await runMend(url, 'mysql', few.mend);
      expect(await checkOf(own, 'connections')).toMatchObject({ level: 'ok' });

      const patient = await checkOf(own, 'lock_wait_timeout');
      expect(patient).toMatchObject({
        level: 'warn',
        mend: expect.stringMatching(/^set (persist|global) lock_wait_timeout = 60$/),
      });
      const before = patient.message.split(' ')[0];
      try {
        await runMend(url, 'mysql', patient.mend);
        expect(await checkOf(own, 'lock_wait_timeout')).toMatchObject({ level: 'ok' });
      } finally {
        await execute(url, `set global lock_wait_timeout = ${before}`);
        if (patient.mend?.startsWith('set persist')) await execute(url, 'reset persist lock_wait_timeout');
      }
    });
  },
);

describe.each(variants.filter(({ driver }) => driver === 'mysql2'))(
  'an account of $name that sees only some tables',
  (variant: Variant) => {
    it('is told so, not that the others are not there', async () => {
      const { url } = await variant.createDatabase('doctor_blind');
      const user = `blind_${process.pid}`;
      await migrating(url, {}, (migrator) => migrator.up());
      await runAll(url, [
        `create user '${user}'@'%' identified by '${PASSWORD}'`,
        `grant select on chronos_sessions to '${user}'@'%'`,
      ]);
      cleanUp.push(() => execute(url, `drop user '${user}'@'%'`));
      const own = asUser(url, user, PASSWORD);
      await migrating(own, {}, async (migrator) => {
        for (const call of [() => migrator.status(), () => migrator.up(), () => migrator.verify()]) {
          await expect(call()).rejects.toMatchObject({ reason: 'PRIVILEGE' });
        }
      });
      const account = await checkOf(own, 'account ');
      expect(account).toMatchObject({
        reason: 'PRIVILEGE',
        message: expect.stringContaining('chronos_events'),
      });
      await execute(url, `grant select on chronos_migration_log to '${user}'@'%'`);
      const blind = await migrating(own, {}, (migrator) => migrator.verify());
      expect(blind.reason).toBe('PRIVILEGE');
      expect(blind.findings.join()).toMatch(
        /^chronos_audit_logs: is not there, or the account may not see it/,
      );
      await execute(url, 'drop table chronos_memory');
      await runMend(url, 'mysql', account.mend?.replace(/[^;]*chronos_memory[^;]*;/, ''));
      const lost = await migrating(own, {}, (migrator) => migrator.verify());
      expect(lost).toMatchObject({ reason: 'PRIVILEGE' });
      expect(lost.findings).toHaveLength(1);
      expect(lost.findings.join()).toContain('chronos_memory: is not there');
      const owner = await migrating(url, {}, (migrator) => migrator.verify());
      expect(owner).toMatchObject({ reason: 'DRIFT' });
    });
  },
);

describe.each(variants.filter(({ language }) => language === 'sqlite'))('a file of $name', (variant) => {
  const raw = (path: string, sql: string) => {
    const db = new Database(path);
    db.exec(sql);
    db.close();
  };

  it('without a write-ahead log and without vacuuming, as it was found', async () => {
    const { url } = await variant.createDatabase('doctor_file');
    const path = url.replace('sqlite:', '');
    raw(path, 'create table a (n int)');
    const before = readFileSync(path);
    const mode = await checkOf(url, 'journal mode');
    expect(mode).toMatchObject({ level: 'warn', message: expect.stringMatching(/^delete/) });
    const vacuum = await checkOf(url, 'auto_vacuum');
    expect(vacuum).toMatchObject({ level: 'warn', message: expect.stringMatching(/^none/) });
    expect(readFileSync(path).equals(before)).toBe(true);
    raw(path, mode.mend ?? '');
    expect(await checkOf(url, 'journal mode')).toMatchObject({ level: 'ok', message: 'wal' });
    raw(path, (await checkOf(url, 'auto_vacuum')).mend ?? '');
    expect(await checkOf(url, 'auto_vacuum')).toMatchObject({ level: 'ok', message: 'incremental' });
    expect(await checkOf(url, 'journal mode')).toMatchObject({ level: 'ok', message: 'wal' });
    raw(path, 'pragma journal_mode = delete; pragma auto_vacuum = none; vacuum');
    raw(path, vacuum.mend ?? '');
    expect((await doctor(url)).findings).toEqual([]);
  });

  it('in another encoding: 1', async () => {
    const { url } = await variant.createDatabase('doctor_file');
    raw(url.replace('sqlite:', ''), "pragma encoding = 'UTF-16le'; create table a (n int)");
    expect((await doctor(url)).reason).toBe('DATABASE_ERROR');
    expect(await checkOf(url, 'encoding')).toMatchObject({ level: 'fail' });
  });
});

describe('connections', () => {
  it('the lowest limit counts', () => {
    const server = { name: 'max_connections', most: 17, mend: 'alter system set max_connections = 100' };
    expect(connectionsCheck([{ name: 'other', most: 50, mend: '' }, server])).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/^max_connections allows 17;/),
      mend: server.mend,
    });
    expect(connectionsCheck([{ ...server, most: 97 }])).toMatchObject({ level: 'ok', mend: null });
  });
});
