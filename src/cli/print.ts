import type { Failure } from './failure.ts';
import type { Envelope } from './outcome.ts';
import { Spinner } from './spinner.ts';

/** How much is said, and how. */
export interface Manner {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Whether stacks are shown. */
  readonly debug: boolean;
}

/** What a line means: red = it failed, yellow = look at it, green = done or well, dim = by the way. */
export type Ink = 'red' | 'yellow' | 'green' | 'dim';
const INKS: Readonly<Record<Ink, number>> = { red: 31, yellow: 33, green: 32, dim: 2 };
/** C0 and C1 controls but tab and newline: a name or a server's words must not drive the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The only writer to the console: results to stdout, all else to stderr. */
export class Printer {
  readonly #manner: Manner;
  readonly #spinner: Spinner | undefined;
  readonly #warned = new Set<string>();
  #told = false;

  constructor(manner: Manner) {
    this.#manner = manner;
    // A reader that went away (`up | head -0`) must not end a migration: its EPIPE is dropped.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    const spins = process.stderr.isTTY && process.env.TERM !== 'dumb' && !manner.json && !manner.quiet;
    if (spins) this.#spinner = new Spinner((text) => process.stderr.write(text));
  }

  /** A result for people, on stdout. */
  result(text: string, ink?: Ink): void {
    if (this.#manner.json || this.#manner.quiet || text === '') return;
    this.#line(process.stdout, text, ink);
  }

  /** The one object of `--json`. */
  object(value: Envelope): void {
    this.#told = true;
    if (this.#manner.json) process.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** Whether the end of the run was told: nothing can change it any more. */
  get told(): boolean {
    return this.#told;
  }

  /** What is good to know, on stderr. */
  note(text: string): void {
    if (!this.#manner.quiet) this.#line(process.stderr, text, 'dim');
  }

  /** What only `--verbose` says, on stderr. */
  detail(text: string): void {
    if (this.#manner.verbose) this.#line(process.stderr, text, 'dim');
  }

  /** A line that was asked for by CHRONOS_DEBUG, on stderr. */
  debug(text: string): void {
    this.#line(process.stderr, text, 'dim');
  }

  /** Each once, on stderr; in JSON they are `findings`. */
  warn(text: string): void {
    if (this.#manner.json || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#line(process.stderr, `warning: ${text}`, 'yellow');
  }

  /** What happened, where, and what to do, on stderr. */
  failure(failure: Failure, error: unknown): void {
    if (!this.#manner.json) {
      this.#line(process.stderr, `error: ${failure.message}`, 'red');
      const statement = failure.statement === null ? '' : `, statement ${failure.statement}`;
      if (failure.migration !== null) this.#line(process.stderr, `  in: ${failure.migration}${statement}`);
      if (failure.hint !== null) this.#line(process.stderr, `  to mend it: ${failure.hint}`);
    }
    for (const line of causes(error)) this.detail(`  cause: ${line}`);
    if (this.#manner.debug && error instanceof Error) this.debug(error.stack ?? error.message);
  }

  /** Shows on a terminal what is going on. */
  busy(text: string): void {
    this.#spinner?.spin(text);
  }

  /** Ends {@link busy}. */
  idle(): void {
    this.#spinner?.stop();
  }

  #line(stream: NodeJS.WriteStream, text: string, ink?: Ink): void {
    this.#spinner?.stop();
    const clean = text.replace(CONTROLS, '\ufffd');
    const painted = ink !== undefined && this.#manner.color && stream.isTTY;
    stream.write(painted ? `\u001b[${INKS[ink]}m${clean}\u001b[0m\n` : `${clean}\n`);
  }
}

/** Class and code of the errors below, innermost last. Not their messages: they may hold a row's values. */
function causes(error: unknown): string[] {
  const lines: string[] = [];
  for (let at = below(error); at instanceof Error && lines.length < 5; at = below(at)) {
    const facts = ['code', 'errno', 'sqlState'].flatMap((key) => {
      const value: unknown = Reflect.get(at as Error, key);
      return typeof value === 'string' || typeof value === 'number' ? [`${key} ${value}`] : [];
    });
    lines.push([at.name, ...facts].join(', '));
  }
  return lines;
}

function below(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
