import { Socket } from 'node:net';
import type { ConnectionOptions } from 'mysql2';
import { ChronosError } from '../errors.ts';
import { connectTimeout, within } from './deadline.ts';
import { mysqlFinding } from './failures/mysql.ts';
import { failure } from './failures.ts';
import type { MysqlClient } from './handles.ts';
import { FORM } from './mysql2.ts';
import type { ServerTarget } from './server-target.ts';
import type { Tls } from './tls.ts';

/** `createConnection` of mysql2. */
export type CreateConnection = (options: ConnectionOptions) => MysqlClient & {
  connect(callback: (error: unknown) => void): void;
};

/** Prepared statements kept by a connection: the server's limit of 16 382 is for all its clients together. */
const KEPT = 256;
/** How long an orderly goodbye may take. */
const GOODBYE = 1_000;

/** Everything that connecting needs. */
export interface MysqlConnector {
  readonly create: CreateConnection;
  readonly target: ServerTarget;
  readonly tls: readonly (Tls | false)[];
  readonly applicationName: string;
  /** Bound in ms. */
  readonly timeout: number;
  /** For messages. */
  readonly described: string;
}

/** A client of ours and its socket: mysql2 alone cannot end a client whose server does not answer. */
export interface OwnClient {
  readonly client: MysqlClient;
  end(): Promise<void>;
  destroy(): void;
}

/** Connects within the bound, with TLS or without as the target asks. */
export async function connectMysql(connector: MysqlConnector): Promise<OwnClient> {
  const deadline = Date.now() + connector.timeout;
  let refusal: unknown;
  for (const tls of connector.tls) {
    try {
      return await attempt(connector, tls, Math.max(deadline - Date.now(), 1));
    } catch (error) {
      refusal ??= error;
      if (!(error instanceof ChronosError) || error.reason !== 'TLS_FAILED') throw error;
    }
  }
  throw refusal;
}

async function attempt(connector: MysqlConnector, tls: Tls | false, ms: number): Promise<OwnClient> {
  const socket = openSocket(connector.target);
  const client = connector.create(connectionOptions(connector, tls, socket));
  // While connecting, errors arrive by the callback; without a listener a second one would end the process.
  client.on('error', () => {});
  const connected = new Promise<void>((resolve, reject) => {
    client.connect((error) => (error ? reject(error as Error) : resolve()));
  });
  const late = (cause: unknown) => connectTimeout(connector.described, connector.timeout, cause);
  try {
    await within(ms, connected, () => socket.destroy(), late);
  } catch (error) {
    socket.destroy();
    if (error instanceof ChronosError) throw error;
    const where = { doing: 'connect', phase: 'connect', target: connector.described } as const;
    throw failure(mysqlFinding(error, where), where);
  }
  return { client, end: () => goodbye(client, socket), destroy: () => socket.destroy() };
}

function openSocket(target: ServerTarget): Socket {
  const socket = new Socket();
  socket.setNoDelay(true);
  socket.setKeepAlive(true);
  return target.socket === undefined
    ? socket.connect(target.port, target.host)
    : socket.connect(target.socket);
}

function connectionOptions(connector: MysqlConnector, tls: Tls | false, socket: Socket): ConnectionOptions {
  const { target } = connector;
  return {
    host: target.host,
    port: target.port,
    stream: () => socket,
    // Our own bound is the only one.
    connectTimeout: 0,
    charset: 'utf8mb4_bin',
    // FOUND_ROWS, mysql2's default, stays: an update counts the rows that it found, as on the other engines.
    flags: ['-LOCAL_FILES'],
    ...FORM,
    jsonStrings: true,
    maxPreparedStatements: KEPT,
    connectAttributes: { program_name: connector.applicationName },
    ...(target.user === undefined ? {} : { user: target.user }),
    ...(target.password === undefined ? {} : { password: target.password.reveal() }),
    ...(target.database === undefined ? {} : { database: target.database }),
    ...(tls === false ? {} : { ssl: { ...tls } }),
  };
}

async function goodbye(client: MysqlClient, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), GOODBYE);
  try {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    client.end(() => socket.destroySoon());
    await closed;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
