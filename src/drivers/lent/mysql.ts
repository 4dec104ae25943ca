import { InvalidArgumentError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { mysqlFinding } from '../failures/mysql.ts';
import { failure } from '../failures.ts';
import type { MysqlClient } from '../handles.ts';
import { Lane } from '../lane.ts';
import { ask, MysqlDriver, type MysqlFacts, readFacts } from '../mysql2.ts';
import { notOpen } from '../not-open.ts';
import type { OpenOptions } from '../options.ts';
import { LentClient } from './clients.ts';
import { type Lent, laneOf } from './connection.ts';

/** Bits of what the server says of the session with each OK. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;
const facts = new WeakMap<MysqlClient, MysqlFacts>();

/** A connection of mysql2 on which its host has begun a transaction. */
export async function lentMysql(client: MysqlClient, main: Connection, options: OpenOptions): Promise<Lent> {
  const server = { ...main.server, target: "the host's mysql2 connection" };
  const known = await asking(server.target, () => found(client));
  // A bound on statements needs a second client to kill with; the host's own bounds hold here.
  const { statementTimeout: _, ...unbound } = options;
  const make = () =>
    new Lane(new MysqlDriver(server, known, new LentClient(client), unbound), client, options.onStatement);
  const { lane, connection } = laneOf(client, make);
  // A lane that was stopped says why by itself, and nothing more is sent.
  const isOpen = async () => Boolean(lane.stopped) || (await asking(server.target, () => isBegun(client)));
  return { connection, isOpen };
}

async function found(client: MysqlClient): Promise<MysqlFacts> {
  // A transaction first: what the connection is does not matter where none is open.
  if (!(await isBegun(client))) throw notOpen();
  const known = facts.get(client) ?? (await readFacts(client, 'handle'));
  facts.set(client, known);
  return known;
}

/**
 * Asked of the server, in one round trip: mysql2 keeps nothing of the answers to the host's own statements, and in
 * autocommit ours would be stored one by one.
 */
async function isBegun(client: MysqlClient): Promise<boolean> {
  const answer = await ask(client, 'query', { sql: 'do 0' });
  const status = 'serverStatus' in answer ? answer.serverStatus : AUTOCOMMIT;
  // With `autocommit = 0` there is always a transaction, which the first statement begins.
  return (status & IN_TRANSACTION) !== 0 || (status & AUTOCOMMIT) === 0;
}

async function asking<T>(target: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error;
    const where = { doing: 'using', phase: 'statement', target } as const;
    throw failure(mysqlFinding(error, where), where);
  }
}
