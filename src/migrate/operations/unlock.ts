import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { LockHolder, MigrationEngine } from '../engines/engine.ts';
import type { UnlockOptions, UnlockReport } from '../types.ts';
import type { Context } from './context.ts';

/** How long a session that was told to end may take to do so (ms). */
const GRACE = 10_000;
const PAUSE = 50;

/** Says who holds the lock; with `force` ends that session and waits until it has let go. */
export async function unlock({ source }: Context, { force = false }: UnlockOptions): Promise<UnlockReport> {
  const folder = await source.folder(force);
  if (folder !== undefined) return folder;
  const { engine } = await source.read();
  const place = { engine: engine.dialectName, target: engine.target };
  const holder = await engine.holder();
  if (holder === undefined || !force) return { ...place, holder: holder?.text ?? null, ended: false };
  await holder.end();
  await untilGone(engine, holder);
  return { ...place, holder: holder.text, ended: true };
}

async function untilGone(engine: MigrationEngine, { session, text }: LockHolder): Promise<void> {
  const end = performance.now() + GRACE;
  while ((await engine.holder())?.session === session) {
    if (performance.now() > end) {
      throw new UnavailableError(`told to end, and still there: ${text}`, {
        reason: 'LOCK_TIMEOUT',
        retryable: true,
        hint: 'the server undoes what it ran, or still runs its statement: wait, and look again',
      });
    }
    await sleep(PAUSE);
  }
}
