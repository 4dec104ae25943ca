import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { ChronosError } from '../errors.ts';
import { connectTimeout, within } from './deadline.ts';
import { postgresFinding } from './failures/postgres.ts';
import { errorText, failure } from './failures.ts';
import type { PgClient } from './handles.ts';
import type { ServerTarget } from './server-target.ts';
import type { Tls } from './tls.ts';

type ClientClass = new (
  config: ClientConfig,
) => PgClient & { connect(): Promise<unknown>; end(): Promise<void> };

/** How long an orderly goodbye may take. */
const GOODBYE = 1_000;

/** Everything that connecting needs. */
export interface PgConnector {
  readonly Client: ClientClass;
  readonly target: ServerTarget;
  readonly tls: readonly (Tls | false)[];
  readonly applicationName: string;
  /** Bound in ms. */
  readonly timeout: number;
  /** For messages. */
  readonly described: string;
}

/** A client of ours and its socket: node-postgres alone cannot end a client whose server does not answer. */
export interface OwnClient {
  readonly client: PgClient;
  end(): Promise<void>;
  destroy(): void;
}

/** Connects within the bound, with TLS or without as the target asks. */
export async function connectPg(connector: PgConnector): Promise<OwnClient> {
  const deadline = Date.now() + connector.timeout;
  let refusal: unknown;
  for (const tls of connector.tls) {
    try {
      return await attempt(connector, tls, Math.max(deadline - Date.now(), 1));
    } catch (error) {
      refusal ??= error;
      if (!otherFormMayWork(error)) throw error;
    }
  }
  throw refusal;
}

/** The server speaks no TLS, or its rules (28000) refuse this user in this form. */
function otherFormMayWork(error: unknown): boolean {
  if (!(error instanceof ChronosError)) return false;
  return error.reason === 'TLS_FAILED' || errorText(error.cause, 'code') === '28000';
}

async function attempt(connector: PgConnector, tls: Tls | false, ms: number): Promise<OwnClient> {
  const socket = new Socket();
  const client = new connector.Client(clientConfig(connector, tls, socket));
  // While connecting, errors arrive by the promise; without a listener a second one would end the process.
  client.on('error', () => {});
  // The package's own default may be another.
  client.binary = false;
  const late = (cause: unknown) => connectTimeout(connector.described, connector.timeout, cause);
  try {
    await within(ms, client.connect(), () => socket.destroy(), late);
  } catch (error) {
    socket.destroy();
    if (error instanceof ChronosError) throw error;
    const where = { doing: 'connect', phase: 'connect', target: connector.described } as const;
    throw failure(postgresFinding(error, where), where);
  }
  return { client, end: () => goodbye(client, socket), destroy: () => socket.destroy() };
}

function clientConfig(connector: PgConnector, tls: Tls | false, socket: Socket): ClientConfig {
  const { target } = connector;
  return {
    host: target.socket ?? target.host,
    port: target.port,
    user: target.user,
    password: target.password?.reveal(),
    database: target.database,
    application_name: connector.applicationName,
    keepAlive: true,
    stream: () => socket,
    ssl: tls === false ? false : sslConfig(tls),
  };
}

function sslConfig(tls: Tls): NonNullable<ClientConfig['ssl']> {
  const { verifyIdentity, ...rest } = tls;
  return verifyIdentity ? rest : { ...rest, checkServerIdentity: () => undefined };
}

async function goodbye(client: { end(): Promise<void> }, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), GOODBYE);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
