import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import { pgbouncerUrl, type TestDatabase, type Variant, variants } from '../variants.ts';
import { rejection, sql } from './forms.ts';

const SECRET = 'wrong-Secret';

/** The same database with other parts. */
function changed(url: string, change: (url: URL) => void): string {
  const next = new URL(url);
  change(next);
  return next.href;
}

/** Accepts, and says what `answer` says: nothing, unless told. */
async function serverOfOurs(
  answer: (socket: Socket) => void = () => {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    port: address.port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function closedPort(): Promise<number> {
  const server = await serverOfOurs();
  await server.stop();
  return server.port;
}

for (const variant of variants.filter(({ serverUrl }) => serverUrl !== undefined)) {
  describe(`${variant.name}: connecting`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await variant.createDatabase('drivers_connect');
    });

    it('tells a closed port', async () => {
      const port = await closedPort();
      const url = changed(database.url, (at) => {
        at.port = String(port);
        at.password = SECRET;
      });
      const error = await rejection(openConnection(url));
      expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'CONNECT_REFUSED', retryable: true });
      expect(error.message).toContain(`127.0.0.1:${port}`);
      expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
    });

    it('tells a host that does not exist', async () => {
      const url = changed(database.url, (at) => {
        at.hostname = 'no-such-host.invalid';
      });
      expect(await rejection(openConnection(url))).toMatchObject({ reason: 'CONNECT_REFUSED' });
    });

    it('gives up on a server that accepts and never answers', async () => {
      const silent = await serverOfOurs();
      const url = changed(database.url, (at) => {
        at.port = String(silent.port);
      });
      const error = await rejection(openConnection(url, { connectTimeout: 150 }));
      expect(error).toMatchObject({ reason: 'CONNECT_TIMEOUT', message: expect.stringContaining('150 ms') });
      await silent.stop();
    });

    it('tells a server that hangs up', async () => {
      const rude = await serverOfOurs((socket) => socket.destroy());
      const url = changed(database.url, (at) => {
        at.port = String(rude.port);
      });
      expect(await rejection(openConnection(url, { connectTimeout: 5_000 }))).toMatchObject({
        reason: 'CONNECT_REFUSED',
      });
      await rude.stop();
    });

    it('tells a wrong password, and shows it nowhere', async () => {
      const url = changed(database.url, (at) => {
        at.password = SECRET;
      });
      const error = await rejection(openConnection(url));
      expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'AUTH_FAILED' });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
    });

    it('tells a wrong password through a pooler too', async () => {
      const pooled = pgbouncerUrl(database.url);
      if (pooled === null) return;
      const url = changed(pooled, (at) => {
        at.password = SECRET;
      });
      const error = await rejection(openConnection(url));
      expect(error).toMatchObject({ code: 'UNAVAILABLE', reason: 'AUTH_FAILED' });
      expect(String(error)).not.toContain(SECRET);
    });

    it('tells a database that does not exist', async () => {
      const url = changed(database.url, (at) => {
        at.pathname = '/no_such_database';
      });
      const error = await rejection(openConnection(url));
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'BAD_URL' });
      expect(error.message).toContain('/no_such_database');
    });

    it('meets what sslmode asks, or says that it cannot', async () => {
      const mode = (sslmode: string) =>
        changed(database.url, (at) => at.searchParams.set('sslmode', sslmode));
      for (const plain of ['disable', 'allow', 'prefer']) await (await openConnection(mode(plain))).close();
      expect(await rejection(openConnection(mode('verify-full')))).toMatchObject({ reason: 'TLS_FAILED' });
      const required = await openConnection(mode('require')).then(
        async (connection) => {
          const secure = await isEncrypted(variant, connection);
          await connection.close();
          return secure;
        },
        (error: { reason?: string }) => error.reason,
      );
      expect([true, 'TLS_FAILED']).toContain(required);
      const given = openConnection(database.url, { ssl: { ca: 'not a certificate' } });
      expect(await rejection(given)).toMatchObject({ reason: 'TLS_FAILED' });
      const file = openConnection(
        mode('verify-full&sslrootcert=/no/such/file').replace('%26', '&').replace('%3D', '='),
      );
      expect(await rejection(file)).toMatchObject({ reason: 'BAD_URL' });
    });

    it('names itself to the server', async () => {
      if (variant.language !== 'postgres') return;
      const db = await openConnection(database.url, { applicationName: 'my service' });
      const name = sql(variant, "select current_setting('application_name') as name");
      expect(await db.rows(name, {})).toEqual([{ name: 'my service' }]);
      await db.close();
    });
  });
}

async function isEncrypted(
  variant: Variant,
  db: Awaited<ReturnType<typeof openConnection>>,
): Promise<boolean> {
  const text =
    variant.language === 'postgres'
      ? 'select ssl::text as value from pg_stat_ssl where pid = pg_backend_pid()'
      : "show session status like 'Ssl_cipher'";
  const row = (await db.rows(sql(variant, text), {}))[0] ?? {};
  const value = String(row.value ?? row.Value);
  return value !== '' && value !== 'false';
}

describe('options and targets', () => {
  it.each(['sqlite::memory:', 'pglite:memory'])('refuses a statementTimeout on %s', async (url) => {
    const error = await rejection(openConnection(url, { statementTimeout: 1000 }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'statementTimeout' });
  });

  it('refuses a statementTimeout that is no number of milliseconds', async () => {
    const error = await rejection(openConnection('postgres://127.0.0.1/x', { statementTimeout: 0.5 }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'statementTimeout' });
  });

  it('refuses what is no handle, and names those that are', async () => {
    const error = await rejection(openConnection({ query() {} } as never));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('pg Pool') });
    expect(await rejection(openConnection(null as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('asks a MySQL URL for its database', async () => {
    expect(await rejection(openConnection('mysql://root@127.0.0.1'))).toMatchObject({ reason: 'BAD_URL' });
  });
});
