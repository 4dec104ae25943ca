import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFolder } from '../../src/drivers/folder-lock.ts';
import { openStorage } from '../../src/index.ts';
import { createMigrator, type Progress } from '../../src/migrate/index.ts';
import { startUp } from '../migrate/children.ts';
import { hostFolder } from '../migrate/host-folder.ts';
import { variants } from '../variants.ts';

/** A folder that is not there yet, to be locked. */
async function place(): Promise<{ dir: string; file: string }> {
  const dir = join(await hostFolder({}), 'ledger');
  return { dir, file: `${dir}.lock` };
}

const NOW = { lockTimeout: 0 };
const owner = (facts: object): string =>
  JSON.stringify({ pid: process.pid, startedAt: null, host: hostname(), nonce: 'n', ...facts });

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('the lock of a PGlite folder', () => {
  it('is a file that says who has it, and goes when it is given back', async () => {
    const { dir, file } = await place();
    const giveBack = await lockFolder(dir, NOW);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await giveBack();
    await giveBack();
    expect(await readdir(dirname(dir))).toEqual([]);
  });

  it('excludes the same process too, and names the file', async () => {
    const { dir, file } = await place();
    const giveBack = await lockFolder(dir, NOW);
    await expect(lockFolder(dir, NOW)).rejects.toMatchObject({
      reason: 'LOCK_TIMEOUT',
      message: expect.stringContaining(file),
      hint: expect.stringContaining(`delete ${file}`),
    });
    await giveBack();
    await (await lockFolder(dir, NOW))();
  });

  it('waits until it is given back, and says for whom', async () => {
    const { dir, file } = await place();
    const giveBack = await lockFolder(dir, NOW);
    const onProgress = (progress: Progress): void => {
      if (progress.kind === 'waiting' && progress.holder.includes(`${process.pid}`)) void giveBack();
    };
    await (await lockFolder(dir, { lockTimeout: 30_000, onProgress }))();
    expect(existsSync(file)).toBe(false);
  });

  it.each<[string, () => Promise<string>]>([
    ['a process that is dead', async () => owner({ pid: await deadPid() })],
    ['an earlier process of the same number', async () => owner({ startedAt: '1' })],
  ])('is taken over from %s', async (_, text) => {
    const { dir, file } = await place();
    await writeFile(file, await text());
    const told: string[] = [];
    const onProgress = (progress: Progress): void => {
      if (progress.kind === 'warning') told.push(progress.message);
    };
    const giveBack = await lockFolder(dir, { lockTimeout: 5000, onProgress });
    expect(told.join()).toContain(file);
    await giveBack();
    expect(await readdir(dirname(dir))).toEqual([]);
  });

  it.each<[string, () => Promise<string>]>([
    ['a process that lives', async () => owner({})],
    ['another host', async () => owner({ pid: await deadPid(), host: 'elsewhere' })],
    ['nobody that it names', async () => ''],
  ])('is left to %s', async (_, text) => {
    const { dir, file } = await place();
    const content = await text();
    await writeFile(file, content);
    await expect(lockFolder(dir, NOW)).rejects.toMatchObject({
      reason: 'LOCK_TIMEOUT',
      message: expect.stringContaining(file),
    });
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('goes to one of many that find a dead owner', async () => {
    const { dir, file } = await place();
    await writeFile(file, owner({ pid: await deadPid() }));
    let inside = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const giveBack = await lockFolder(dir, { lockTimeout: 30_000 });
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        await giveBack();
      }),
    );
    expect(await readdir(dirname(dir))).toEqual([]);
  });
});

describe.each(variants.filter(({ name }) => name === 'pglite'))('$name', (variant) => {
  it('lets several processes migrate one folder, one after the other', async () => {
    const { url } = await variant.createDatabase('several');
    const children = await Promise.all(Array.from({ length: 3 }, () => startUp(url)));
    const ends = await Promise.all(children.map(({ ended }) => ended));
    for (const end of ends) expect(end, JSON.stringify(end)).toMatchObject({ code: 0, stderr: '' });
    const applied = ends.flatMap(({ events }) => events.at(-1)?.applied ?? []);
    expect(applied.map(({ id }) => id)).toEqual([
      'chronos:0001_ledger',
      'chronos:0002_open_runs',
      'chronos:0003_vectors',
    ]);
    expect(existsSync(`${url.replace('pglite:', '')}.lock`)).toBe(false);
  });

  it('looks without making a folder, and makes it by up', async () => {
    const { dir, file } = await place();
    const migrator = createMigrator(`pglite:${dir}`);
    expect((await migrator.status()).pending.length).toBe(3);
    expect((await migrator.up({ dryRun: true })).steps[0]?.sql).toContain('"chronos".chronos_sessions');
    expect(await readdir(dirname(dir))).toEqual([]);
    await migrator.up();
    expect(existsSync(file)).toBe(true);
    await migrator.close();
    expect(existsSync(file)).toBe(false);
  });

  it('keeps a folder to itself for as long as a storage has it open', async () => {
    const { url } = await variant.createDatabase('open');
    const storage = await openStorage(url);
    await expect(openStorage(url, { connectTimeout: 50 })).rejects.toMatchObject({ reason: 'LOCK_TIMEOUT' });
    const migrator = createMigrator(url, { lockTimeout: 0 });
    await expect(migrator.status()).rejects.toMatchObject({ reason: 'LOCK_TIMEOUT' });
    await storage.close();
    expect((await migrator.status()).pending.length).toBe(3);
    await migrator.close();
    await (await openStorage(url)).close();
  });

  it('does not open a folder that another process has', async () => {
    const { url } = await variant.createDatabase('taken');
    const file = `${url.replace('pglite:', '')}.lock`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, owner({ host: 'elsewhere' }));
    const migrator = createMigrator(url, { lockTimeout: 100 });
    for (const call of [() => migrator.up(), () => migrator.status()]) {
      await expect(call()).rejects.toMatchObject({
        reason: 'LOCK_TIMEOUT',
        message: expect.stringContaining(file),
      });
    }
    await migrator.close();
  });
});
