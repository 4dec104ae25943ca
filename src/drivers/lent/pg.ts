import type { Connection } from '../connection.ts';
import { postgresFinding } from '../failures/postgres.ts';
import { errorText, failure } from '../failures.ts';
import type { PgClient, PgResult } from '../handles.ts';
import { Lane } from '../lane.ts';
import { notOpen } from '../not-open.ts';
import type { OpenOptions } from '../options.ts';
import { PgDriver } from '../pg.ts';
import { LentClient } from './clients.ts';
import { type Lent, laneOf } from './connection.ts';

/** Fails outside a transaction; tells whether the server's side is the one that the client was told. */
const PROBE =
  'savepoint chronos_probe; release savepoint chronos_probe; select pg_backend_pid()::text as pid';
const NO_TRANSACTION = '25P01';
/** What the server said of the session with its last answer: no transaction. */
const IDLE = 'I';

/** A client of node-postgres on which its host has begun a transaction. */
export async function lentPg(client: PgClient, main: Connection, options: OpenOptions): Promise<Lent> {
  const server = { ...main.server, target: "the host's pg client" };
  const direct = await probe(client, server.target);
  // Names are prepared where the session is the client's own: a pooler may hand it to another one.
  const named = options.prepare !== false && direct;
  const make = () =>
    new Lane(new PgDriver(server, new LentClient(client), options, named), client, options.onStatement);
  return {
    connection: laneOf(client, make).connection,
    isOpen: () => client.getTransactionStatus?.() !== IDLE,
  };
}

/** Whether the server's process is the one that the client was told: no pooler stands between. */
async function probe(client: PgClient, target: string): Promise<boolean> {
  try {
    const answer = await client.query({ text: PROBE });
    const last = (Array.isArray(answer) ? answer.at(-1) : answer) as PgResult;
    return String(client.processID) === String(Object.values(last.rows[0] ?? {})[0]);
  } catch (error) {
    if (errorText(error, 'code') === NO_TRANSACTION) throw notOpen(error);
    const where = { doing: 'using', phase: 'statement', target } as const;
    throw failure(postgresFinding(error, where), where);
  }
}
