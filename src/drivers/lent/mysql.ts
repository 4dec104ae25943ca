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

const NO_SAVEPOINT = 1305;
const facts = new WeakMap<MysqlClient, MysqlFacts>();

/** A connection of mysql2 on which its host has begun a transaction. */
export async function lentMysql(client: MysqlClient, main: Connection, options: OpenOptions): Promise<Lent> {
  const server = { ...main.server, target: "the host's mysql2 connection" };
  const known = await found(client, server.target);
  // A bound on statements needs a second client to kill with; the host's own bounds hold here.
  const { statementTimeout: _, ...unbound } = options;
  const make = () =>
    new Lane(new MysqlDriver(server, known, new LentClient(client), unbound), client, options.onStatement);
  return { connection: laneOf(client, make) };
}

async function found(client: MysqlClient, target: string): Promise<MysqlFacts> {
  try {
    await probe(client);
    const known = facts.get(client) ?? (await readFacts(client));
    facts.set(client, known);
    checkCharset(known);
    return known;
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error;
    const where = { doing: 'using', phase: 'statement', target } as const;
    throw failure(mysqlFinding(error, where), where);
  }
}

/** Outside a transaction a savepoint is gone as soon as it is made. */
async function probe(client: MysqlClient): Promise<void> {
  // Sent at once, so that nobody's rollback comes between the two.
  const made = ask(client, 'query', { sql: 'savepoint chronos_probe' });
  const released = ask(client, 'query', { sql: 'release savepoint chronos_probe' });
  try {
    await Promise.all([made, released]);
  } catch (error) {
    if (typeof error === 'object' && error !== null && Reflect.get(error, 'errno') === NO_SAVEPOINT) {
      throw notOpen(error);
    }
    throw error;
  }
}

function checkCharset({ charset }: MysqlFacts): void {
  if (charset === 'utf8mb4') return;
  throw new InvalidArgumentError('handle', `the connection uses ${charset}, not utf8mb4`, {
    hint: "give it `charset: 'utf8mb4'`, mysql2's default",
  });
}
