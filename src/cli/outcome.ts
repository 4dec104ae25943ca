import type { Migrator, Report } from '../migrate/types.ts';
import type { CommandLine } from './command-line.ts';
import type { Failure } from './failure.ts';
import type { Ink } from './print.ts';

/** A line of a screen. */
export interface Line {
  readonly text: string;
  readonly ink?: Ink;
}

/** What a command came to. */
export interface Outcome {
  /** What is known of where the database stands. */
  readonly report: Partial<Report>;
  /** For people, before `text`. */
  readonly lines?: readonly Line[];
  /** What is good to know beside it, for people. */
  readonly note?: string;
  /** For people, without a last newline; '' = nothing. */
  readonly text: string;
  /** Members of the JSON object that only this command has. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** What `--check` found: the report is printed, and this decides the exit code. */
  readonly failure?: Error;
  /** Whether `lines` tell the report's findings, which are then not warned of again. */
  readonly tellsFindings?: boolean;
}

/** One file of `commands/`. */
export type Command = (migrator: Migrator, line: CommandLine) => Promise<Outcome>;

/** What `--json` prints. Each member is always there, but for `error` and what only one command has. */
export interface Envelope {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly command: string | null;
  readonly engine: string | null;
  readonly version: string | null;
  readonly target: string | null;
  readonly applied: Report['applied'];
  readonly current: Report['current'];
  readonly pending: Report['pending'];
  readonly changed: Report['changed'];
  readonly missing: Report['missing'];
  readonly unseen: Report['unseen'];
  readonly partial: Report['partial'];
  readonly findings: Report['findings'];
  readonly error?: Failure;
}

/** The parts that an {@link Envelope} is made of. */
export interface Parts {
  readonly exitCode: number;
  readonly command: string | undefined;
  readonly report: Partial<Report>;
  readonly more?: Readonly<Record<string, unknown>> | undefined;
  readonly failure?: Failure | undefined;
}

/** The one object of `--json`; what is not known is null or empty. */
export function envelope(parts: Parts): Envelope {
  const { report, failure } = parts;
  return {
    ok: parts.exitCode === 0,
    exitCode: parts.exitCode,
    command: parts.command ?? null,
    engine: report.engine ?? null,
    version: report.version ?? null,
    target: report.target ?? null,
    applied: report.applied ?? [],
    current: report.current ?? [],
    pending: report.pending ?? [],
    changed: report.changed ?? [],
    missing: report.missing ?? [],
    unseen: report.unseen ?? [],
    partial: report.partial ?? null,
    findings: report.findings ?? [],
    ...parts.more,
    ...(failure === undefined ? {} : { error: failure }),
  };
}
