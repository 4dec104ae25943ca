import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import { type TestDatabase, variants } from '../variants.ts';
import { rejection } from './forms.ts';

const certificate = join(import.meta.dirname, 'certificates/localhost.cert.pem');
const cert = readFileSync(certificate, 'utf8');
const key = readFileSync(join(import.meta.dirname, 'certificates/localhost.key.pem'), 'utf8');

/** Speaks TLS in front of a Postgres that may have none; counts what came with TLS and without. */
class TlsFront {
  secure = 0;
  plain = 0;
  port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #behind: { readonly host: string; readonly port: number };

  constructor(url: URL) {
    this.#behind = { host: url.hostname, port: Number(url.port) };
  }

  async start(): Promise<void> {
    this.#server.listen(0, 'localhost');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address) this.port = address.port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (first) => {
      const behind = connect(this.#behind);
      behind.on('error', () => socket.destroy());
      this.#sockets.add(behind);
      // SSLRequest: length 8, code 80877103.
      if (first.length !== 8 || first.readInt32BE(4) !== 80_877_103) {
        this.plain += 1;
        behind.write(first);
        socket.pipe(behind).pipe(socket);
        return;
      }
      this.secure += 1;
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, cert, key });
      secure.on('error', () => socket.destroy());
      secure.pipe(behind).pipe(secure);
    });
  }
}

describe.each(variants.filter(({ driver }) => driver === 'pg'))('$name behind TLS', (variant) => {
  let database: TestDatabase;
  let front: TlsFront;
  beforeAll(async () => {
    database = await variant.createDatabase('drivers_tls');
    front = new TlsFront(new URL(database.url));
    await front.start();
  });
  afterAll(() => front.stop());

  const url = (host: string, query: string) => {
    const at = new URL(database.url);
    at.host = `${host}:${front.port}`;
    return `${at.href}?${query}`;
  };

  it.each([
    ['', 'secure'],
    ['sslmode=prefer', 'secure'],
    ['sslmode=require', 'secure'],
    [`sslmode=require&sslrootcert=${certificate}`, 'secure'],
    [`sslmode=verify-ca&sslrootcert=${certificate}`, 'secure'],
    [`sslmode=verify-full&sslrootcert=${certificate}`, 'secure'],
    ['sslmode=disable', 'plain'],
    ['sslmode=allow', 'plain'],
  ] as const)('connects with ?%s: %s', async (query, kind) => {
    const before = front[kind];
    await (await openConnection(url('localhost', query))).close();
    expect(front[kind]).toBe(before + 1);
  });

  it('takes a CA from the options, and checks the host with it', async () => {
    await (await openConnection(url('localhost', ''), { ssl: { ca: cert } })).close();
    const other = openConnection(url('127.0.0.1', ''), { ssl: { ca: cert } });
    expect(await rejection(other)).toMatchObject({ reason: 'TLS_FAILED' });
  });

  it.each(['sslmode=verify-ca', 'sslmode=verify-full'])(
    'refuses a certificate of nobody with ?%s',
    async (query) => {
      expect(await rejection(openConnection(url('localhost', query)))).toMatchObject({
        reason: 'TLS_FAILED',
      });
    },
  );

  it('checks the name only with verify-full', async () => {
    const ca = `sslrootcert=${certificate}`;
    await (await openConnection(url('127.0.0.1', `sslmode=verify-ca&${ca}`))).close();
    const full = openConnection(url('127.0.0.1', `sslmode=verify-full&${ca}`));
    expect(await rejection(full)).toMatchObject({ reason: 'TLS_FAILED' });
  });
});
