import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { MigratorOptions } from '../migrate/types.ts';
import type { CommandLine } from './command-line.ts';
import type { FlagName } from './options.ts';
import { refused } from './values.ts';

/** Variables by name, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where nothing else was named. */
const DEFAULT_TARGET = 'sqlite:./chronos.db';

/** What a run works with: flags, then variables, then defaults. */
export interface Settings {
  readonly target: string;
  /** Whether nobody named a target. */
  readonly defaulted: boolean;
  readonly options: MigratorOptions;
}

/** Reads flags, variables and the files that flags name. Throws InvalidArgumentError (USAGE). */
export async function readSettings(line: CommandLine, environment: Variables): Promise<Settings> {
  const variables = await withEnvFile(line, environment);
  const named = line.text('url') ?? variable(variables, 'CHRONOS_DATABASE_URL', 'DATABASE_URL');
  return {
    target: named ?? DEFAULT_TARGET,
    defaulted: named === undefined,
    options: {
      ...defined('schema', line.text('schema') ?? variable(variables, 'CHRONOS_SCHEMA')),
      ...defined('dir', line.text('dir')),
      ...defined('namespace', line.text('namespace')),
      ...defined('connectTimeout', line.duration('connect-timeout')),
      ...defined('lockTimeout', line.duration('lock-timeout')),
      ...defined('statementTimeout', line.duration('statement-timeout')),
      ...defined('ssl', await readSsl(line)),
    },
  };
}

/** The environment over the variables of `--env-file`, as with `node --env-file`. */
async function withEnvFile(line: CommandLine, environment: Variables): Promise<Variables> {
  const text = await readNamed(line, 'env-file');
  return text === undefined ? environment : { ...parseEnv(text), ...environment };
}

/** The first of these that is set; set to nothing counts as not set. */
function variable(variables: Variables, ...names: readonly string[]): string | undefined {
  return names.map((name) => variables[name]).find((value) => value !== undefined && value !== '');
}

async function readSsl(line: CommandLine): Promise<MigratorOptions['ssl']> {
  const ssl = {
    ...defined('ca', await readNamed(line, 'ssl-ca')),
    ...defined('cert', await readNamed(line, 'ssl-cert')),
    ...defined('key', await readNamed(line, 'ssl-key')),
  };
  return Object.keys(ssl).length === 0 ? undefined : ssl;
}

async function readNamed(line: CommandLine, flag: FlagName): Promise<string | undefined> {
  const path = line.text(flag);
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw refused(flag, `the file cannot be read (${code})`, 'name a file that exists and may be read');
  }
}

/** `{ [name]: value }`, or nothing where there is no value. */
function defined<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  const entry: { [key in K]?: V } = {};
  if (value !== undefined) entry[name] = value;
  return entry;
}
