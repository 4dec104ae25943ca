import type { StatementSeen } from '../drivers/options.ts';
import { MigrationError } from '../errors.ts';
import type { Migrator, Report } from '../migrate/types.ts';
import type { CommandLine } from './command-line.ts';
import { judge } from './failure.ts';
import { Listener } from './listener.ts';
import type { CommandName } from './options.ts';
import { type Command, envelope, type Outcome } from './outcome.ts';
import { unseenNote } from './place.ts';
import type { Printer } from './print.ts';
import { readSettings, type Settings, type Variables } from './settings.ts';
import type { Signals } from './signals.ts';

/** Those that work on a database. */
const COMMANDS: Readonly<Record<Exclude<CommandName, 'new'>, () => Promise<Command>>> = {
  up: async () => (await import('./commands/up.ts')).up,
  down: async () => (await import('./commands/down.ts')).down,
  status: async () => (await import('./commands/status.ts')).status,
  verify: async () => (await import('./commands/verify.ts')).verify,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  history: async () => (await import('./commands/history.ts')).history,
  redo: async () => (await import('./commands/redo.ts')).redo,
  wait: async () => (await import('./commands/wait.ts')).wait,
  baseline: async () => (await import('./commands/baseline.ts')).baseline,
  repair: async () => (await import('./commands/repair.ts')).repair,
  unlock: async () => (await import('./commands/unlock.ts')).unlock,
};

/** After the work, nothing may hold the process longer than this (ms). */
const GRACE = 1000;

/** What one run needs. */
export interface RunContext {
  readonly line: CommandLine;
  readonly command: CommandName;
  readonly variables: Variables;
  readonly printer: Printer;
  readonly signals: Signals;
}

/** Runs a command, prints what came of it and resolves to the exit code. Never rejects. */
export async function run(context: RunContext): Promise<number> {
  const listener = new Listener(context.printer);
  let known: Partial<Report> = {};
  try {
    if (context.command === 'new') {
      const { newFiles } = await import('./commands/new.ts');
      return conclude(context, listener, known, await newFiles(context.line));
    }
    const command = await COMMANDS[context.command]();
    const settings = await readSettings(context.line, context.variables);
    known = { target: await describe(settings.target) };
    announce(settings, known, context.printer);
    const migrator = await open(context, settings, listener);
    try {
      const outcome = await unlessIdle(command(migrator, context.line), listener, context.signals.signal);
      known = outcome.report;
      return conclude(context, listener, known, outcome);
    } catch (error) {
      known = { ...known, ...(await standing(migrator, error, context.signals)) };
      throw error;
    } finally {
      // The work is done and said: a connection that does not end well changes nothing about it.
      await atMost(
        GRACE,
        migrator.close().catch(() => undefined),
      );
    }
  } catch (error) {
    return conclude(context, listener, { ...known, applied: listener.applied }, { error });
  } finally {
    context.printer.idle();
  }
}

/** Throws InvalidArgumentError (BAD_URL); has no secret. */
async function describe(target: string): Promise<string> {
  const { describeTarget, parseTarget } = await import('../drivers/target.ts');
  return describeTarget(parseTarget(target));
}

async function open(context: RunContext, settings: Settings, listener: Listener): Promise<Migrator> {
  const { printer, variables, signals } = context;
  const { createMigrator } = await import('../migrate/index.ts');
  return createMigrator(settings.target, {
    ...settings.options,
    signal: signals.signal,
    onProgress: (progress) => listener.hear(progress),
    ...(variables.CHRONOS_DEBUG === 'sql' ? { onStatement: (seen) => trace(seen, printer) } : {}),
  });
}

function announce(settings: Settings, { target }: Partial<Report>, printer: Printer): void {
  if (settings.defaulted) {
    printer.note(`no --url, CHRONOS_DATABASE_URL or DATABASE_URL: using ${settings.target}`);
  }
  printer.detail(`target: ${target}`);
  for (const [name, value] of Object.entries(settings.options)) {
    printer.detail(`${name}: ${name === 'ssl' ? 'from files' : value}`);
  }
}

function trace(seen: StatementSeen, printer: Printer): void {
  const failed = seen.error === undefined ? '' : ', failed';
  printer.debug(`sql: ${seen.name}, ${seen.ms.toFixed(1)} ms, ${seen.rows} rows${failed}`);
}

/** Where the database stands after a failure, if it can be had quickly. */
async function standing(migrator: Migrator, error: unknown, signals: Signals): Promise<Partial<Report>> {
  const { exitCode, failure } = judge(error, signals.exitCode);
  const unreachable =
    exitCode === 3 || exitCode >= 130 || (exitCode === 2 && failure.code !== 'UNKNOWN_TARGET');
  if (unreachable) return {};
  // Its own failure would only hide the one that is reported.
  const report = await atMost(
    GRACE,
    migrator.status().catch(() => undefined),
  );
  if (report === undefined) return {};
  // The error tells it, and how to mend it.
  const isTold = (finding: string) =>
    failure.code === 'MIGRATION_FAILED' && finding.startsWith(`${failure.migration} (`);
  return { ...report, findings: report.findings.filter((finding) => !isTold(finding)) };
}

/** Prints the end of a run and decides its exit code. */
function conclude(
  context: RunContext,
  listener: Listener,
  report: Partial<Report>,
  end: Outcome | { readonly error: unknown },
): number {
  const { printer, command, signals } = context;
  const outcome = 'error' in end ? undefined : end;
  const error = 'error' in end ? end.error : end.failure;
  const judged = error === undefined ? undefined : judge(error, outcome ? undefined : signals.exitCode);
  const exitCode = judged?.exitCode ?? 0;
  const findings = [...new Set([...listener.warnings, ...(report.findings ?? [])])];
  for (const { text, ink } of outcome?.lines ?? []) printer.result(text, ink);
  if (outcome !== undefined) printer.result(outcome.text);
  // Whoever is to say --yes must know what it would leave alone.
  const asks = judged?.failure.code === 'NOT_CONFIRMED';
  const { note } = asks ? unseenNote(report, context.line) : (outcome ?? {});
  if (note !== undefined) printer.note(note);
  const told = outcome?.tellsFindings === true && !context.line.has('quiet');
  if (!told) for (const finding of findings) printer.warn(finding);
  if (judged !== undefined) printer.failure(judged.failure, error);
  const parts = { exitCode, command, report: { ...report, findings }, more: outcome?.more };
  printer.object(envelope({ ...parts, failure: judged?.failure }));
  return exitCode;
}

/**
 * The promise, unless a signal comes while no migration runs: connecting and waiting hold nothing that would
 * have to be undone. A migration that runs is stopped and undone by the migrator, which then rejects.
 */
async function unlessIdle<T>(work: Promise<T>, listener: Listener, signal: AbortSignal): Promise<T> {
  const idle = new Promise<never>((_, reject) => {
    const stop = () => {
      if (!listener.working) reject(new MigrationError('stopped by a signal', { reason: 'INTERRUPTED' }));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  // It may reject after it was given up, when nobody listens any more.
  work.catch(() => undefined);
  return Promise.race([work, idle]);
}

/** The promise's value, or undefined after `ms`. */
async function atMost<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
