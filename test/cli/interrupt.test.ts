import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  oneOfEachLanguage,
  type PerVariant,
  type TestDatabase,
  type Variant,
  variants,
} from '../variants.ts';
import { running } from './admin.ts';
import { type CliProcess, cliJson, emptyFolder, start } from './cli-process.ts';

const ROWS = 'with recursive c(n) as (select 1 union all select n + 1 from c where n < 3000000)';
/** In a condition: KILL QUERY ends a lone `select sleep(300)` as if it had slept enough. */
const SLEEPS = 'create table slow as select id as s from chronos_migration_log where sleep(300)';
const DEAF = `export function up() {
  process.stderr.write('the code runs\\n');
  return new Promise(() => {});
}`;
/** Statements that take their time: for ever on servers, about a second where they block the process. */
const SLOW: PerVariant<string> = {
  postgres18: 'create table slow as select pg_sleep(300)::text as s',
  postgres15: 'create table slow as select pg_sleep(300)::text as s',
  mysql9: SLEEPS,
  mariadb118: SLEEPS,
  mariadb1011: SLEEPS,
  pglite: 'create table slow as select count(*) as s from generate_series(1, 3000000)',
  sqlite: `create table slow as ${ROWS} select count(*) as s from c`,
};

describe.each(variants)('Ctrl-C on $name', (variant: Variant) => {
  let database: TestDatabase;
  let dir = '';
  beforeAll(async () => {
    database = await variant.createDatabase('cli_interrupt');
    expect(await cliJson(['up', '--url', database.url])).toMatchObject({ ok: true });
  });
  beforeEach(() => {
    dir = emptyFolder();
    writeFileSync(join(dir, '0001_slow.up.sql'), SLOW[variant.name]);
    writeFileSync(join(dir, '0001_slow.down.sql'), 'drop table slow');
  });

  const args = () => ['--url', database.url, '--dir', dir];
  /** `up` in the middle of the slow statement. */
  async function startSlow(): Promise<CliProcess> {
    const up = await start(['up', ...args(), '--json', '--verbose']);
    await up.says(/up app:0001_slow/);
    if (variant.serverUrl !== undefined) await Promise.race([running(database.url, 'table slow'), up.ended]);
    return up;
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s in a long statement of a host: it is undone, exit %i, the next up works',
    async (signal, code) => {
      const up = await startSlow();
      up.child.kill(signal);
      const ended = await up.ended;
      expect(ended).toMatchObject({ code, signal: null });
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        exitCode: code,
        applied: [],
        error: { code: 'INTERRUPTED' },
      });
      expect(await cliJson(['status', ...args()])).toMatchObject({
        pending: ['app:0001_slow'],
        partial: null,
      });
      writeFileSync(join(dir, '0001_slow.up.sql'), 'create table slow (s int)');
      expect(await cliJson(['up', ...args(), '--lock-timeout', '0'])).toMatchObject({ ok: true });
      expect(await cliJson(['down', ...args(), '--yes'])).toMatchObject({ ok: true });
    },
    180_000,
  );

  it('twice: the process is gone, and so is what it began', async () => {
    const up = await startSlow();
    up.child.kill('SIGINT');
    up.child.kill('SIGINT');
    expect(await up.ended).toMatchObject({ code: 130 });
    writeFileSync(join(dir, '0001_slow.up.sql'), 'create table slow (s int)');
    expect(await cliJson(['status', ...args()])).toMatchObject({ pending: ['app:0001_slow'] });
  });
});

describe.each(variants.filter(({ serverUrl }) => serverUrl !== undefined))(
  'Ctrl-C while waiting on $name',
  (variant: Variant) => {
    it('for another migrator: exit 130, and the other goes on', async () => {
      const database = await variant.createDatabase('cli_wait');
      const dir = emptyFolder();
      writeFileSync(join(dir, '0001_slow.up.sql'), SLOW[variant.name]);
      const args = ['up', '--url', database.url, '--dir', dir];
      const holder = await start([...args, '--verbose']);
      await holder.says(/up app:0001_slow/);
      await running(database.url, 'table slow');
      const waiter = await start([...args, '--json']);
      await waiter.says(/waiting for/);
      expect(await cliJson([...args, '--lock-timeout', '0'])).toMatchObject({
        exitCode: 4,
        error: { code: 'LOCK_TIMEOUT' },
      });
      waiter.child.kill('SIGINT');
      const ended = await waiter.ended;
      expect(ended.code, ended.stdout).toBe(130);
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'INTERRUPTED' } });
      expect(holder.child.exitCode).toBeNull();
      holder.child.kill('SIGINT');
      expect((await holder.ended).code).toBe(130);
    });
  },
);

describe.each(oneOfEachLanguage)('Ctrl-C on $name', (variant: Variant) => {
  it('in code that does not heed its signal: it is given up, named, exit 130', async () => {
    const { url } = await variant.createDatabase('cli_deaf');
    const dir = emptyFolder();
    writeFileSync(join(dir, '0001_deaf.mjs'), DEAF);
    const up = await start(['up', '--url', url, '--dir', dir, '--json', '--verbose']);
    await up.says(/the code runs/);
    up.child.kill('SIGINT');
    const ended = await up.ended;
    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      exitCode: 130,
      findings: [expect.stringMatching(/^app:0001_deaf: its code did not heed the signal/)],
      error: { code: 'INTERRUPTED', migration: 'app:0001_deaf' },
    });
  });
});

it.each(['postgres', 'mysql'])('Ctrl-C while connecting to a silent %s server: exit 130', async (scheme) => {
  const sockets: Socket[] = [];
  let accepted: () => void = () => undefined;
  const connected = new Promise<void>((resolve) => {
    accepted = resolve;
  });
  const server = createServer((socket) => {
    sockets.push(socket);
    accepted();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const up = await start([
    'up',
    '--json',
    '--url',
    `${scheme}://me@127.0.0.1:${port}/x`,
    '--connect-timeout',
    '5m',
  ]);
  await connected;
  up.child.kill('SIGINT');
  const ended = await up.ended;
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(ended.code).toBe(130);
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'INTERRUPTED' } });
});
