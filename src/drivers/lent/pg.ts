import { ChronosError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { postgresFinding } from '../failures/postgres.ts';
import { errorText, failure } from '../failures.ts';
import type { PgClient } from '../handles.ts';
import { Lane } from '../lane.ts';
import { notOpen } from '../not-open.ts';
import type { OpenOptions } from '../options.ts';
import { PgDriver, readFacts } from '../pg.ts';
import { LentClient } from './clients.ts';
import { knownLane, type Lent, laneOf } from './connection.ts';

/** Fails outside a transaction. */
const INSIDE = 'savepoint chronos_probe; release savepoint chronos_probe; ';
const NO_TRANSACTION = '25P01';
/** What the server said of the session with its last answer: no transaction. */
const IDLE = 'I';

const probes = new WeakMap<PgClient, Promise<boolean>>();

/** A client of node-postgres on which its host has begun a transaction. */
export async function lentPg(client: PgClient, main: Connection, options: OpenOptions): Promise<Lent> {
  const server = { ...main.server, target: "the host's pg client" };
  const direct = await inTurn(client, () => probe(client, server.target));
  // Names are prepared where the session is the client's own: a pooler may hand it to another one.
  const named = options.prepare !== false && direct;
  const make = () =>
    new Lane(new PgDriver(server, new LentClient(client), options, named), client, options.onStatement);
  return {
    connection: laneOf(client, make).connection,
    isOpen: () => client.getTransactionStatus?.() !== IDLE,
  };
}

/** One query of ours at a time: the package means to refuse a second. Who asks meanwhile takes the answer of the first. */
function inTurn(client: PgClient, task: () => Promise<boolean>): Promise<boolean> {
  const lane = knownLane(client);
  if (lane) return lane.inTurn(task);
  const running = probes.get(client);
  if (running) return running;
  const started = task().finally(() => probes.delete(client));
  probes.set(client, started);
  return started;
}

/** Whether the server's process is the one that the client was told: no pooler stands between. */
async function probe(client: PgClient, target: string): Promise<boolean> {
  try {
    const { pid } = await readFacts(client, 'handle', INSIDE);
    return client.processID === pid;
  } catch (error) {
    if (error instanceof ChronosError) throw error;
    if (errorText(error, 'code') === NO_TRANSACTION) throw notOpen(error);
    const where = { doing: 'using', phase: 'statement', target } as const;
    throw failure(postgresFinding(error, where), where);
  }
}
