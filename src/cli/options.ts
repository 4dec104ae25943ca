/** The commands of `chronos-migrate`. */
export type CommandName = 'up' | 'down' | 'status' | 'verify' | 'doctor' | 'history';

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
}

/** Every command with what it does. */
export const COMMANDS: Readonly<Record<CommandName, string>> = {
  up: 'applies what is pending',
  down: 'reverts the last migration, or those after --to X (0: all); loses data: needs --yes',
  status: 'says where the database stands: applied, pending, changed, missing; changes nothing',
  verify: 'holds the tables against what the applied migrations make, and files against the log',
  doctor: 'looks at server, settings and role: each line ok, warn or fail, with what mends it',
  history: 'prints the migration log, newest last: when, what, how long, by whom',
};

/** Every flag, in the order of the help. This table is the one source of parsing, checks and help. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  to: {
    kind: 'text',
    only: ['up', 'down'],
    value: 'X',
    does: 'end with X applied: NNNN, NNNN_name or namespace:NNNN_name',
  },
  step: { kind: 'count', only: ['up', 'down'], value: 'N', does: 'at most N migrations (up: all; down: 1)' },
  'dry-run': { kind: 'switch', only: ['up'], does: 'print the exact SQL and touch nothing' },
  'grant-to': {
    kind: 'text',
    only: ['up'],
    value: 'ROLE',
    does: 'give ROLE what a service needs (MySQL: user or user@host)',
  },
  yes: { kind: 'switch', only: ['down'], does: 'go on, although data is lost' },
  check: { kind: 'switch', only: ['status'], does: 'exit 10 if anything is pending, 6 or 7 if it is worse' },
  'app-role': {
    kind: 'text',
    only: ['verify'],
    value: 'ROLE',
    does: 'check the grants of ROLE (Postgres; else of all that have one on chronos_sessions)',
  },
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
  dir: { kind: 'text', value: 'DIR', does: 'folder of your own NNNN_name.up.sql and .down.sql files' },
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
