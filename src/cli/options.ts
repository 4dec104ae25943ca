/** The commands of `chronos-migrate`. */
export type CommandName =
  | 'up'
  | 'down'
  | 'redo'
  | 'status'
  | 'verify'
  | 'doctor'
  | 'history'
  | 'wait'
  | 'baseline'
  | 'repair'
  | 'unlock'
  | 'new';

/** What a flag's value must look like; `switch` takes none. */
export type FlagKind = 'switch' | 'text' | 'count' | 'duration';

/** The flags of `chronos-migrate`. */
export type FlagName =
  | 'to'
  | 'step'
  | 'dry-run'
  | 'grant-to'
  | 'yes'
  | 'check'
  | 'at'
  | 'timeout'
  | 'force'
  | 'app-role'
  | 'url'
  | 'schema'
  | 'dir'
  | 'namespace'
  | 'env-file'
  | 'ssl-ca'
  | 'ssl-cert'
  | 'ssl-key'
  | 'connect-timeout'
  | 'lock-timeout'
  | 'statement-timeout'
  | 'json'
  | 'quiet'
  | 'verbose'
  | 'no-color'
  | 'help'
  | 'version';

/** One flag: how it is written, what it may hold, and its line in the help. */
export interface Flag {
  readonly kind: FlagKind;
  /** The commands that take it; absent = all. */
  readonly only?: readonly CommandName[];
  readonly short?: string;
  /** The word that stands for its value in the help. */
  readonly value?: string;
  /** The least value that makes sense, in milliseconds or pieces. Default 1. */
  readonly min?: number;
  readonly does: string;
  /** Its line for one command, where it means something else there. */
  readonly doesFor?: Readonly<Partial<Record<CommandName, string>>>;
}

/** A command: its line in the help, the words it takes, and how it is used. */
export interface CommandFacts {
  readonly does: string;
  /** The words behind it, each required. */
  readonly words?: readonly string[];
  readonly examples: readonly (readonly [line: string, what: string])[];
}

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<CommandName, CommandFacts>> = {
  up: {
    does: 'applies what is pending',
    examples: [
      ['up --url postgres://me@localhost/app', 'ours, in the schema chronos'],
      ['up --dir ./migrations', 'ours, then your own files'],
      ['up --dry-run', 'prints the exact SQL and touches nothing'],
      ['up --grant-to app', 'and lets the role app read and write, not migrate'],
    ],
  },
  down: {
    does: 'reverts the last migration, or those after --to X (0: all); loses data: needs --yes',
    examples: [
      ['down', 'says what would be lost, and refuses'],
      ['down --dir ./migrations --step 2 --yes', 'the last two of your own'],
    ],
  },
  redo: {
    does: 'reverts the last migration and applies it again; loses data: needs --yes',
    examples: [['redo --dir ./migrations --yes', 'the last of your own, while you write it']],
  },
  status: {
    does: 'says where the database stands: applied, pending, changed, missing; changes nothing',
    examples: [['status --check', 'for a deployment: exit 10 while anything is pending']],
  },
  verify: {
    does: 'holds the tables against what the applied migrations make, and files against the log',
    examples: [
      ['verify', 'exit 8 where a table is not what it should be, 7 where a file is not'],
      ['verify --app-role app', 'and whether the role app may do what a service does'],
    ],
  },
  doctor: {
    does: 'looks at server, settings and role: each line ok, warn or fail, with what mends it',
    examples: [['doctor --url postgres://app@localhost/app', 'as the role that the service uses']],
  },
  history: {
    does: 'prints the migration log, newest last: when, what, how long, by whom',
    examples: [['history --json', 'the rows of the log as one JSON object']],
  },
  wait: {
    does: 'waits until nothing is pending, also for a database that is not up yet',
    examples: [['wait --timeout 2m', 'in a container that must not start before the schema is there']],
  },
  baseline: {
    does: 'logs migrations as applied without running them, for tables that are there already',
    examples: [['baseline --at 0002', 'takes 0001 and 0002 as applied']],
  },
  repair: {
    does: 'settles a half-done migration: its statement took effect, or is to run again',
    words: ['ID', 'done|again'],
    examples: [['repair app:0003_orders done --step 3', 'you looked, and statement 3 took effect']],
  },
  unlock: {
    does: 'names who holds the lock; with --force ends that session',
    examples: [['unlock --force', 'when a migrator hangs and must go']],
  },
  new: {
    does: 'writes the files of a new migration of your own, with the next number',
    words: ['NAME'],
    examples: [['new add_widgets --dir ./migrations', '0001_add_widgets.up.sql and .down.sql']],
  },
};

