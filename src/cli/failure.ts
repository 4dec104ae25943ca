import { ChronosError, MigrationError, type Reason } from '../errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { spoken } from './spoken.ts';

/** An error as `--json` shows it, and the text too. */
export interface Failure {
  /** The reason's word, else the class's; UNEXPECTED for what is not ours. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly migration: string | null;
  readonly statement: number | null;
}

/** What mends an error whose thrower did not say. */
const HINTS: Readonly<Partial<Record<Reason, string>>> = {
  BAD_URL: 'give --url as scheme://user:password@host/database, sqlite:FILE or pglite:DIR',
  CONNECTION_LOST: 'run it again: it goes on where it stands',
  DATABASE_ERROR: 'the code is the database’s own: look it up there, or in the log of the server',
  INTERRUPTED: 'run it again: it goes on where it stands',
  TIMEOUT: 'raise --statement-timeout, or look for what holds a lock',
  USAGE: 'chronos-migrate --help lists commands and options',
};

/** A failure with the exit code that it means. */
export interface Judged {
  readonly failure: Failure;
  readonly exitCode: number;
}

/** What an error means to the one who ran the command. `signal` = the exit code of a signal that came before it. */
export function judge(error: unknown, signal?: number): Judged {
  if (!(error instanceof ChronosError)) return unexpected(error, signal);
  const interrupted = signal !== undefined;
  const code = error.reason ?? error.code;
  return {
    exitCode: signal ?? exitCodeOf(error),
    failure: {
      code: interrupted ? 'INTERRUPTED' : code,
      message:
        interrupted && code !== 'INTERRUPTED' ? `interrupted (${code}): ${spoken(error)}` : spoken(error),
      hint: error.hint ?? hintFor(error.reason),
      migration: (error instanceof MigrationError ? error.migration : undefined) ?? null,
      statement: (error instanceof MigrationError ? error.statement : undefined) ?? null,
    },
  };
}

function hintFor(reason: Reason | undefined): string | null {
  return (reason === undefined ? undefined : HINTS[reason]) ?? null;
}

/** Its message is not repeated: nobody vouches that what is not ours holds no secret. */
function unexpected(error: unknown, signal: number | undefined): Judged {
  const name = error instanceof Error ? error.name : typeof error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return {
    exitCode: signal ?? 1,
    failure: {
      code: signal === undefined ? 'UNEXPECTED' : 'INTERRUPTED',
      message: `an error that chronos-migrate did not expect: ${name}${code}`,
      hint: 'run it again with CHRONOS_DEBUG=1 to see the whole error, and report it',
      migration: null,
      statement: null,
    },
  };
}
