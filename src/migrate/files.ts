import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '../errors.ts';
import type { Language } from '../sql/dialect-name.ts';
import { checksum, plainText } from './text/checksum.ts';
import { directiveProblem, directivesOf } from './text/directives.ts';
import { hostFileProblem } from './text/host-file-problem.ts';
import { statementsOf } from './text/statements.ts';
import type { Direction, Migration } from './types.ts';

const SQL_NAME = /^((\d{4})_[A-Za-z0-9][A-Za-z0-9_-]*)\.(up|down)\.sql$/;
/** What looks like a migration: it is one, or it is refused. */
const NUMBERED = /^\d{4}_/;
const CODE_NAME = /^((\d{4})_[A-Za-z0-9][A-Za-z0-9_-]*)\.[cm]?[jt]s$/;
const CODE = /\.[cm]?[jt]s$/i;
/** What a compiler leaves beside code. */
const BESIDE = /\.(d\.[cm]?ts|[cm]?js\.map|ts\.map)$/i;
/** Longest `NNNN_name`: what the log's column holds. */
const NAME_LIMIT = 200;

/** The namespace of the built-in migrations. */
export const OURS = 'chronos';

/** The migrations that this process knows. */
export interface FileSet {
  /** Ours first, then a host's, each namespace in order. */
  readonly all: readonly Migration[];
  /** Whose they are; a namespace may have none left. */
  readonly namespaces: readonly string[];
}

/** The built-in migrations of a language, in order. */
export async function builtIn(language: Language): Promise<readonly Migration[]> {
  const { EMBEDDED } = await import('./embedded.ts');
  return migrationsOf(OURS, new Map(Object.entries(EMBEDDED[language])), 'migrations');
}

/**
 * A host's migrations in `dir`, in order. Throws {@link InvalidArgumentError} USAGE that names the file for
 * whatever this version would otherwise skip in silence.
 */
