import { ChronosError } from '../errors.ts';
import { postgresFinding } from './failures/postgres.ts';
import { failure } from './failures.ts';
import type { PgPool } from './handles.ts';
import type { OpenOptions } from './options.ts';
import { PgDriver, type PgFacts, type PgSource, readFacts } from './pg.ts';
import type { PgConnector } from './pg-connect.ts';
import { HostPgSource, OwnPgSource } from './pg-source.ts';
import { describeTarget, type ServerTarget } from './target.ts';
import { tlsAttempts } from './tls.ts';

/** Connects to Postgres, directly or through a pooler. */
export async function openPostgres(
  Client: PgConnector['Client'],
  target: ServerTarget,
  options: OpenOptions,
): Promise<PgDriver> {
  const described = describeTarget(target);
  const source = new OwnPgSource(
    {
      Client,
      target,
      described,
      tls: await tlsAttempts(target.tls, options.ssl, target.socket),
      applicationName: target.applicationName ?? options.applicationName ?? 'chronos-storage',
      timeout: options.connectTimeout ?? target.connectTimeout ?? 10_000,
    },
    options,
  );
  const facts = await translated(described, () => source.start());
  return driver(source, facts, described, options, !source.shared);
}

/** Takes the pool of a host. */
export async function borrowPostgres(pool: PgPool, options: OpenOptions): Promise<PgDriver> {
  const described = "the host's pg Pool";
  return borrowPgSource(new HostPgSource(pool, described, options), described, options);
}

/** Takes what hands out clients of a host. */
export async function borrowPgSource(
  source: PgSource,
  described: string,
  options: OpenOptions,
): Promise<PgDriver> {
  let direct = false;
  const facts = await translated(described, async () => {
    const client = await source.acquire();
    try {
      const found = await readFacts(client, 'target');
      direct = client.processID === found.pid;
      return found;
    } finally {
      source.release(client, source.isBroken(client) ? 'lost' : 'good');
    }
  });
  return driver(source, facts, described, options, direct);
}

/** `auto`: names where we speak to the server itself; a pooler may hand each statement to another session. */
function driver(
  source: PgSource,
  facts: PgFacts,
  target: string,
  options: OpenOptions,
  direct: boolean,
): PgDriver {
  const { version, database } = facts;
  const prepare = options.prepare ?? 'auto';
  return new PgDriver({ version, database, target }, source, options, prepare === 'auto' ? direct : prepare);
}

async function translated<T>(target: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ChronosError) throw error;
    const where = { doing: 'connect', phase: 'connect', target } as const;
    throw failure(postgresFinding(error, where), where);
  }
}
