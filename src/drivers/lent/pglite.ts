import type { Connection } from '../connection.ts';
import type { PgliteDatabase, PgliteQueries } from '../handles.ts';
import { Lane } from '../lane.ts';
import type { OpenOptions } from '../options.ts';
import { PgliteDriver } from '../pglite.ts';
import { LentClient } from './clients.ts';
import { type Lent, laneOf } from './connection.ts';

/** A transaction of PGlite, or a PGlite on which a query builder has begun one. */
export function lentPglite(tx: PgliteQueries, main: Connection, options: OpenOptions): Lent {
  const server = { ...main.server, target: "the host's PGlite transaction" };
  const client = tx as PgliteDatabase;
  const make = () => new Lane(new PgliteDriver(server, new LentClient(client)), client, options.onStatement);
  return { connection: laneOf(tx, make).connection, isOpen: () => Reflect.get(tx, 'closed') !== true };
}
