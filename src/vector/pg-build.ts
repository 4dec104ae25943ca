import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../drivers/connection.ts';
import { UnavailableError } from '../errors.ts';
import { perform, row, script, type Work } from '../repositories/work.ts';
import type { Dialect } from '../sql/dialect.ts';
import { statement } from '../sql/statement.ts';
import type { BuildOptions, Placed } from './engine.ts';
import { stopIfTold } from './options.ts';
import type { Features } from './pg-features.ts';
import { checkElementType } from './pg-features.ts';
import { INDEX, indexOf, indexText } from './pg-index.ts';
import { watch } from './pg-progress.ts';
import { type Registry, tableOf } from './registry.ts';

/** How often what others build is looked at, in ms. */
const GLANCE = 250;

/** How often a build that others are in the way of is begun again. */
const TRIES = 7;

/** What an index is built of, and where. */
export interface Building {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly features: Features;
  readonly collection: Placed;
}

const TRY_LOCK = statement(
  'vectors.build.lock',
  "select pg_try_advisory_xact_lock(hashtext('chronos_vectors_build'), hashtext($1::text))::text as got",
  ['table'],
);

const STATE = statement(
  'vectors.build.state',
  `select (select i.indisvalid::text ${INDEX}) as valid,
  (select count(*) from pg_catalog.pg_stat_progress_create_index as p
    where p.relid = pg_catalog.to_regclass($1::text)) as builders`,
  ['table', 'index'],
);

/** What is there of an index. */
type State = 'whole' | 'none' | 'broken' | 'being built';

function* stateOf({ dialect, collection }: Building): Work<State> {
  const found = yield* row(STATE, {
    table: dialect.place(tableOf(collection)),
    index: indexOf(collection),
  });
  if (found?.valid === 'true') return 'whole';
  // Who was killed leaves its server's side, which builds on for a while.
  if (Number(found?.builders) > 0) return 'being built';
  return found?.valid === 'false' ? 'broken' : 'none';
}

/**
 * Builds the index of a collection unless it is there. One builder at a time: the lock is held by a transaction that
 * is idle and reads only catalogs, for which a concurrent build does not wait.
 */
export async function buildIndex(building: Building, options: BuildOptions): Promise<void> {
  const { connection, dialect, registry, features, collection } = building;
  checkElementType(features, collection.elementType);
  await connection.transaction(async (holder) => {
    await locked(holder, dialect.place(tableOf(collection)), options);
    if (dialect.vectors?.concurrent) await buildBeside(building, holder, options);
    else if ((await perform(holder, stateOf(building))) !== 'whole') {
      await perform(holder, script(`drop index if exists ${dialect.place(indexOf(collection))}`));
      await perform(holder, script(indexText(dialect, features, collection, false)));
    }
    await perform(holder, registry.setIndexed(collection.number));
  });
}

/** Never waits inside the server: a waiter there would hold a snapshot, for which the build it waits for would wait. */
async function locked(holder: Connection, table: string, options: BuildOptions): Promise<void> {
  while ((await perform(holder, row(TRY_LOCK, { table })))?.got !== 'true') {
    await glance(holder, options);
  }
}

async function buildBeside(building: Building, holder: Connection, options: BuildOptions): Promise<void> {
  const { connection, dialect, collection } = building;
  for (let tries = 0; ; ) {
    const state = await perform(holder, stateOf(building));
    if (state === 'whole') return;
    if (state === 'being built') await glance(holder, options);
    else {
      const leftover = `drop index concurrently if exists ${dialect.place(indexOf(collection))}`;
      await letGo(holder);
      try {
        if (state === 'broken') await connection.script(leftover, options);
        await build(building, leftover, options);
      } catch (error) {
        // Whoever alters or drops the table waits for the build, which waits for them: the server ends either.
        tries += 1;
        if (!isInTheWay(error) || tries === TRIES) throw error;
        stopIfTold(options);
      }
    }
  }
}

function isInTheWay(error: unknown): boolean {
  return error instanceof UnavailableError && error.reason === 'CONTENTION';
}

async function build(building: Building, leftover: string, options: BuildOptions): Promise<void> {
  const { connection, dialect, features, collection } = building;
  const text = indexText(dialect, features, collection, true);
  const stop = watch(connection, dialect.place(tableOf(collection)), options);
  try {
    await connection.script(text, options);
  } catch (error) {
    if (!(error instanceof UnavailableError) || error.reason !== 'STORAGE_FULL') throw error;
    await connection.script(leftover, options);
    await alone(connection, text, options);
  } finally {
    await stop();
  }
}

/** Shared memory (`/dev/shm`) is too small for parallel workers: without them a build needs none of it. */
function alone(connection: Connection, text: string, options: BuildOptions): Promise<void> {
  return connection.session(
    async (session) => {
      await session.script('set max_parallel_maintenance_workers = 0');
      await session.script(text, options);
    },
    // The setting must not reach who gets the connection next.
    { spent: () => true },
  );
}

/** What was read last keeps its snapshot, for which a build waits, until another statement takes its place. */
function letGo(holder: Connection): Promise<void> {
  return holder.script('select 1');
}

async function glance(holder: Connection, options: BuildOptions): Promise<void> {
  await letGo(holder);
  if (!options.signal?.aborted) await sleep(GLANCE);
  stopIfTold(options);
}
