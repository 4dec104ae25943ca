import { ChronosError } from '../errors.ts';
import { mysqlFinding } from './failures/mysql.ts';
import { failure } from './failures.ts';
import type { MysqlPool } from './handles.ts';
import { MysqlDriver, type MysqlFacts, type MysqlSource, readFacts } from './mysql2.ts';
import type { CreateConnection } from './mysql2-connect.ts';
import { HostMysqlSource, OwnMysqlSource } from './mysql2-source.ts';
import type { OpenOptions } from './options.ts';
import { describeTarget, type ServerTarget } from './target.ts';
import { tlsAttempts } from './tls.ts';
import { badUrl } from './url.ts';

/** Connects to MySQL or MariaDB. */
export async function openMysql2(
  create: CreateConnection,
  target: ServerTarget,
  options: OpenOptions,
): Promise<MysqlDriver> {
  const described = describeTarget(target);
  if (target.database === undefined) throw badUrl(`names no database (${described})`);
  const source = new OwnMysqlSource(
    {
      create,
      target,
      described,
      tls: await tlsAttempts(target.tls, options.ssl, target.socket),
      applicationName: target.applicationName ?? options.applicationName ?? 'chronos-storage',
      timeout: options.connectTimeout ?? target.connectTimeout ?? 10_000,
    },
    options,
  );
  return driver(await translated(described, () => source.start()), source, described, options);
}

/**
 * Takes the pool of a host. Its sessions keep their time zone, isolation and sql_mode; those under which rows would be
 * lost are refused.
 */
export function borrowMysql2(pool: MysqlPool, options: OpenOptions): Promise<MysqlDriver> {
  const described = "the host's mysql2 pool";
  return borrowMysqlSource(new HostMysqlSource(pool, described, options), described, options);
}

/** Takes what hands out connections of a host, likewise. */
export async function borrowMysqlSource(
  source: MysqlSource,
  described: string,
  options: OpenOptions,
): Promise<MysqlDriver> {
  const facts = await translated(described, async () => {
    const client = await source.acquire();
    try {
      return await readFacts(client, 'target');
    } finally {
      source.release(client, 'good');
    }
  });
  return driver(facts, source, described, options);
}

function driver(facts: MysqlFacts, source: MysqlSource, target: string, options: OpenOptions): MysqlDriver {
  const { version, database, maxPacket } = facts;
  return new MysqlDriver({ version, database, target, maxPacket }, facts, source, options);
}

async function translated<T>(target: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ChronosError) throw error;
    const where = { doing: 'connect', phase: 'connect', target } as const;
    throw failure(mysqlFinding(error, where), where);
  }
}
