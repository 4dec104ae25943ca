import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MigratorOptions } from '../../src/migrate/index.ts';
import { ensureBuilt } from '../build.ts';
import { NODE_FLAGS } from '../servers/node-flags.ts';

/** What a child printed. */
export interface ChildEvent {
  readonly kind: string;
  readonly id?: string;
  readonly applied?: readonly { readonly id: string }[];
  readonly current?: readonly string[];
  readonly holder?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** How a child ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly events: readonly ChildEvent[];
}

/** A migrator in a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first event of this kind; rejects when the child ends without it. */
  event(kind: string): Promise<ChildEvent>;
}

type ChildOptions = Omit<MigratorOptions, 'signal' | 'onProgress' | 'onStatement'>;

/** Starts `up`. */
export async function startUp(target: string, options: ChildOptions = {}): Promise<Child> {
  const dist = await ensureBuilt();
  const script = join(import.meta.dirname, 'migrate-child.mjs');
  const args = [...NODE_FLAGS, script, dist, target, JSON.stringify(options), 'up'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: ChildEvent[] = [];
  const listeners = new Set<() => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    events.push(JSON.parse(line));
    for (const listener of listeners) listener();
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stderr, events }));
  });
  const event = (kind: string): Promise<ChildEvent> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.find((each) => each.kind === kind);
        if (found !== undefined) resolve(found);
      };
      listeners.add(look);
      look();
      ended.then((end) => reject(new Error(`ended without ${kind}: ${JSON.stringify(end)}`)), reject);
    });
  return { process: child, ended, event };
}

/** Whether the full counts of `npm run soak` are asked for. */
export const isSoak: boolean = process.env.CHRONOS_SOAK === '1';
