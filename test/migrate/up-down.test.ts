import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMigrator, type Migrator } from '../../src/migrate/index.ts';
import { type PerLanguage, type TestDatabase, type Variant, variants } from '../variants.ts';
import { keepPgliteOpen, targetOf } from './kept-open.ts';
import { migrating } from './migrating.ts';
import { columnOf, execute } from './raw.ts';

keepPgliteOpen();

const OURS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const SESSIONS: PerLanguage<string> = {
  postgres: 'chronos.chronos_sessions',
  mysql: 'chronos_sessions',
  sqlite: 'chronos_sessions',
};
const NOW: PerLanguage<string> = { postgres: 'now()', mysql: 'utc_timestamp(3)', sqlite: '0' };

describe.each(variants)('$name', (variant) => {
  it('goes up, down to nothing, up again, and keeps its log', async () => {
    await using(variant, async (migrator) => {
      const first = await migrator.up();
      expect(first).toMatchObject({ current: OURS, pending: [], changed: [], missing: [], partial: null });
      expect(first.applied.map(({ id, direction }) => `${id} ${direction}`)).toEqual(
        OURS.map((id) => `${id} up`),
      );
      const down = await migrator.down({ to: '0', yes: true });
      expect(down).toMatchObject({ current: [], pending: OURS });
      expect(down.applied.map(({ id }) => id)).toEqual([...OURS].reverse());
      expect(await migrator.up()).toMatchObject({ current: OURS, pending: [], partial: null });
      const ends = (await migrator.history()).filter(({ event }) => event !== 'started');
      expect(ends.map(({ migration, direction, event }) => `${migration} ${direction} ${event}`)).toEqual([
        '0001_ledger up succeeded',
        '0002_open_runs up succeeded',
        '0003_vectors up succeeded',
        '0003_vectors down succeeded',
        '0002_open_runs down succeeded',
        '0001_ledger down succeeded',
        '0001_ledger up succeeded',
        '0002_open_runs up succeeded',
        '0003_vectors up succeeded',
      ]);
      for (const { at, durationMs, appliedBy, host, toolVersion, checksum } of ends) {
        expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(300_000);
        expect(durationMs).toBeGreaterThanOrEqual(0);
        expect([appliedBy, host, toolVersion]).not.toContain('');
        expect(checksum).toMatch(/^[0-9a-f]{64}$/);
      }
    });
  });

  it('does nothing when nothing is pending', async () => {
    await using(variant, async (migrator) => {
      await migrator.up();
      const before = await migrator.history();
      expect(await migrator.up()).toMatchObject({ applied: [], current: OURS });
      expect(await migrator.history()).toEqual(before);
    });
  });

  it('takes a step, or goes to a migration by any of its names', async () => {
    await using(variant, async (migrator) => {
      expect((await migrator.up({ step: 1 })).current).toEqual(OURS.slice(0, 1));
      for (const to of ['0003', '0003_vectors', 'chronos:0003_vectors']) {
        expect((await migrator.up({ to })).current).toEqual(OURS);
        expect((await migrator.down({ to: '0001', yes: true })).current).toEqual(OURS.slice(0, 1));
      }
    });
  });

  it('tells the time that the log has', async () => {
    await using(variant, async (migrator) => {
      const { applied } = await migrator.up();
      const reverted = (await migrator.down({ to: '0', yes: true })).applied;
      const ends = (await migrator.history()).filter(({ event }) => event === 'succeeded');
      expect([...applied, ...reverted].map(({ ms }) => ms)).toEqual(ends.map(({ durationMs }) => durationMs));
    });
  });

  it('refuses an unknown target and changes nothing', async () => {
    await using(variant, async (migrator) => {
      for (const to of ['0009', 'nothing', 'app:0001_ledger', '']) {
        await expect(migrator.up({ to })).rejects.toMatchObject({ reason: 'UNKNOWN_TARGET' });
        await expect(migrator.down({ to, yes: true })).rejects.toMatchObject({ reason: 'UNKNOWN_TARGET' });
      }
      expect(await migrator.history()).toEqual([]);
    });
  });

  it('says what down would lose and refuses without yes', async () => {
    const database = await variant.createDatabase('loss');
    await once(database, (migrator) => migrator.up());
    const now = NOW[variant.language];
    await execute(
      database.url,
      `insert into ${SESSIONS[variant.language]} (tenant_id, id, agent_id, status, created_at, updated_at)
       values ('t', 's1', 'a', 'open', ${now}, ${now}), ('t', 's2', 'a', 'open', ${now}, ${now})`,
    );
    await once(database, async (migrator) => {
      const before = await migrator.history();
      const refusal = await migrator.down({ to: '0' }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ reason: 'NOT_CONFIRMED' });
      expect(String(refusal)).toMatch(/drops .*chronos_sessions.* with 2 rows/);
      expect(String(refusal)).toMatch(/\n {2}drops 7 empty tables$/);
      expect(String(refusal)).not.toContain('with 0 rows');
      expect(await migrator.history()).toEqual(before);
      const { findings } = await migrator.down({ to: '0', yes: true });
      expect(findings.join('\n')).toMatch(/chronos_sessions.* with 2 rows/);
    });
  });

  it('touches nothing by dry run, plan, status and history', async () => {
    const database = await variant.createDatabase('dry');
    const migrator = createMigrator(await targetOf(database.url));
    try {
      const { steps, pending, applied } = await migrator.up({ dryRun: true });
      expect(pending).toEqual(OURS);
      expect(applied).toEqual([]);
      expect(steps.map(({ id }) => id)).toEqual(OURS);
      for (const { sql } of steps) expect(sql).not.toContain('{{');
      expect(await migrator.plan()).toEqual(steps);
      expect(await migrator.status()).toMatchObject({ pending: OURS, current: [] });
      expect(await migrator.history()).toEqual([]);
    } finally {
      await migrator.close();
    }
    await expectUntouched(variant, database);
  });

  it('may be closed twice, before anything and after', async () => {
    const { url } = await variant.createDatabase('close');
    const migrator = createMigrator(await targetOf(url));
    await migrator.close();
    await migrator.close();
    await expect(migrator.up()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

async function using(variant: Variant, work: (migrator: Migrator) => Promise<void>): Promise<void> {
  await once(await variant.createDatabase('updown'), work);
}

async function once<T>({ url }: TestDatabase, work: (migrator: Migrator) => Promise<T>): Promise<T> {
  return migrating(url, {}, work);
}

async function expectUntouched({ name, language }: Variant, { url }: TestDatabase): Promise<void> {
  if (name === 'sqlite') return expect(existsSync(url.replace('sqlite:', ''))).toBe(false);
  const schemas = language === 'postgres' ? `'chronos', 'public'` : 'database()';
  const tables = `select count(*) as n from information_schema.tables where table_schema in (${schemas})`;
  expect(Number(await columnOf(url, tables))).toBe(0);
  if (language !== 'postgres') return;
  const found = `select count(*) as n from pg_namespace where nspname = 'chronos'`;
  expect(Number(await columnOf(url, found))).toBe(0);
}
