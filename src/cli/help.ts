import { EXIT_CODES } from './exit-codes.ts';
import {
  COMMANDS,
  type CommandFacts,
  type CommandName,
  FLAGS,
  type Flag,
  type FlagName,
  isCommand,
  isFlag,
  takes,
} from './options.ts';

const FLAG_NAMES: readonly FlagName[] = Object.keys(FLAGS).filter(isFlag);

const EXAMPLES: readonly [string, string][] = [
  ['chronos-migrate up', 'an SQLite file, ./chronos.db'],
  [
    'chronos-migrate up --url postgres://me@localhost/app',
    'also mysql://, mariadb://, pglite:DIR, sqlite:FILE',
  ],
  ['chronos-migrate up --dir ./migrations', 'ours, then your own files'],
  ['chronos-migrate status --check', 'for a deployment: exit 10 while anything is pending'],
  ['chronos-migrate up --grant-to app', 'and let the role app read and write, not migrate'],
  ['chronos-migrate doctor', 'what to mend before it hurts'],
];

const TIMES = 'TIME is 10s, 500ms, 2m or 1h; a plain number is seconds.\n';

/** The help of one command, or of all. */
export function helpText(command?: CommandName): string {
  return command === undefined ? allHelp() : commandHelp(command);
}

function allHelp(): string {
  return [
    'chronos-migrate: brings a database to the schema of chronos-storage, and says where it stands\n',
    'Usage: chronos-migrate COMMAND [options]\n',
    section(
      'Commands',
      Object.entries(COMMANDS).map(([name, facts]) => [usageOf(name, facts), facts.does]),
    ),
    ...Object.keys(COMMANDS).filter(isCommand).flatMap(ownFlags),
    section('Options', rows(FLAG_NAMES.filter((name) => FLAGS[name].only === undefined))),
    TIMES,
    section('Exit codes', EXIT_CODES),
    section('Examples', EXAMPLES),
  ].join('\n');
}

function commandHelp(command: CommandName): string {
  const facts = COMMANDS[command];
  return [
    `chronos-migrate ${command}: ${facts.does}\n`,
    `Usage: chronos-migrate ${usageOf(command, facts)} [options]\n`,
    section(
      'Options',
      rows(
        FLAG_NAMES.filter((name) => takes(command, name) && FLAGS[name].only !== undefined),
        command,
      ),
    ),
    section('Options of every command', rows(FLAG_NAMES.filter((name) => FLAGS[name].only === undefined))),
    TIMES,
    section(
      'Examples',
      facts.examples.map(([line, what]) => [`chronos-migrate ${line}`, what]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** A command with the words that it takes. */
function usageOf(name: string, { words = [] }: CommandFacts): string {
  return [name, ...words].join(' ');
}

function ownFlags(command: CommandName): string[] {
  const own = FLAG_NAMES.filter((name) => FLAGS[name].only?.includes(command));
  return own.length === 0 ? [] : [section(`Options of ${command}`, rows(own, command))];
}

function rows(names: readonly FlagName[], command?: CommandName): [string, string][] {
  return names.map((name) => {
    const { does, doesFor } = FLAGS[name];
    return [usage(name, FLAGS[name]), (command && doesFor?.[command]) ?? does];
  });
}

function usage(name: FlagName, flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
}

function section(title: string, lines: readonly (readonly [string, string])[]): string {
  if (lines.length === 0) return '';
  const width = Math.max(...lines.map(([left]) => left.length));
  return `${[title, ...lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)].join('\n')}\n`;
}
