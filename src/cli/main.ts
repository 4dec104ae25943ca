#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '../errors.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { judge } from './failure.ts';
import { helpText } from './help.ts';
import { envelope } from './outcome.ts';
import { type Manner, Printer } from './print.ts';
import { Signals } from './signals.ts';

/** What is left open after the end is cut off after this (ms). */
const LINGER = 500;

void main(process.argv.slice(2)).then(end);

/** Answers help, the version and mistakes before anything else is loaded; never rejects. */
async function main(argv: readonly string[]): Promise<number> {
  const printer = new Printer(mannerOf(argv));
  try {
    const line = readCommandLine(argv);
    if (line.has('help')) return answer(helpText(line.command).trimEnd());
    if (line.has('version')) return answer(version());
    return await runCommand(line, printer);
  } catch (error) {
    return fail(printer, error);
  }
}

function fail(printer: Printer, error: unknown, command?: string): number {
  const { failure, exitCode } = judge(error);
  printer.failure(failure, error);
  printer.object(envelope({ exitCode, command, report: {}, failure }));
  return exitCode;
}

async function runCommand(line: CommandLine, printer: Printer): Promise<number> {
  const { command } = line;
  if (command === undefined) {
    throw new InvalidArgumentError('command', 'none was given', {
      reason: 'USAGE',
      hint: 'chronos-migrate up applies what is pending; chronos-migrate --help lists the rest',
    });
  }
  const signals = new Signals(() => printer.note('stopping; once more ends at once'));
  process.on('uncaughtException', (error) => {
    // A database package, or a migration in code, may throw where nobody can catch it; Node would print its source and a stack.
    if (printer.told) return printer.note(`after the end was told: ${judge(error).failure.message}`);
    process.exit(fail(printer, error, command));
  });
  const { run } = await import('./run.ts');
  const forbidExit = (code: number) => {
    if (code !== 0) return;
    printer.warn(
      'the process was ended from inside, by a migration in code perhaps: how far it came is not known',
    );
    process.exitCode = 1;
  };
  process.on('exit', forbidExit);
  const exitCode = await run({ line, command, variables: process.env, printer, signals });
  process.off('exit', forbidExit);
  return exitCode;
}

/** Read from argv itself, so that mistakes in it are told in the manner that was asked for. */
function mannerOf(argv: readonly string[]): Manner {
  const { NO_COLOR = '', TERM, CHRONOS_DEBUG = '' } = process.env;
  const has = (flag: string) => argv.includes(flag);
  return {
    json: has('--json'),
    quiet: has('--quiet'),
    verbose: has('--verbose'),
    color: NO_COLOR === '' && TERM !== 'dumb' && !has('--no-color'),
    debug: CHRONOS_DEBUG !== '',
  };
}

/** Help and the version are plain text, whatever else was asked for. */
function answer(text: string): number {
  new Printer({ json: false, quiet: false, verbose: false, color: false, debug: false }).result(text);
  return 0;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return 'unknown';
  return String(manifest.version);
}

/** Lets what was written go out; a handle that lingers is cut off. */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), LINGER).unref();
}
