import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli, cliJson, emptyFolder } from '../cli/cli-process.ts';

// Mounts need root; so does the soak run.
let folder = '';
beforeEach(() => {
  folder = emptyFolder();
});
afterEach(() => {
  execFileSync('umount', [folder]);
});

async function refuses(url: string, code: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const envelope = await cliJson(['up', '--url', url], { env });
  expect(envelope).toMatchObject({ ok: false, exitCode: 14, applied: [], error: { code } });
  expect(envelope.error?.hint).toMatch(/\S/);
  const { stderr } = await cli(['up', '--url', url, '--verbose'], { env });
  expect(stderr).not.toMatch(/^\s+at /m);
}

describe('an SQLite file on a file system of 1 MB', () => {
  beforeEach(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  });

  it.each([0, 16, 40, 80])('with %i kB left: 14 STORAGE_FULL; with room again, up works', async (left) => {
    const { bavail, bsize } = statfsSync(folder);
    const filler = join(folder, 'filler');
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left * 1024)));
    const url = `sqlite:${folder}/chronos.db`;
    await refuses(url, 'STORAGE_FULL');
    rmSync(filler);
    expect(await cliJson(['up', '--url', url])).toMatchObject({ ok: true, pending: [] });
    expect(await cliJson(['status', '--check', '--url', url])).toMatchObject({ ok: true });
  });
});

describe('a folder that is mounted read-only', () => {
  const readOnly = () => {
    execFileSync('mount', ['--bind', folder, folder]);
    execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
  };

  it('without a file in it: 14 READ_ONLY', async () => {
    readOnly();
    await refuses(`sqlite:${folder}/chronos.db`, 'READ_ONLY');
  });

  it('with a file that lacks a migration: 14 READ_ONLY', async () => {
    const url = `sqlite:${folder}/chronos.db`;
    expect(await cliJson(['up', '--to', '0001', '--url', url])).toMatchObject({ ok: true });
    readOnly();
    await refuses(url, 'READ_ONLY');
  });

  it('for PGlite: 14 READ_ONLY', async () => {
    readOnly();
    await refuses(`pglite:${folder}/data`, 'READ_ONLY');
  });
});
