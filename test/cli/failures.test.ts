import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, type Variant, variants } from '../variants.ts';
import { asAdmin, type Login, PASSWORD, readerOf } from './admin.ts';
import { type CliOptions, cli, cliJson, emptyFolder } from './cli-process.ts';
import { expectGolden } from './golden.ts';

/** The forms in which a password might leak. */
const SECRETS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  new URL(`x://u:${encodeURIComponent(PASSWORD)}@h`).password,
];

/** One failing `up`: its exit code and word, in JSON and in text; no stack, no secret, a hint. */
async function fails(
  url: string,
  exitCode: number,
  code: string,
  more: readonly string[] = [],
  options?: CliOptions,
) {
  const args = ['up', '--url', url, '--verbose', ...more];
  const envelope = await cliJson(args, options);
  const text = await cli(args, options);
  expect(envelope).toMatchObject({ ok: false, exitCode, applied: [], error: { code } });
  expect(envelope.error?.hint).toMatch(/\S/);
  expect(text.code).toBe(exitCode);
  const all = JSON.stringify(envelope) + text.stdout + text.stderr;
  expect(all).not.toMatch(/^\s+at .*[:(]/m);
  for (const secret of SECRETS) expect(all.includes(secret), 'a secret is shown').toBe(false);
  return { envelope, stderr: text.stderr };
}

const withPassword = (scheme: string, port: number) =>
  `${scheme}://someone:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/app`;

/** A port where `answer` takes the connections. */
async function listen(answer: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, server };
}

describe.each(['postgres', 'mysql', 'mariadb'])('a %s server', (scheme) => {
  it('that is down: 3 CONNECT_REFUSED', async () => {
    const { port, server } = await listen(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const { envelope, stderr } = await fails(withPassword(scheme, port), 3, 'CONNECT_REFUSED');
    expect(envelope.target).toContain(`127.0.0.1:${port}/app`);
    const plain = await cli(['up', '--url', withPassword(scheme, port)]);
    expectGolden(`refused-${scheme}`, plain.stderr.replaceAll(String(port), '<port>'));
    expect(stderr).toContain(plain.stderr.split('\n')[0]);
  });

  it('that accepts and never answers: 3 CONNECT_TIMEOUT', async () => {
    const sockets: Socket[] = [];
    const { port, server } = await listen((socket) => sockets.push(socket));
    try {
      const limit = ['--connect-timeout', '300ms'];
      await fails(withPassword(scheme, port), 3, 'CONNECT_TIMEOUT', limit);
      const { stderr } = await cli(['up', '--url', withPassword(scheme, port), ...limit]);
      expectGolden(`silent-${scheme}`, stderr.replaceAll(String(port), '<port>'));
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});

describe.each(variants.filter(({ serverUrl }) => serverUrl !== undefined))(
  'a login on $name',
  (variant: Variant) => {
    let database: TestDatabase;
    let login: Login;
    const name = `chronos_cli_${process.pid}_${variant.name}`;
    beforeAll(async () => {
      database = await variant.createDatabase('cli_login');
      login = await readerOf(variant, database.url, name);
    });
    afterAll(() => login.drop());

    it('with any password connects, and may not create: 13 PRIVILEGE', async () => {
      const { envelope } = await fails(login.url, 13, 'PRIVILEGE');
      expect(envelope.engine).toMatch(/postgres|mysql|mariadb/);
    });

    it('with the wrong password: 3 AUTH_FAILED', async () => {
      await fails(login.wrongUrl, 3, 'AUTH_FAILED');
    });

    it('that insists on a certificate which nobody vouches for: 3 TLS_FAILED', async () => {
      const url = new URL(login.url);
      url.searchParams.set('sslmode', 'verify-full');
      await fails(url.href, 3, 'TLS_FAILED');
    });

    it('to a database that is not there: 2 BAD_URL', async () => {
      // Only an administrator is told so by MySQL: a login without rights is refused as such.
      const url = new URL(variant.serverUrl ?? '');
      url.pathname = '/chronos_nowhere';
      await fails(url.href, 2, 'BAD_URL');
    });
  },
);

// MySQL's read_only is the whole server's: the other tests would feel it. Its error shares the table of codes.
describe.each(variants.filter(({ driver }) => driver === 'pg'))(
  'a read-only role on $name',
  (variant: Variant) => {
    it('14 READ_ONLY', async () => {
      const database = await variant.createDatabase('cli_read_only');
      const name = new URL(database.url).pathname.slice(1);
      await asAdmin(database.url, [`alter database "${name}" set default_transaction_read_only = on`]);
      await fails(database.url, 14, 'READ_ONLY');
    });
  },
);

describe.each(variants.filter(({ name }) => name === 'sqlite'))('an SQLite file', (variant: Variant) => {
  // Root writes through mode bits; without these capabilities it does not. Others need no such thing.
  const through =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

  it('in a folder without the right to write: 14 READ_ONLY', async () => {
    const folder = join(emptyFolder(), 'closed');
    mkdirSync(folder, { mode: 0o555 });
    await fails(`sqlite:${folder}/new.db`, 14, 'READ_ONLY', [], { through });
  });

  it('that is read-only: 14 READ_ONLY', async () => {
    const database = await variant.createDatabase('cli_read_only');
    const path = database.url.replace('sqlite:', '');
    expect(await cliJson(['up', '--url', database.url, '--to', '0001'])).toMatchObject({ ok: true });
    chmodSync(path, 0o444);
    chmodSync(join(path, '..'), 0o555);
    try {
      await fails(database.url, 14, 'READ_ONLY', [], { through });
    } finally {
      chmodSync(join(path, '..'), 0o755);
    }
  });

  it('in a folder that is not there: 2 BAD_URL', async () => {
    await fails(`sqlite:${emptyFolder()}/nowhere/new.db`, 2, 'BAD_URL');
  });

  it('that is none: 2 BAD_URL', async () => {
    await fails(`sqlite:${import.meta.filename}`, 2, 'BAD_URL');
  });
});
