import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type MigratorOptions, newMigration } from '../../src/migrate/index.ts';
import { oneOfEachDriver, variants } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { migrating } from './migrating.ts';
import { execute } from './raw.ts';

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const A = {
  '0001_a.up.sql': 'create table a (n int primary key);\n',
  '0001_a.down.sql': 'drop table a;\n',
};

describe.each(oneOfEachDriver)('$name', (variant) => {
  const log = variant.language === 'postgres' ? 'chronos.chronos_migration_log' : 'chronos_migration_log';

  describe('redo', () => {
    it('reverts the last and applies it again, once confirmed', async () => {
      const { url } = await variant.createDatabase('redo');
      const dir = await hostFolder(A);
      await migrating(url, { dir }, async (migrator) => {
        await migrator.up();
        await expect(migrator.redo()).rejects.toMatchObject({ reason: 'NOT_CONFIRMED' });
        const { applied, current } = await migrator.redo({ yes: true });
        expect(applied.map(({ id, direction }) => `${direction} ${id}`)).toEqual([
          'down app:0001_a',
          'up app:0001_a',
        ]);
        expect(current).toEqual([...OURS, 'app:0001_a']);
        await migrator.down({ yes: true });
        expect((await migrator.redo({ yes: true })).applied).toEqual([]);
      });
    });
  });

  describe('baseline', () => {
    it('takes as applied what is there already, once', async () => {
      const { url } = await variant.createDatabase('baseline');
      await migrating(url, {}, (migrator) => migrator.up());
      await execute(url, `delete from ${log}`);
      await migrating(url, {}, async (migrator) => {
        await expect(migrator.up()).rejects.toMatchObject({
          reason: 'MIGRATION_MISSING',
          hint: expect.stringContaining('baseline --at'),
        });
        await expect(migrator.baseline({ at: '0099' })).rejects.toMatchObject({ reason: 'UNKNOWN_TARGET' });
        expect((await migrator.baseline({ at: '0001' })).baselined).toEqual(OURS.slice(0, 1));
        expect((await migrator.baseline({ at: 'chronos:0003_vectors' })).baselined).toEqual(OURS.slice(1));
        expect(await migrator.baseline({ at: '0003' })).toMatchObject({ baselined: [], current: OURS });
        expect(await migrator.up()).toMatchObject({ applied: [], pending: [], changed: [] });
        expect((await migrator.history()).map(({ event }) => event)).toEqual(OURS.map(() => 'baselined'));
      });
    });

    it('takes files of a host, and refuses ours where no table is', async () => {
      const { url } = await variant.createDatabase('baseline');
      const dir = await hostFolder(A);
      await migrating(url, { dir }, async (migrator) => {
        await expect(migrator.baseline({ at: 'chronos:0003_vectors' })).rejects.toMatchObject({
          reason: 'USAGE',
        });
        expect((await migrator.baseline({ at: 'app:0001_a' })).baselined).toEqual(['app:0001_a']);
        expect((await migrator.up()).applied.map(({ id }) => id)).toEqual(OURS);
      });
    });
  });

  describe('wait', () => {
    it('ends when another has applied what was pending, and at its bound', async () => {
      const { url } = await variant.createDatabase('wait');
      const dir = await hostFolder(A);
      await migrating(url, { dir }, async (migrator) => {
        await expect(migrator.wait({ timeout: 0 })).rejects.toMatchObject({ reason: 'PENDING' });
        await expect(migrator.wait({ timeout: 100 })).rejects.toThrow(
          /^\d migrations? pending after 0\.1 s$/,
        );
        if (variant.driver === 'pglite') await migrator.up();
        const waiting = migrator.wait({ timeout: 60_000 });
        if (variant.driver !== 'pglite') await migrating(url, { dir }, (other) => other.up());
        expect(await waiting).toMatchObject({ pending: [], current: [...OURS, 'app:0001_a'] });
      });
    });

    it('stops by its signal, and at once for what no waiting mends', async () => {
      const { url } = await variant.createDatabase('wait');
      const signal = AbortSignal.timeout(50);
      await migrating(url, { signal }, async (migrator) => {
        await expect(migrator.wait()).rejects.toMatchObject({ reason: 'INTERRUPTED' });
      });
      await migrating(url, {}, (migrator) => migrator.up());
      await execute(url, `update ${log} set checksum = 'x' where migration = '0001_ledger'`);
      await migrating(url, {}, async (migrator) => {
        await expect(migrator.wait()).rejects.toMatchObject({ reason: 'CHECKSUM_MISMATCH' });
        await expect(migrator.wait({ timeout: -1 })).rejects.toMatchObject({ reason: 'USAGE' });
      });
    });
  });

  describe('repair', () => {
    it('refuses what is not half done', async () => {
      const { url } = await variant.createDatabase('repair');
      await migrating(url, {}, async (migrator) => {
        await migrator.up();
        const before = await migrator.history();
        const calls = [
          { migration: '0001', as: 'done' },
          { migration: 'x', as: 'again' },
          { migration: '0001', as: 'perhaps' as 'done' },
          { migration: '0001', as: 'done', step: 0 },
        ] as const;
        for (const call of calls) {
          await expect(migrator.repair(call)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
        }
        expect(await migrator.history()).toEqual(before);
      });
    });

    it('settles a host’s file whose end nobody knows', async () => {
      const { url } = await variant.createDatabase('repair');
      const dir = await hostFolder(A);
      const started = `insert into ${log} (namespace, migration, direction, event, step, steps)
        values ('app', '0001_a', 'up', 'started', 1, 1)`;
      await migrating(url, { dir }, (migrator) => migrator.up({ to: OURS[2]! }));
      await execute(url, started);
      await migrating(url, {}, async (migrator) => {
        await expect(migrator.repair({ migration: 'app:0001_a', as: 'done' })).rejects.toMatchObject({
          hint: expect.stringContaining('--dir'),
        });
      });
      await migrating(url, { dir }, async (migrator) => {
        const nonsense = { migration: '0001_a', as: 'perhaps' as 'done' };
        await expect(migrator.repair(nonsense)).rejects.toMatchObject({ argument: 'as' });
        await expect(migrator.repair({ ...nonsense, as: 'done', step: 2 })).rejects.toMatchObject({
          argument: 'step',
        });
        for (const other of ['chronos:0001', 'app:', 'app:0002', 'other:0001']) {
          await expect(migrator.repair({ migration: other, as: 'again' })).rejects.toMatchObject({
            message: expect.stringContaining('is not half done: app:0001_a is'),
          });
        }
      });
      for (const migration of ['0001', '0001_a', 'app:0001', 'app:0001_a']) {
        await migrating(url, { dir }, async (migrator) => {
          await migrator.repair({ migration, as: 'again' });
          expect(await migrator.status()).toMatchObject({ partial: null, pending: ['app:0001_a'] });
        });
        await execute(url, started);
      }
      await migrating(url, { dir }, async (migrator) => {
        await migrator.repair({ migration: '0001_a', step: 1, as: 'done' });
        expect(await migrator.up()).toMatchObject({ partial: null, pending: [], applied: [] });
      });
    });
  });

  it('unlock says that nobody has the lock', async () => {
    const { url } = await variant.createDatabase('unlock');
    await migrating(url, {}, async (migrator) => {
      await migrator.up();
      expect(await migrator.unlock()).toMatchObject({ holder: null, ended: false });
      expect(await migrator.unlock({ force: true })).toMatchObject({ holder: null, ended: false });
    });
  });
});

describe.each(oneOfEachDriver.filter(({ serverUrl }) => serverUrl !== undefined))('$name', (variant) => {
  it('unlock names who has the lock, and ends its session', async () => {
    const { url } = await variant.createDatabase('unlock');
    const sleeps = variant.language === 'postgres' ? 'select pg_sleep(60)' : 'select sleep(60)';
    const dir = await hostFolder({ '0001_long.up.sql': `${sleeps};\n` });
    let working: Promise<unknown> = Promise.resolve();
    await new Promise<void>((begun) => {
      const onProgress: MigratorOptions['onProgress'] = (progress) => {
        if (progress.kind === 'started' && progress.id === 'app:0001_long') begun();
      };
      working = migrating(url, { dir, onProgress }, (migrator) => migrator.up()).catch(
        (error: unknown) => error,
      );
    });
    await migrating(url, {}, async (migrator) => {
      const named = await migrator.unlock();
      expect(named).toMatchObject({
        holder: expect.stringMatching(/^(pid|connection) \d+ \(/),
        ended: false,
      });
      expect(await migrator.unlock({ force: true })).toMatchObject({ ended: true });
      expect(await migrator.unlock()).toMatchObject({ holder: null });
    });
    expect(await working).toMatchObject({ code: 'MIGRATION' });
  });

  it('wait waits for a server that is not up', async () => {
    const nowhere =
      variant.language === 'postgres' ? 'postgres://x@127.0.0.1:9/x' : 'mysql://x@127.0.0.1:9/x';
    await migrating(nowhere, {}, async (migrator) => {
      const begun = performance.now();
      await expect(migrator.wait({ timeout: 700 })).rejects.toMatchObject({ reason: 'CONNECT_REFUSED' });
      expect(performance.now() - begun).toBeGreaterThan(600);
    });
  });
});

describe.each(variants.filter(({ driver }) => driver === 'pglite'))('$name', (variant) => {
  it('unlock names the process that has the folder, and leaves it one that lives', async () => {
    const { url } = await variant.createDatabase('unlock');
    await migrating(url, {}, async (owner) => {
      await owner.up();
      await migrating(url, {}, async (migrator) => {
        const holder = expect.stringContaining(`process ${process.pid} on `);
        expect(await migrator.unlock()).toMatchObject({ holder, ended: false });
        await expect(migrator.unlock({ force: true })).rejects.toMatchObject({ reason: 'LOCK_TIMEOUT' });
      });
    });
  });

  it('unlock takes the file of another host away', async () => {
    const { url } = await variant.createDatabase('unlock');
    const file = `${url.replace('pglite:', '')}.lock`;
    await writeFile(file, JSON.stringify({ pid: 1, startedAt: null, host: 'elsewhere', nonce: 'a' }));
    await migrating(url, {}, async (migrator) => {
      expect(await migrator.unlock({ force: true })).toMatchObject({
        holder: expect.stringContaining('process 1 on elsewhere'),
        ended: true,
      });
      expect(await migrator.up()).toMatchObject({ pending: [] });
    });
  });
});

describe.each(variants.filter(({ language }) => language === 'sqlite'))('$name', (variant) => {
  it('unlock says that somebody writes, and cannot end it', async () => {
    const { url } = await variant.createDatabase('unlock');
    await migrating(url, {}, (migrator) => migrator.up());
    const other = new Database(url.replace('sqlite:', ''));
    try {
      other.exec('begin immediate');
      await migrating(url, { lockTimeout: 0 }, async (migrator) => {
        expect(await migrator.unlock()).toMatchObject({ holder: expect.stringContaining('is writing to') });
        await expect(migrator.unlock({ force: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      });
    } finally {
      other.close();
    }
  });
});

describe('new', () => {
  it('writes files with the next number, and never over others', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'chronos-new-'));
    try {
      const dir = join(parent, 'deep', 'migrations');
      const first = await newMigration({ dir, name: 'add widgets' });
      expect(first).toEqual(['up', 'down'].map((side) => join(dir, `0001_add_widgets.${side}.sql`)));
      await newMigration({ dir, name: 'more' });
      expect((await readdir(dir)).sort()).toEqual([
        '0001_add_widgets.down.sql',
        '0001_add_widgets.up.sql',
        '0002_more.down.sql',
        '0002_more.up.sql',
      ]);
      expect(await readFile(first[0]!, 'utf8')).toContain('add_widgets');
      for (const name of ['', '../x', 'a;b', 'é', '-x', 'a'.repeat(200)]) {
        await expect(newMigration({ dir, name })).rejects.toMatchObject({ reason: 'USAGE' });
      }
      expect(existsSync(join(parent, 'x'))).toBe(false);
      // Where no folder can be made it says so, and ends.
      const refusal = { reason: 'USAGE', argument: 'dir' };
      for (const none of [first[0]!, join(first[0]!, 'deeper'), '/proc/chronos/migrations']) {
        await expect(newMigration({ dir: none, name: 'x' })).rejects.toMatchObject(refusal);
      }
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});
