import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from '../build.ts';

/** What the writers of one process do. */
export interface WriterTask {
  readonly session: string;
  readonly writers: number;
  readonly milliseconds: number;
  /** Whether each append names the head that it expects. */
  readonly expecting?: boolean;
}

/** What they were told. */
export interface Written {
  /** Id and place of each event that was acknowledged. */
  readonly acknowledged: readonly (readonly [string, number])[];
  /** How often another was faster. */
  readonly told: number;
}

/** Runs writers in so many processes, which begin together. `beside` is told when they began and when they ended. */
export async function runWriters(
  target: string,
  processes: number,
  task: WriterTask,
  beside: (ended: Promise<unknown>) => Promise<void>,
): Promise<readonly Written[]> {
  const dist = await ensureBuilt();
  const script = join(import.meta.dirname, 'writer-child.mjs');
  const children = await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(script, [dist, target, JSON.stringify(task)], { serialization: 'advanced' });
      const result = new Promise<Written>((resolve, reject) => {
        child.on('message', (message) => {
          if (message !== 'ready') resolve(message as Written);
        });
        child.once('exit', (code) => reject(new Error(`a writer ended with ${code}`)));
      });
      await Promise.race([new Promise((ready) => child.once('message', ready)), result]);
      return { child, result };
    }),
  );
  const results = Promise.all(children.map(({ result }) => result));
  for (const { child } of children) child.send('go');
  await Promise.all([beside(results), results]);
  return results;
}
