import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Envelope } from '../../src/cli/outcome.ts';
import { ensureBuilt } from '../build.ts';
import { NODE_FLAGS } from '../servers/node-flags.ts';

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Beside PATH, HOME and nothing else of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Runs it through another program, for example `setpriv`. */
  readonly through?: readonly string[];
}

/** A run of the built `chronos-migrate`. */
export class CliProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(command: string, args: readonly string[], options: CliOptions) {
    this.child = spawn(command, args, {
      cwd: options.cwd ?? emptyFolder(),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => {
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** Resolves once stderr holds `pattern`; rejects if the process ends without it. */
  says(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => pattern.test(this.#stderr) && resolve();
      this.child.stderr?.on('data', look);
      this.child.on('close', () => reject(new Error(`ended without ${pattern}: ${this.#stderr}`)));
      look();
    });
  }
}

/** Path of the built command. */
export async function builtCli(): Promise<string> {
  return join(await ensureBuilt(), 'cli/main.js');
}

/** Starts `chronos-migrate`. */
export async function start(args: readonly string[], options: CliOptions = {}): Promise<CliProcess> {
  const [command = '', ...before] = [...(options.through ?? []), process.execPath, ...NODE_FLAGS];
  return new CliProcess(command, [...before, await builtCli(), ...args], options);
}

/** Runs `chronos-migrate` to its end. */
export async function cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return (await start(args, options)).ended;
}

/** Runs it with `--json`: its one object, and that stdout holds nothing else. */
export async function cliJson(args: readonly string[], options: CliOptions = {}): Promise<Envelope> {
  const { stdout, code } = await cli([...args, '--json'], options);
  const lines = stdout.split('\n');
  expect(lines, stdout).toHaveLength(2);
  const envelope: Envelope = JSON.parse(lines[0] ?? '');
  expect(envelope.exitCode).toBe(code);
  expect(envelope.ok).toBe(code === 0);
  return envelope;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder of its own, gone after the test file. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chronos-cli-'));
  folders.push(folder);
  return folder;
}