export async function hostFiles(
  dir: string,
  namespace: string,
  language: Language,
): Promise<readonly Migration[]> {
  const texts = new Map<string, string>();
  const code: Migration[] = [];
  for (const { name, isFile } of await entriesIn(dir)) {
    if (BESIDE.test(name)) continue;
    if (!isFile) {
      if (NUMBERED.test(name)) throw unusable(dir, name, 'not a file', 'keep only files under such names');
      continue;
    }
    if (CODE.test(name)) code.push(await codeMigration(dir, name, namespace));
    else if (NUMBERED.test(name) || /\.sql$/i.test(name)) {
      parsedName(dir, name);
      texts.set(name, await textOf(dir, name));
    }
  }
  const sql = migrationsOf(namespace, texts, dir).map((migration) => withEmpty(dir, migration, language));
  for (const migration of sql) checkHost(dir, migration, language);
  refuseTwins([...sql, ...code], dir);
  return [...sql, ...code].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function codeMigration(dir: string, file: string, namespace: string): Promise<Migration> {
  const [, name = ''] = CODE_NAME.exec(file) ?? [];
  if (name === '' || name.length > NAME_LIMIT) {
    const hint = 'name it NNNN_name.js or .ts; keep helpers in a folder of their own';
    throw unusable(dir, file, 'not a name of a migration', hint);
  }
  const { loadCode } = await import('./code-files.ts');
  const code = await loadCode(join(resolve(dir), file));
  const says = (side: string) => `-- ${side} is code: ${file}\n`;
  return Object.freeze({
    namespace,
    name,
    id: `${namespace}:${name}`,
    up: says('up'),
    ...(code.down === undefined ? {} : { down: says('down') }),
    checksum: code.checksum ?? null,
    directives: [],
    code,
  });
}

/** Files by name → migrations in order of their numbers. */
function migrationsOf(
  namespace: string,
  texts: ReadonlyMap<string, string>,
  dir: string,
): readonly Migration[] {
  const ups = new Map<string, string>();
  const downs = new Map<string, string>();
  for (const [file, text] of texts) {
    const { name, direction } = parsedName(dir, file);
    (direction === 'up' ? ups : downs).set(name, plainText(text));
  }
  for (const name of downs.keys()) {
    if (!ups.has(name)) throw unusable(dir, `${name}.down.sql`, `there is no ${name}.up.sql`, 'add it');
  }
  return [...ups.keys()]
    .sort()
    .map((name) => migration(namespace, name, ups.get(name) ?? '', downs.get(name)));
}

function parsedName(dir: string, file: string): { name: string; direction: string } {
  const [, name = '', , direction = ''] = SQL_NAME.exec(file) ?? [];
  if (name === '' || name.length > NAME_LIMIT) {
    const hint =
      'name it NNNN_name.up.sql or NNNN_name.down.sql in small letters, for example 0001_widgets.up.sql';
    throw unusable(dir, file, 'not a name of a migration', hint);
  }
  return { name, direction };
}

/** Two under one number, or one name as SQL and as code: which is meant, nobody can tell. */
function refuseTwins(migrations: readonly Migration[], dir: string): void {
  const byNumber = new Map<string, string>();
  for (const { name } of migrations) {
    const number = name.slice(0, 4);
    const twin = byNumber.get(number);
    if (twin !== undefined) {
      throw unusable(dir, name, `${twin} has the same number`, 'give one of them another');
    }
    byNumber.set(number, name);
  }
}

function migration(namespace: string, name: string, up: string, down: string | undefined): Migration {
  return Object.freeze({
    namespace,
    name,
    id: `${namespace}:${name}`,
    up,
    ...(down === undefined ? {} : { down }),
    checksum: checksum(up),
    directives: directivesOf(up),
  });
}

/** Noted and not refused: one that was applied must go on being read. */
function withEmpty(dir: string, migration: Migration, language: Language): Migration {
  const { name, up, down } = migration;
  const empty: Partial<Record<Direction, string>> = {};
  const look = (direction: Direction, text: string) => {
    if (statementsOf(text, language).length === 0) empty[direction] = join(dir, `${name}.${direction}.sql`);
  };
  look('up', up);
  if (down !== undefined) look('down', down);
  return Object.keys(empty).length === 0 ? migration : Object.freeze({ ...migration, empty });
}

function checkHost(dir: string, migration: Migration, language: Language): void {
  const sides = [
    { direction: 'up', text: migration.up },
    { direction: 'down', text: migration.down ?? '' },
  ] as const;
  for (const { direction, text } of sides) {
    const file = `${migration.name}.${direction}.sql`;
    const found = directiveProblem(text, language, direction) ?? hostFileProblem(text, language);
    if (found !== undefined) throw unusable(dir, file, found.problem, found.hint);
  }
}

async function entriesIn(dir: string): Promise<readonly { name: string; isFile: boolean }[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    // What a link leads to is seen when it is read.
    return entries.map((entry) => ({ name: entry.name, isFile: entry.isFile() || entry.isSymbolicLink() }));
  } catch (cause) {
    const code = codeOf(cause);
    const problem = code === 'ENOENT' ? 'there is no such folder' : `the folder cannot be read (${code})`;
    const facts = { reason: 'USAGE', hint: 'name a folder with .up.sql files', cause } as const;
    throw new InvalidArgumentError('dir', `${dir}: ${problem}`, facts);
  }
}

async function textOf(dir: string, name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(dir, name)));
  } catch (cause) {
    const code = codeOf(cause);
    const problem = code.startsWith('ERR_ENCODING') ? 'not UTF-8' : `cannot be read (${code})`;
    throw unusable(dir, name, problem, 'save it as UTF-8 text that this process may read', cause);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function unusable(
  dir: string,
  file: string,
  problem: string,
  hint: string,
  cause?: unknown,
): InvalidArgumentError {
  return new InvalidArgumentError('dir', `${join(dir, file)}: ${problem}`, { reason: 'USAGE', hint, cause });
}
