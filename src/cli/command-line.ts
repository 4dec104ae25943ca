import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '../errors.ts';
import { nearest } from './nearest.ts';
import { COMMANDS, type CommandName, FLAGS, type FlagName, isCommand, isFlag, takes } from './options.ts';
import { count, duration, refused } from './values.ts';

/** One token of `parseArgs`. */
type Token = NonNullable<ReturnType<typeof tokensOf>>[number];

/** What was asked for, checked. */
export class CommandLine {
  readonly command: CommandName | undefined;
  /** What stands behind the command, as many as it takes. */
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<FlagName, string>;

  constructor(
    command: CommandName | undefined,
    values: ReadonlyMap<FlagName, string>,
    words: readonly string[] = [],
  ) {
    this.command = command;
    this.words = words;
    this.#values = values;
  }

  has(flag: FlagName): boolean {
    return this.#values.has(flag);
  }

  text(flag: FlagName): string | undefined {
    return this.#values.get(flag);
  }

  /** Milliseconds. */
  duration(flag: FlagName): number | undefined {
    const text = this.#values.get(flag);
    return text === undefined ? undefined : duration(flag, text);
  }

  count(flag: FlagName): number | undefined {
    const text = this.#values.get(flag);
    return text === undefined ? undefined : count(flag, text);
  }
}

/** Reads argv. Throws InvalidArgumentError (USAGE), unless help or the version is asked for. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const tokens = tokensOf(argv);
  const [first, second] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  // Many commands have it as a word too.
  const asksHelp = first === 'help';
  const word = asksHelp ? second : first;
  const command = word !== undefined && isCommand(word) ? word : undefined;
  if (asksHelp) return new CommandLine(command, new Map([['help', '']]));
  for (const flag of ['help', 'version'] as const) {
    if (tokens.some((token) => token.kind === 'option' && token.name === flag)) {
      return new CommandLine(command, new Map([[flag, '']]));
    }
  }
  const values = new Map(tokens.flatMap((token) => (token.kind === 'option' ? [readFlag(token)] : [])));
  const words = readWords(tokens);
  const line = new CommandLine(command, values, words);
  checkTogether(line, values);
  return line;
}

/** Not strict: parseArgs's own complaints would repeat values. */
function tokensOf(argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, flag]) => [
      name,
      {
        type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const),
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function readFlag(token: Extract<Token, { kind: 'option' }>): [FlagName, string] {
  const { name, value, rawName } = token;
  if (!isFlag(name)) throw unknownFlag(rawName);
  if (FLAGS[name].kind === 'switch') {
    if (value !== undefined) throw refused(name, 'takes no value', `write --${name} alone`);
    return [name, ''];
  }
  if (value === undefined || value === '' || (!token.inlineValue && value.startsWith('-'))) {
    throw refused(name, 'needs a value', `write --${name} ${FLAGS[name].value ?? 'VALUE'}`);
  }
  return [name, value];
}

function unknownFlag(rawName: string): InvalidArgumentError {
  const guess = nearest(rawName.replace(/^-+/, ''), Object.keys(FLAGS));
  const hint = guess === undefined ? 'chronos-migrate --help lists them' : `did you mean --${guess}?`;
  return new InvalidArgumentError(rawName, 'there is no such option', { reason: 'USAGE', hint });
}

/** What stands behind the command: as many words as it takes. */
function readWords(tokens: readonly Token[]): readonly string[] {
  const [first, ...words] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  if (first === undefined) return [];
  if (!isCommand(first)) throw unknownCommand(first);
  const takes = COMMANDS[first].words ?? [];
  if (words.length === takes.length) return words;
  const problem =
    takes.length === 0 ? 'takes no argument beside its options' : `takes ${takes.join(' ')} behind it`;
  throw new InvalidArgumentError(first, problem, {
    reason: 'USAGE',
    hint: words.some((word) => word.includes('://'))
      ? 'the database is given with --url'
      : `chronos-migrate ${first} --help shows how it is used`,
  });
}

function unknownCommand(word: string): InvalidArgumentError {
  const guess = nearest(word, Object.keys(COMMANDS));
  const hint = guess === undefined ? 'chronos-migrate --help lists them' : `did you mean ${guess}?`;
  // A word that is none may be a URL with a password that lost its --url: only plain words are repeated.
  const shown = /^[a-z-]{1,20}$/i.test(word) ? word : 'command';
  return new InvalidArgumentError(shown, 'there is no such command', { reason: 'USAGE', hint });
}

function checkTogether(line: CommandLine, values: ReadonlyMap<FlagName, string>): void {
  for (const [flag] of values) {
    if (line.command !== undefined && !takes(line.command, flag)) {
      const owners = FLAGS[flag].only?.join(' and ');
      throw refused(flag, `${line.command} does not take it`, `it belongs to ${owners}`);
    }
    if (FLAGS[flag].kind === 'duration') line.duration(flag);
    if (FLAGS[flag].kind === 'count') line.count(flag);
  }
  if (line.has('to') && line.has('step')) throw refused('step', 'not together with --to', 'give one of them');
  if (line.has('quiet') && line.has('verbose')) {
    throw refused('quiet', 'not together with --verbose', 'give one of them');
  }
}