/** Every flag, in the order of the help. This table is the one source of parsing, checks and help. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  to: {
    kind: 'text',
    only: ['up', 'down'],
    value: 'X',
    does: 'end with X applied: NNNN, NNNN_name or namespace:NNNN_name',
  },
  step: {
    kind: 'count',
    only: ['up', 'down', 'repair'],
    value: 'N',
    does: 'at most N migrations (all)',
    doesFor: { down: 'at most N migrations (1)', repair: 'the statement in question' },
  },
  'dry-run': { kind: 'switch', only: ['up'], does: 'print the exact SQL and touch nothing' },
  'grant-to': {
    kind: 'text',
    only: ['up'],
    value: 'ROLE',
    does: 'give ROLE what a service needs (MySQL: user or user@host)',
  },
  yes: { kind: 'switch', only: ['down', 'redo'], does: 'go on, although data is lost' },
  check: { kind: 'switch', only: ['status'], does: 'exit 10 if anything is pending, 6 or 7 if it is worse' },
  'app-role': {
    kind: 'text',
    only: ['verify'],
    value: 'ROLE',
    does: 'check the grants of ROLE (Postgres; else of all that have one on chronos_sessions)',
  },
  at: {
    kind: 'text',
    only: ['baseline'],
    value: 'X',
    does: 'the last one to take as applied: NNNN, NNNN_name or namespace:NNNN_name',
  },
  timeout: { kind: 'duration', only: ['wait'], value: 'TIME', min: 0, does: 'how long to wait (60s)' },
  force: { kind: 'switch', only: ['unlock'], does: 'end the session that holds the lock' },
  url: {
    kind: 'text',
    value: 'URL',
    does: 'the database (CHRONOS_DATABASE_URL, else DATABASE_URL, else sqlite:./chronos.db)',
  },
  schema: {
    kind: 'text',
    value: 'NAME',
    does: 'Postgres schema of the tables (CHRONOS_SCHEMA, else chronos)',
  },
  dir: {
    kind: 'text',
    value: 'DIR',
    does: 'folder of your own NNNN_name.up.sql, .down.sql, .js and .ts files',
  },
  namespace: { kind: 'text', value: 'NAME', does: 'name of your own files in the log (app)' },
  'env-file': { kind: 'text', value: 'FILE', does: 'read variables from FILE; the environment wins' },
  'ssl-ca': { kind: 'text', value: 'FILE', does: 'PEM certificate that the server is checked against' },
  'ssl-cert': { kind: 'text', value: 'FILE', does: 'PEM client certificate' },
  'ssl-key': { kind: 'text', value: 'FILE', does: 'PEM key of the client certificate' },
  'connect-timeout': { kind: 'duration', value: 'TIME', does: 'bound on connecting (10s)' },
  'lock-timeout': {
    kind: 'duration',
    value: 'TIME',
    min: 0,
    does: 'how long to wait for another migrator (60s)',
  },
  'statement-timeout': {
    kind: 'duration',
    value: 'TIME',
    does: 'bound on each statement, on servers (none)',
  },
  json: { kind: 'switch', does: 'print one JSON object on stdout, failures too' },
  quiet: { kind: 'switch', does: 'print warnings and errors only' },
  verbose: { kind: 'switch', does: 'say more on stderr' },
  'no-color': { kind: 'switch', does: 'no colours (also NO_COLOR)' },
  help: { kind: 'switch', short: 'h', does: 'print help, for one command after its name' },
  version: { kind: 'switch', does: 'print the version' },
};

/** Whether a command takes a flag. */
export function takes(command: CommandName, flag: FlagName): boolean {
  return FLAGS[flag].only?.includes(command) ?? true;
}

/** Whether a word is a command. */
export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** Whether a word is the name of a flag. */
export function isFlag(word: string): word is FlagName {
  return Object.hasOwn(FLAGS, word);
}
